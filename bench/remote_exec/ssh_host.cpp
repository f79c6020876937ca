#include "bench/remote_exec/ssh_host.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <stdexcept>
#include <thread>

#include "bench/remote_exec/typist.h"

namespace bench {

// With an empty home, or bash would read the user's ~/.bashrc for each `ssh host true`.
SshHost::SshHost() : sshd_({.config = "LogLevel ERROR\nSetEnv HOME=" + home_.path()}) {
  unsetenv("SSH_AUTH_SOCK");
  const std::string key = support::make_key(home_, "id");
  sshd_.authorize(key);
  const std::string known = home_.write("known_hosts", sshd_.known_hosts_lines());
  config_ = home_.write("config", "Host bench\n HostName 127.0.0.1\n Port " + std::to_string(sshd_.port()) +
                                      "\n User " + support::current_user() + "\n IdentityFile " + key +
                                      "\n IdentitiesOnly yes\n StrictHostKeyChecking yes\n UserKnownHostsFile " +
                                      known + "\n GlobalKnownHostsFile none\n LogLevel ERROR\n ControlPath " +
                                      (home_ / "master") + "\n");
  master_ = spawn_ssh({"-o", "ControlMaster=yes", "-N", "bench"});
  for (int i = 0; i < 500; ++i) {
    int status = 0;
    waitpid(spawn_ssh({"-O", "check", "bench"}), &status, 0);
    if (status == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw std::runtime_error("ssh opens no ControlMaster connection");
}

SshHost::~SshHost() {
  kill(master_, SIGTERM);
  waitpid(master_, nullptr, 0);
}

pid_t SshHost::spawn_ssh(const std::vector<std::string>& arguments) const {
  std::vector<std::string> argv{"ssh", "-F", config_};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (auto& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, "ssh", &quiet, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) throw std::runtime_error("ssh cannot be started");
  return child;
}

double SshHost::over_control_master(const std::string& command) const {
  const auto begun = Clock::now();
  int status = 0;
  waitpid(spawn_ssh({"bench", command}), &status, 0);
  if (status != 0) throw std::runtime_error("ssh over the ControlMaster connection failed");
  return micros(Clock::now() - begun);
}

std::vector<std::string> SshHost::openssh(const std::string& command) const {
  return {"ssh", "-F", config_, "-o", "ControlPath=none", "-tt", "bench", command};
}

std::unique_ptr<transport::Transport> SshHost::open(event::EventLoop& loop, const std::string& command) {
  transport::SshTransport::Target target;
  target.destination = {"bench", "", 0};
  target.config.home = home_.path();
  target.config.config_file = config_;
  target.engine = transport::EngineChoice::libssh2;
  target.size = {24, 80};
  target.command = command;
  return std::make_unique<transport::SshTransport>(loop, std::move(target), nobody_, transport::SshTransport::Hooks{});
}

}  // namespace bench
