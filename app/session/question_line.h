#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "transport/ssh/ssh_prompter.h"

namespace app {

/// Makes room for a line where another one stands.
inline constexpr std::string_view kClearLine = "\r\x1b[K";

/// Asks the operator on the session's own screen while a connection is being made: host keys, passwords, codes.
///
/// What is typed goes straight into locked memory and is shown only where the question allows it.
class QuestionLine final : public transport::SshPrompter {
 public:
  /// `show` puts text on the operator's screen.
  explicit QuestionLine(std::function<void(std::string_view)> show) : show_(std::move(show)) {}

  void ask(const transport::SshQuestion& question, Reply reply) override;
  void withdraw() override;
  bool terminal_is_free() const override { return false; }

  bool open() const { return reply_ != nullptr; }
  /// Keys of the operator while open(); bytes after the one that ended the question are returned.
  std::string_view type(std::string_view bytes);

 private:
  void erase_last_character();
  void answer(std::optional<transport::Secret> text);

  std::function<void(std::string_view)> show_;
  Reply reply_;
  transport::Secret typed_;
  bool echo_ = false;
};

}  // namespace app
