#include "local_exec/subprocess.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace local_exec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kStopSignals[] = {SIGINT, SIGTERM, SIGKILL};
// A grandchild that outlives the command and keeps the pipe open does not keep us.
constexpr std::chrono::milliseconds kLastWords{200};

}  // namespace

base::Result<std::unique_ptr<Subprocess>> Subprocess::start(event::EventLoop& loop, Options options, Events events) {
  std::unique_ptr<Subprocess> process(new Subprocess(loop, std::move(options), std::move(events)));
  if (auto launched = process->launch(); !launched) return base::fail(launched.error());
  return process;
}

Subprocess::Subprocess(event::EventLoop& loop, Options options, Events events)
    : loop_(loop),
      options_(std::move(options)),
      events_(std::move(events)),
      output_(options_.kept_bytes),
      started_(Clock::now()),
      deadline_(loop),
      step_timer_(loop) {}

Subprocess::~Subprocess() {
  if (child_) child_->kill_group(SIGKILL);
}

base::Result<void> Subprocess::launch() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::fail_errno("opening a pipe");
  read_end_.reset(ends[0]);
  base::UniqueFd write_end(ends[1]);
  ::fcntl(read_end_.get(), F_SETFL, O_NONBLOCK);

  event::ChildProcess::Spawn what;
  what.argv = {"bash", "-c", options_.command};
  what.directory = options_.directory;
  what.own_session = true;
  auto stdin_end = open_input();
  if (!stdin_end) return base::fail(stdin_end.error());
  what.stdin_fd = stdin_end->get();
  // One pipe for both streams keeps their order.
  what.stdout_fd = what.stderr_fd = write_end.get();
  auto child = event::ChildProcess::spawn(loop_, what, [this](event::ExitStatus status) { on_exit(status); });
  if (!child) return base::fail(child.error());
  child_ = std::move(*child);
  watch_.emplace(loop_, read_end_.get(), event::kRead, [this](event::Readiness) { read_output(); });
  if (input_end_)
    input_watch_.emplace(loop_, input_end_.get(), event::kWrite, [this](event::Readiness) { write_input(); });
  deadline_.start(options_.timeout, [this] {
    timed_out_ = true;
    stop();
  });
  return {};
}

base::Result<base::UniqueFd> Subprocess::open_input() {
  if (options_.input.empty()) return base::UniqueFd();
  int ends[2];
  // A socket: unlike a pipe it can be written to without SIGPIPE when the command does not read.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return base::fail_errno("opening a pipe");
  base::UniqueFd read_end(ends[0]);
  input_end_.reset(ends[1]);
  ::fcntl(input_end_.get(), F_SETFL, O_NONBLOCK);
  return read_end;
}

void Subprocess::write_input() {
  const std::string_view rest = std::string_view(options_.input).substr(input_sent_);
  const ssize_t count = ::send(input_end_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count > 0) input_sent_ += static_cast<std::size_t>(count);
  if (count > 0 && input_sent_ < options_.input.size()) return;
  input_watch_.reset();
  input_end_.reset();
}

void Subprocess::read_output() {
  std::array<char, 16 * 1024> buffer;
  const ssize_t count = ::read(read_end_.get(), buffer.data(), buffer.size());
  if (count > 0) {
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(count));
    output_.append(bytes);
    if (events_.on_output) events_.on_output(bytes);  // May destroy this.
    return;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  output_ended_ = true;
  watch_.reset();
  if (status_) finish();
}

void Subprocess::on_exit(event::ExitStatus status) {
  status_ = status;
  deadline_.stop();  // It ended in time, however long its last words take.
  if (output_ended_) return finish();
  step_timer_.start(kLastWords, [this] { finish(); });
}

void Subprocess::finish() {
  step_timer_.stop();
  watch_.reset();
  input_watch_.reset();
  CommandResult result;
  result.output = output_.text();
  result.total_bytes = output_.total_bytes();
  result.truncated = output_.truncated();
  if (status_->signal == 0) result.exit_code = status_->code;
  result.signal = status_->signal;
  result.timed_out = timed_out_;
  result.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
  if (auto done = std::exchange(events_.on_done, nullptr)) done(std::move(result));
}

void Subprocess::stop() {
  // When it has ended, the timer waits for its last words; when it is being stopped, a further call must not begin
  // anew.
  if (status_ || step_timer_.active()) return;
  child_->take_group_along();
  escalate(0);
}

void Subprocess::escalate(int step) {
  child_->kill_group(kStopSignals[step]);
  if (step + 1 < static_cast<int>(std::size(kStopSignals)))
    step_timer_.start(options_.escalation, [this, step] { escalate(step + 1); });
}

}  // namespace local_exec
