#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panel/input_history.h"
#include "panel/slash_command.h"

namespace panel {

/// One thing the input could go on with.
struct Candidate {
  std::string text;   ///< What is put in.
  std::string about;  ///< One line on it; may be empty.
};

/// What fits the word at the cursor.
struct Completion {
  std::size_t from = 0;  ///< The part of the input that a candidate replaces.
  std::size_t to = 0;
  std::vector<Candidate> candidates;  ///< The best first.
};

/// Knows what can be completed: slash commands and their arguments, attachments, questions of before.
class Completer {
 public:
  static constexpr std::size_t kMost = 50;

  /// What may follow commands that take a skill, a model or a session; asked for when it is needed.
  using Choices = std::function<std::vector<Candidate>()>;
  void set_choices(Argument argument, Choices choices) { choices_[argument] = std::move(choices); }

  /// While typing: commands, their arguments and attachments. Nothing when nothing fits, or only what stands there.
  std::optional<Completion> suggest(std::string_view text, std::size_t cursor) const;
  /// When asked for with Tab: also questions of before.
  std::optional<Completion> complete(std::string_view text, std::size_t cursor, const InputHistory& history) const;

 private:
  std::optional<Completion> command(std::string_view text, std::size_t cursor) const;
  std::optional<Completion> argument(std::string_view text, std::size_t cursor) const;
  std::optional<Completion> attachment(std::string_view text, std::size_t cursor) const;

  std::map<Argument, Choices> choices_;
};

/// The attachments named in a text: "@last", "@screen", "@sel", each as a word of its own and once.
std::vector<std::string> attachments_in(std::string_view text);

}  // namespace panel
