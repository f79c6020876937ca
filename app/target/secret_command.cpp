#include "app/target/secret_command.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace app {
namespace {

constexpr std::chrono::seconds kTimeForASecret(30);

}  // namespace

base::Result<std::unique_ptr<SecretCommand>> SecretCommand::start(event::EventLoop& loop, const std::string& command,
                                                                  Done done) {
  std::unique_ptr<SecretCommand> started(new SecretCommand(loop, std::move(done)));
  if (auto launched = started->launch(command); !launched) return base::fail(launched.error());
  return started;
}

SecretCommand::SecretCommand(event::EventLoop& loop, Done done)
    : loop_(loop), done_(std::move(done)), deadline_(loop) {}

SecretCommand::~SecretCommand() {
  if (child_) child_->kill_group(SIGKILL);
}

base::Result<void> SecretCommand::launch(const std::string& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::fail_errno("opening a pipe");
  read_end_.reset(ends[0]);
  const base::UniqueFd write_end(ends[1]);
  ::fcntl(read_end_.get(), F_SETFL, O_NONBLOCK);
  event::ChildProcess::Spawn what;
  what.argv = {"/bin/sh", "-c", command};
  what.own_session = true;
  what.stdout_fd = write_end.get();
  auto child = event::ChildProcess::spawn(loop_, what, [this](event::ExitStatus status) {
    status_ = status;
    read();
  });
  if (!child) return base::fail(child.error());
  child_ = std::move(*child);
  watch_.emplace(loop_, read_end_.get(), event::kRead, [this](event::Readiness) { read(); });
  deadline_.start(kTimeForASecret, [this] { finish(base::fail("took longer than 30 seconds")); });
  return {};
}

void SecretCommand::read() {
  std::array<char, 1024> buffer;
  while (!output_ended_) {
    const ssize_t count = ::read(read_end_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count <= 0) {
      output_ended_ = true;
      watch_.reset();
      break;
    }
    const auto size = static_cast<std::size_t>(count);
    too_long_ = too_long_ || printed_.view().size() + size > transport::Secret::kLongest;
    if (!too_long_) printed_.append({buffer.data(), size});
    explicit_bzero(buffer.data(), buffer.size());
  }
  finish_when_both_ended();
}

/// What a background process holds open does not count: the secret is there when the command has ended.
void SecretCommand::finish_when_both_ended() {
  if (!status_) return;
  if (status_->signal != 0) return finish(base::fail("was ended by a signal"));
  if (status_->code != 0) return finish(base::fail("failed with exit code " + std::to_string(status_->code)));
  if (too_long_) return finish(base::fail("printed more than a secret"));
  while (!printed_.empty() && (printed_.view().back() == '\n' || printed_.view().back() == '\r'))
    printed_.remove_last();
  if (printed_.empty()) return finish(base::fail("printed nothing"));
  finish(std::move(printed_));
}

void SecretCommand::finish(base::Result<transport::Secret> outcome) {
  watch_.reset();
  deadline_.stop();
  if (const Done done = std::exchange(done_, nullptr)) done(std::move(outcome));
}

}  // namespace app
