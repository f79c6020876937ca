#include "remote_exec/command_result.h"

#include <array>

namespace remote_exec {
namespace {

struct Notes {
  std::string_view model;
  std::string_view person;
};

Notes notes_for(const CommandResult& result) {
  switch (result.reason) {
    case Reason::none:
      break;
    case Reason::refused:
      return {"The command was refused before anything was typed.", "Refused before anything was typed."};
    case Reason::lane_busy:
      return {"Another command is still running in this session; wait for its result. Nothing was typed.",
              "Another command of the assistant is still running."};
    case Reason::full_screen:
      return {
          "A full-screen program (an editor, a pager, top, tmux) has the terminal. It has to be closed first; only "
          "the operator can do that safely.",
          "A full-screen program has the terminal: close it, then ask again."};
    case Reason::foreground_program:
      return {
          "A program is running in the foreground, so there is no shell prompt to type at. Ask the operator to end "
          "it, or wait.",
          "A program is running in the foreground: end it, then ask again."};
    case Reason::half_typed:
      return {
          "The operator has half-typed text on the prompt line. It was kept and nothing was typed; ask the operator "
          "to run or clear it.",
          "There is text on your prompt line. It was kept: run or clear it, then ask again."};
    case Reason::password:
      return {"The terminal asks for a password or another secret. Only the operator may type it.",
              "The terminal asks for a secret: type it there yourself."};
    case Reason::yes_no:
      return {
          "The program asks for a confirmation and waits. Use its non-interactive option (such as -y) if the "
          "operator agrees, or let the operator answer.",
          "The program asks for a confirmation: answer in the terminal."};
    case Reason::pager:
      return {"A pager is waiting. Run the command with `| cat` or its --no-pager option.",
              "A pager is waiting: press q in the terminal."};
    case Reason::question:
      return {"The program asks something and waits for typed input.", "The program waits for input in the terminal."};
    case Reason::reads_terminal:
      return {
          "The program reads what is typed at the terminal, and nothing is. Give it its input with a file, a pipe or a "
          "here-document, or `</dev/null`.",
          "The program reads the terminal: type its input there and end it with Ctrl-D, or give it `</dev/null`."};
    case Reason::continuation:
      return {"The shell or client waits for the rest of a command: something was left open.",
              "The prompt waits for the rest of a command."};
    case Reason::history_expansion:
      return {
          "The shell took a `!` for history expansion and dropped the line; nothing ran. Put the `!` in single "
          "quotes.",
          "The shell dropped the line because of a `!`; nothing ran."};
    case Reason::syntax:
      return {"The shell did not accept the line and ran nothing of it; its message is the output.",
              "The shell did not accept the line; nothing ran."};
    case Reason::forbidden:
      return {
          "The bastion's rules forbid this command; it did not run. Do not try to get around the rule: tell the "
          "operator.",
          "The bastion forbids this command; it did not run."};
    case Reason::review:
      return {"The bastion wants a reviewer to approve this command; it has not run.",
              "The bastion wants this command reviewed: answer in the terminal."};
    case Reason::confirm:
      return {"The bastion asks for a confirmation of this command; it has not run.",
              "The bastion asks for a confirmation: answer Y or N in the terminal."};
    case Reason::no_shell:
      return {"What answers on this terminal is no shell that we know; the command was not typed.",
              "No shell that we know answers here; the command was not typed."};
    case Reason::no_echo:
      return {"What is typed does not appear on the terminal (echo is off), so it was cleared and not run.",
              "The terminal does not echo: nothing was run."};
    case Reason::no_start:
      return {
          "Enter was sent and the shell gave no sign since. The command may or may not have run, or may run later; do "
          "not repeat it without checking.",
          "The shell gives no sign: the command may or may not have run."};
    case Reason::not_interruptible:
      return {"The program did not stop on Ctrl-C and still has the terminal; its output so far is given.",
              "The program did not stop on Ctrl-C: end it in the terminal."};
    case Reason::start_not_seen:
      return {
          "The command ran to its end, but the shell did not report its start: the output may begin with lines that "
          "are "
          "not its own, and what followed its first kilobytes may be missing.",
          "The command ran, but its start was not reported: its output may not be exact."};
    case Reason::end_not_seen:
      return {
          "A prompt is back but the end of the command was not reported, so its exit code is unknown (a nested "
          "shell, or the command was interrupted).",
          "A prompt is back without the command's exit code."};
    case Reason::link_lost:
      return {"The connection was lost. The command may or may not have run; do not repeat it without checking.",
              "The connection was lost: the command may or may not have run."};
  }
  switch (result.status) {
    case Status::timeout:
      return {
          "The time limit passed; the command was interrupted with Ctrl-C and its output so far is given. Its exit "
          "code is unknown.",
          "The time limit passed; the command was interrupted."};
    case Status::interrupted:
      return {"The command was interrupted; its output so far is given. Its exit code is unknown.",
              "The command was interrupted."};
    default:
      return {};
  }
}

}  // namespace

std::string_view status_name(Status status) {
  static constexpr std::array<std::string_view, 8> kNames = {"done",        "timeout", "rejected",     "waiting_review",
                                                             "needs_input", "busy",    "disconnected", "interrupted"};
  return kNames.at(static_cast<std::size_t>(status));
}

std::string_view framing_name(Framing framing) {
  static constexpr std::array<std::string_view, 4> kNames = {"hook", "line", "prompt", "quiet"};
  return kNames.at(static_cast<std::size_t>(framing));
}

void describe(CommandResult& result) {
  const Notes notes = notes_for(result);
  if (result.note_for_model.empty()) result.note_for_model = notes.model;
  if (result.note_for_operator.empty()) result.note_for_operator = notes.person;
  result.note_for_model = sentences(result.notices, result.note_for_model);
  result.note_for_operator = sentences(result.notices, result.note_for_operator);
}

std::string sentences(std::string_view first, std::string_view second) {
  if (first.empty() || second.empty()) return std::string(first.empty() ? second : first);
  return std::string(first) + (first.ends_with('.') ? " " : ". ") + std::string(second);
}

}  // namespace remote_exec
