#include "app/assistant/shell_mode.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

ShellMode::ShellMode(event::EventLoop& loop, std::string outputs, Events events)
    : loop_(loop), outputs_(std::move(outputs)), events_(std::move(events)) {}

void ShellMode::run(const std::string& command) {
  if (is_blank(command)) return events_.on_refused(say(Message::shell_nothing));
  if (running()) return events_.on_refused(say(Message::shell_busy));
  if (const auto program = local_exec::interactive_program(command); !program.empty())
    return events_.on_refused(say(Message::shell_interactive, {program}));
  command_ = command;
  head_.clear();
  total_ = kept_ = 0;
  file_.reset();
  file_path_.clear();
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
  keep(bytes);
  // What is beyond the part that is shown changes the note only; that can wait for the end.
  if (before < kRawHead) events_.on_output(shown());
}

/// Everything goes to a file as soon as it is more than is shown.
void ShellMode::keep(std::string_view bytes) {
  if (outputs_.empty() || total_ <= kShown) return;
  if (!file_) {
    ::mkdir(outputs_.c_str(), 0700);
    file_path_ = outputs_ + "/shell-" + std::to_string(::getpid()) + ".txt";
    file_.reset(::open(file_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file_) return outputs_.clear();
    write_file(std::string_view(head_).substr(0, total_ - bytes.size()));
  }
  write_file(bytes);
}

void ShellMode::write_file(std::string_view bytes) {
  bytes = bytes.substr(0, kKept - kept_);
  if (::write(file_.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) kept_ += bytes.size();
}

std::string ShellMode::shown() const {
  return std::string(base::cut_utf8(safety::sanitize(local_exec::readable(head_)), kShown));
}

std::string ShellMode::note() const {
  if (total_ <= kShown) return {};
  const std::string more = panel::human_size(total_ - kShown);
  return "\n" + (file_ ? say(Message::shell_more_in_file, {more, file_path_}) : say(Message::shell_more, {more}));
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
  if (total_ > 0) events_.on_output(ended.output + note());
  file_.reset();
  if (ended.stopped) {
    process_.reset();  // kills the whole group at once
  } else {
    // This is the process's own last call: it goes when that has returned.
    loop_.defer([over = std::shared_ptr<local_exec::Subprocess>(std::move(process_))] {});
  }
  events_.on_end(ended);
}

}  // namespace app
