#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace remote_exec {

/// How a command ended, in the words that scripts rely on.
enum class Status { done, timeout, rejected, waiting_review, needs_input, busy, disconnected, interrupted };
std::string_view status_name(Status status);

/// Which rung of the ladder found the boundaries.
enum class Framing { hook, line, prompt, quiet };
std::string_view framing_name(Framing framing);

/// Why a status is what it is; `none` for a plain end.
enum class Reason {
  none,
  refused,             ///< By our own checks, before anything was typed.
  lane_busy,           ///< Another command of ours is running.
  full_screen,         ///< A full-screen program has the terminal.
  foreground_program,  ///< Something is running and reads what is typed.
  half_typed,          ///< The operator has text on the prompt line.
  password,
  yes_no,
  pager,
  question,
  reads_terminal,     ///< The program reads the terminal without asking anything.
  continuation,       ///< The shell waits for the rest of a command.
  history_expansion,  ///< The shell dropped the line: "event not found".
  syntax,             ///< The shell did not take the line.
  forbidden,          ///< The bastion forbids the command.
  review,             ///< The bastion wants a reviewer.
  confirm,            ///< The bastion wants a confirmation.
  no_shell,           ///< Nothing here answers like a shell.
  no_echo,            ///< What is typed does not appear.
  no_start,           ///< Enter was sent, and nothing came back.
  not_interruptible,  ///< The program did not stop.
  start_not_seen,     ///< The end mark came without the start mark.
  end_not_seen,       ///< A prompt came back without the end mark.
  link_lost,
};

/// What a finished command left behind.
struct CommandResult {
  std::string command;
  std::string output;            ///< As a person would read it; head and tail when it was long.
  std::optional<int> exit_code;  ///< Only what the shell said; never guessed.
  Status status = Status::done;
  Reason reason = Reason::none;
  std::chrono::milliseconds duration{0};
  bool truncated = false;
  std::uint64_t total_bytes = 0;  ///< Of the cleaned output.
  Framing framing = Framing::line;
  std::string output_id;          ///< For read_output, when more than the head and tail above is kept in a file.
  std::uint64_t kept_bytes = 0;   ///< How much that file holds: all of it, unless a cap or a full disk cut it off.
  std::string notices;            ///< What was done to the session meanwhile, by the bastion or its link.
  std::string note_for_model;     ///< A sentence; empty for a plain end. Begins with the notices.
  std::string note_for_operator;  ///< The same for the panel.
};

/// Fills both notes from notices, status and reason.
void describe(CommandResult& result);

/// Two sentences as one text; either may be empty.
std::string sentences(std::string_view first, std::string_view second);

}  // namespace remote_exec
