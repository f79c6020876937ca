#include "app/assistant/shell_mode.h"

#include <utility>

#include "base/utf8.h"
#include "local_exec/interactive.h"
#include "panel/input_box.h"
#include "panel/messages.h"
#include "safety/sanitizer.h"

namespace app {
namespace {

using panel::Message;
using panel::say;
using Clock = std::chrono::steady_clock;

// Colours and redrawn lines take more bytes than the text that is left of them.
constexpr std::size_t kRawHead = 4 * ShellMode::kShown;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

}  // namespace

ShellMode::ShellMode(event::EventLoop& loop, std::string outputs, MakeMask make_mask, Events events)
    : loop_(loop), outputs_(std::move(outputs)), make_mask_(std::move(make_mask)), events_(std::move(events)) {}

void ShellMode::run(const std::string& command) {
  if (is_blank(command)) return events_.on_refused(say(Message::shell_nothing));
  if (running()) return events_.on_refused(say(Message::shell_busy));
  if (const auto program = local_exec::interactive_program(command); !program.empty())
    return events_.on_refused(say(Message::shell_interactive, {program}));
  command_ = command;
  head_.clear();
  total_ = 0;
  mask_ = make_mask_();
  kept_.emplace(remote_exec::OutputStore::Options{.budget = kShown, .file_cap = kKept, .directory = outputs_});
  started_ = Clock::now();
  local_exec::Subprocess::Options options;
  options.command = command;
  options.timeout = kLimit;
  auto started =
      local_exec::Subprocess::start(loop_, options,
                                    {.on_output = [this](std::string_view bytes) { on_output(bytes); },
                                     .on_done = [this](const local_exec::CommandResult& result) { on_done(result); }});
  if (!started) return events_.on_refused(started.error().message);
  process_ = std::move(*started);
  events_.on_begin(command_);
}

void ShellMode::on_output(std::string_view bytes) {
  const std::size_t before = total_;
  total_ += bytes.size();
  head_ += bytes.substr(0, kRawHead - std::min(kRawHead, head_.size()));
  kept_->append(mask_->feed(bytes));
  // What is beyond the part that is shown changes the note only; that can wait for the end.
  if (before < kRawHead) events_.on_output(shown());
}

std::string ShellMode::shown() const {
  return std::string(base::cut_utf8(safety::sanitize(local_exec::readable(head_)), kShown));
}

std::string ShellMode::note() const {
  if (total_ <= kShown) return {};
  const std::string more = panel::human_size(total_ - kShown);
  return "\n" + (kept_->file_id().empty()
                     ? say(Message::shell_more, {more})
                     : say(Message::shell_more_in_file, {more, outputs_ + "/" + kept_->file_id()}));
}

void ShellMode::on_done(const local_exec::CommandResult& result) {
  end({.exit_code = result.timed_out ? std::nullopt : result.exit_code,
       .timed_out = result.timed_out,
       .duration = result.duration});
}

void ShellMode::stop() {
  if (!running()) return;
  end({.stopped = true, .duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_)});
}

void ShellMode::end(Ended ended) {
  ended.command = command_;
  ended.output = shown();
  kept_->append(mask_->finish());
  if (total_ > 0) events_.on_output(ended.output + note());
  kept_.reset();
  if (ended.stopped) {
    process_.reset();  // kills the whole group at once
  } else {
    // This is the process's own last call: it goes when that has returned.
    loop_.defer([over = std::shared_ptr<local_exec::Subprocess>(std::move(process_))] {});
  }
  events_.on_end(ended);
}

}  // namespace app
