#include "tests/support/koko_ssh_server.h"

#include <fcntl.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

#include "tests/support/free_port.h"
#include "tests/support/sshd.h"

// The replacement is a callback with a loop of libssh's own, which is more than this needs.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace support {
namespace {

/// One client: its sign-in, then its shell.
class Visitor {
 public:
  Visitor(ssh_session session, std::string tokens, std::string log)
      : session_(session), tokens_(std::move(tokens)), log_(std::move(log)) {
    ssh_set_auth_methods(session_, SSH_AUTH_METHOD_PASSWORD | SSH_AUTH_METHOD_PUBLICKEY);
  }

  void serve() {
    bool in = false;
    while (ssh_message message = ssh_message_get(session_)) {
      if (!in && ssh_message_type(message) == SSH_REQUEST_AUTH)
        in = sign_in(message);
      else if (in)
        request(message);
      else
        ssh_message_reply_default(message);
      ssh_message_free(message);
      if (shell_ >= 0) return relay();
    }
  }

 private:
  bool sign_in(ssh_message message) {
    const int method = ssh_message_subtype(message);
    const std::string user = ssh_message_auth_user(message);
    const bool password = method == SSH_AUTH_METHOD_PASSWORD;
    if (!password && method != SSH_AUTH_METHOD_PUBLICKEY) return refuse(message);
    const bool right =
        user.starts_with("JMS-") && redeem(user.substr(4)) && password && value_ == ssh_message_auth_password(message);
    std::ofstream(log_, std::ios::app) << (password ? "password " : "publickey ") << user << (right ? " yes" : " no")
                                       << "\n";
    if (!right) return refuse(message);
    ssh_message_auth_reply_success(message, 0);
    return true;
  }

  static bool refuse(ssh_message message) {
    ssh_message_reply_default(message);
    return false;
  }

  /// The first try of any kind uses the token up.
  bool redeem(const std::string& id) {
    if (id.find('/') != std::string::npos) return false;
    const std::string path = tokens_ + "/" + id;
    std::ifstream file(path);
    if (!file) return false;
    std::getline(file, value_);
    ::unlink(path.c_str());
    return true;
  }

  void request(ssh_message message) {
    const int type = ssh_message_type(message), subtype = ssh_message_subtype(message);
    if (type == SSH_REQUEST_CHANNEL_OPEN && subtype == SSH_CHANNEL_SESSION) {
      channel_ = ssh_message_channel_request_open_reply_accept(message);
    } else if (type == SSH_REQUEST_CHANNEL && subtype == SSH_CHANNEL_REQUEST_PTY) {
      term_ = ssh_message_channel_request_pty_term(message);
      size_.ws_col = static_cast<unsigned short>(ssh_message_channel_request_pty_width(message));
      size_.ws_row = static_cast<unsigned short>(ssh_message_channel_request_pty_height(message));
      ssh_message_channel_request_reply_success(message);
    } else if (type == SSH_REQUEST_CHANNEL && subtype == SSH_CHANNEL_REQUEST_SHELL) {
      ssh_message_channel_request_reply_success(message);
      const std::string hello = "Connecting to root(root)@10.0.0.5  0.0\b\b\b0.1\r\n";
      ssh_channel_write(channel_, hello.data(), static_cast<unsigned>(hello.size()));
      start_shell();
    } else {
      ssh_message_reply_default(message);
    }
  }

  void start_shell() {
    pid_ = forkpty(&shell_, nullptr, nullptr, &size_);
    if (pid_ != 0) return;
    setenv("TERM", term_.c_str(), 1);
    setenv("PS1", "[root@web-01 ~]# ", 1);
    execl("/bin/sh", "sh", "-i", nullptr);
    _exit(127);
  }

  void relay() {
    std::array<char, 4096> buffer;
    while (ssh_channel_is_open(channel_) && !ssh_channel_is_eof(channel_)) {
      pollfd watched[2] = {{ssh_get_fd(session_), POLLIN, 0}, {shell_, POLLIN, 0}};
      poll(watched, 2, 50);
      if (::unlink((log_ + ".drop").c_str()) == 0) _exit(1);  // Without a word, as a network breaks.
      const int typed = ssh_channel_read_nonblocking(channel_, buffer.data(), buffer.size(), 0);
      if (typed > 0) (void)!::write(shell_, buffer.data(), static_cast<std::size_t>(typed));
      if (typed == SSH_ERROR) break;
      if ((watched[1].revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t count = ::read(shell_, buffer.data(), buffer.size());
      if (count <= 0) break;
      ssh_channel_write(channel_, buffer.data(), static_cast<unsigned>(count));
    }
    int status = 0;
    kill(pid_, SIGHUP);
    waitpid(pid_, &status, 0);
    ssh_channel_request_send_exit_status(channel_, WIFEXITED(status) ? WEXITSTATUS(status) : 255);
    ssh_channel_send_eof(channel_);
    ssh_channel_close(channel_);
  }

  ssh_session session_;
  std::string tokens_, log_, value_, term_ = "xterm";
  winsize size_{24, 80, 0, 0};
  ssh_channel channel_ = nullptr;
  int shell_ = -1;
  pid_t pid_ = -1;
};

[[noreturn]] void serve(int port, const std::string& host_key, const std::string& tokens, const std::string& log) {
  ssh_bind bind = ssh_bind_new();
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_BINDADDR, "127.0.0.1");
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_BINDPORT, &port);
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_HOSTKEY, host_key.c_str());
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_HOSTKEY_ALGORITHMS, "rsa-sha2-256,rsa-sha2-512");
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_BANNER, "JumpServer");
  if (ssh_bind_listen(bind) != SSH_OK) _exit(1);
  signal(SIGCHLD, SIG_IGN);
  while (true) {
    ssh_session session = ssh_new();
    if (ssh_bind_accept(bind, session) != SSH_OK) continue;
    if (fork() != 0) {
      ssh_free(session);  // The child's copy goes on.
      continue;
    }
    signal(SIGCHLD, SIG_DFL);
    if (ssh_handle_key_exchange(session) == SSH_OK) Visitor(session, tokens, log).serve();
    ssh_disconnect(session);
    _exit(0);
  }
}

}  // namespace

KokoSshServer::KokoSshServer(const std::string& tokens) : port_(free_port()) {
  make_key(dir_, "host", {"-t", "rsa", "-b", "2048"});
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    serve(port_, dir_ / "host", tokens, dir_ / "attempts");
  }
  wait_until_listening(port_);
}

KokoSshServer::~KokoSshServer() {
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void KokoSshServer::drop_client() const {
  std::ofstream(dir_ / "attempts.drop") << "now";
}

std::string KokoSshServer::known_hosts_line() const {
  std::ifstream key(dir_ / "host.pub");
  std::string kind, blob;
  key >> kind >> blob;
  return "[127.0.0.1]:" + std::to_string(port_) + " " + kind + " " + blob + "\n";
}

std::vector<std::string> KokoSshServer::attempts() const {
  std::vector<std::string> lines;
  std::ifstream log(dir_ / "attempts");
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  return lines;
}

}  // namespace support
