#include "tests/support/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "base/unique_fd.h"
#include "tests/support/c_strings.h"

namespace support {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Pipe() {
    std::array<int, 2> fds{};
    if (::pipe2(fds.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read.reset(fds[0]);
    write.reset(fds[1]);
  }
  base::UniqueFd read;
  base::UniqueFd write;
};

/// Adds what is there; closes the descriptor at its end.
void read_into(std::string& text, base::UniqueFd& fd) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  if (count == 0) fd.reset();
}

void write_from(std::string& text, base::UniqueFd& fd) {
  const ssize_t count = text.empty() ? 0 : ::write(fd.get(), text.data(), std::min<std::size_t>(text.size(), 4096));
  if (count > 0) text.erase(0, static_cast<std::size_t>(count));
  if (count < 0 || text.empty()) fd.reset();
}

}  // namespace

CommandOutput run_command(const Command& command) {
  Pipe in, out, err;
  const auto argv = c_strings(command.argv);
  const auto environment = c_strings(command.environment);
  ::signal(SIGPIPE, SIG_IGN);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    // Without a session of its own it could still open the test's /dev/tty.
    ::setsid();
    ::dup2(in.read.get(), 0);
    ::dup2(out.write.get(), 1);
    ::dup2(err.write.get(), 2);
    ::execvpe(argv[0], argv.data(), environment.data());
    ::_exit(127);
  }
  in.read.reset();
  out.write.reset();
  err.write.reset();

  CommandOutput result;
  std::string input = command.input;
  const auto deadline = Clock::now() + command.limit;
  if (input.empty()) in.write.reset();
  while (out.read || err.read) {
    std::array<pollfd, 3> fds{{{in.write.get(), POLLOUT, 0}, {out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || ::poll(fds.data(), fds.size(), static_cast<int>(left)) == 0) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
      return result;
    }
    if (fds[0].revents) write_from(input, in.write);
    if (fds[1].revents) read_into(result.out, out.read);
    if (fds[2].revents) read_into(result.err, err.read);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  result.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace support
