#include "support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "base/unique_fd.h"

namespace support {
namespace {

struct Pipe {
  base::UniqueFd read_end, write_end;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

void collect(base::UniqueFd& fd, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
  if (count <= 0)
    fd.reset();
  else
    into.append(buffer.data(), static_cast<std::size_t>(count));
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& argv, const std::string& input) {
  Pipe in, out, err;
  const pid_t child = fork();
  if (child == 0) {
    dup2(in.read_end.get(), 0);
    dup2(out.write_end.get(), 1);
    dup2(err.write_end.get(), 2);
    std::vector<char*> words;
    for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  in.read_end.reset();
  out.write_end.reset();
  err.write_end.reset();
  (void)!::write(in.write_end.get(), input.data(), input.size());
  in.write_end.reset();
  ProgramResult result;
  while (out.read_end || err.read_end) {
    pollfd watched[2] = {{out.read_end.get(), POLLIN, 0}, {err.read_end.get(), POLLIN, 0}};
    poll(watched, 2, -1);
    if (watched[0].revents != 0) collect(out.read_end, result.output);
    if (watched[1].revents != 0) collect(err.read_end, result.errors);
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace support
