#pragma once

#include <termios.h>

#include <memory>
#include <string>

#include "app/session/question_line.h"
#include "base/unique_fd.h"
#include "event/event_loop.h"
#include "event/fd_watch.h"

namespace app {

/// Asks on the operator's terminal outside of a session: `jms login`. What is typed is shown only where the question
/// allows it, and standard input and output stay free for pipes.
class TtyPrompter final : public transport::SshPrompter {
 public:
  explicit TtyPrompter(event::EventLoop& loop);
  ~TtyPrompter() override;

  /// Whether there is a terminal to ask on. Without one every question goes unanswered.
  bool there() const { return static_cast<bool>(tty_); }

  void ask(const transport::SshQuestion& question, Reply reply) override;
  void withdraw() override;
  bool can_answer() const override { return there(); }

  /// One line that the next one, or a question, replaces.
  void tell(const std::string& what);
  void clear();

 private:
  void write(std::string_view text);
  void read();
  void enter();
  void leave();

  event::EventLoop& loop_;
  base::UniqueFd tty_;
  termios before_{};
  bool raw_ = false;
  bool told_ = false;
  std::string ahead_;  ///< Typed after the end of a question: for the next one.
  QuestionLine question_;
  std::unique_ptr<event::FdWatch> watch_;
};

}  // namespace app
