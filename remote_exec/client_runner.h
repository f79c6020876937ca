#pragma once

#include <memory>
#include <optional>
#include <string>

#include "remote_exec/echo_filter.h"
#include "remote_exec/lane.h"
#include "remote_exec/screen_guard.h"

namespace remote_exec {

/// Levels *prompt* and *quiet*: a client or device that takes commands but cannot print marks. The command is typed
/// bare; it has ended when the prompt it was typed at stands there again, or, where there is no prompt to know, when
/// it has been silent. Exit codes are unknown here.
class ClientRunner final : public Lane {
 public:
  ClientRunner(LaneContext context, ExecRequest request, std::shared_ptr<RunLink> link);

  void begin() override;
  void tick() override;
  void operator_input(std::string_view keys) override;
  void stop() override;
  bool settling() const override { return false; }

 private:
  enum class Step { typing, running, interrupting };

  std::string on_bytes(std::string_view bytes) override;
  std::optional<std::string> problem_with(std::string_view command) const;
  void record(std::string_view bytes);
  void check_running();
  void ask_person(Asking asking);
  void answered();
  void finish(Status status, Reason reason);
  void interrupt(Status status, Reason reason);
  milliseconds quiet() const { return since(last_byte_); }

  Step step_ = Step::typing;
  Clock::time_point step_since_ = now();
  Client client_ = Client::none;
  std::string prompt_;  ///< The line up to the cursor when the command was typed.
  std::unique_ptr<EchoFilter> echo_;
  ScreenGuard guard_{""};
  bool past_echo_ = false;  ///< The line end of the echo has passed; what follows is output.
  bool person_asked_ = false;
  bool asked_line_left_ = false;  ///< What was asked then has been followed by a line end.
  Clock::time_point asked_at_;    ///< While person_asked_.
  milliseconds asked_for_{0};     ///< The time that answers took.
  int pages_ = 0;                 ///< Pager prompts answered.
  Status status_ = Status::done;
  Reason reason_ = Reason::none;
};

}  // namespace remote_exec
