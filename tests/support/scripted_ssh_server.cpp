#include "tests/support/scripted_ssh_server.h"

#include <libssh/libssh.h>
#include <libssh/server.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <utility>

#include "tests/support/free_port.h"
#include "tests/support/sshd.h"

// The replacement is a callback with a loop of libssh's own, which is more than a script needs.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace support {
namespace {

using Script = ScriptedSshServer::Script;

/// One client's way through the script.
class SignIn {
 public:
  SignIn(ssh_session session, const Script& script, std::string log)
      : session_(session), script_(script), log_(std::move(log)) {
    offer();
  }

  /// True when the client is in.
  bool handle(ssh_message message) {
    const int method = ssh_message_subtype(message);
    if (method == SSH_AUTH_METHOD_PASSWORD && !script_.password.empty() && !password_done_)
      return check_password(message);
    if (method == SSH_AUTH_METHOD_INTERACTIVE && !script_.rounds.empty() && may_ask()) return ask(message);
    offer();
    ssh_message_reply_default(message);
    return false;
  }

 private:
  bool may_ask() const { return !script_.password_first || password_done_; }

  void offer() {
    int methods = 0;
    if (!script_.password.empty() && !password_done_) methods |= SSH_AUTH_METHOD_PASSWORD;
    if (!script_.rounds.empty() && may_ask()) methods |= SSH_AUTH_METHOD_INTERACTIVE;
    ssh_set_auth_methods(session_, methods);
  }

  void note(const std::string& what) const { std::ofstream(log_, std::ios::app) << what << "\n"; }

  bool check_password(ssh_message message) {
    note(std::string("password ") + ssh_message_auth_password(message));
    if (script_.password != ssh_message_auth_password(message)) {
      ssh_message_reply_default(message);
      return false;
    }
    password_done_ = true;
    offer();
    ssh_message_auth_reply_success(message, script_.password_first ? 1 : 0);
    return !script_.password_first;
  }

  bool ask(ssh_message message) {
    if (ssh_message_auth_kbdint_is_response(message) != 0) {
      const auto& prompts = script_.rounds[round_];
      for (int i = 0; i < ssh_userauth_kbdint_getnanswers(session_); ++i)
        note(std::string("answer ") + ssh_userauth_kbdint_getanswer(session_, static_cast<unsigned>(i)));
      bool right = ssh_userauth_kbdint_getnanswers(session_) == static_cast<int>(prompts.size());
      for (unsigned i = 0; right && i < prompts.size(); ++i)
        right = prompts[i].answer == ssh_userauth_kbdint_getanswer(session_, i);
      if (!right) {
        round_ = 0;
        ssh_message_reply_default(message);
        return false;
      }
      if (++round_ == script_.rounds.size()) {
        ssh_message_auth_reply_success(message, 0);
        return true;
      }
    } else {
      round_ = 0;
    }
    std::vector<const char*> texts;
    std::string echo;
    for (const auto& prompt : script_.rounds[round_]) {
      texts.push_back(prompt.text.c_str());
      echo += prompt.echo ? '\1' : '\0';
    }
    ssh_message_auth_interactive_request(message, "Check", script_.instruction.c_str(),
                                         static_cast<unsigned>(texts.size()), texts.data(), echo.data());
    return false;
  }

  ssh_session session_;
  const Script& script_;
  std::string log_;
  bool password_done_ = false;
  std::size_t round_ = 0;
};

/// Says "welcome" to whatever is started, and ends it with code 9.
void serve_channel(ssh_session session) {
  ssh_channel channel = nullptr;
  while (ssh_message message = ssh_message_get(session)) {
    const int type = ssh_message_type(message), subtype = ssh_message_subtype(message);
    if (type == SSH_REQUEST_CHANNEL_OPEN && subtype == SSH_CHANNEL_SESSION) {
      channel = ssh_message_channel_request_open_reply_accept(message);
    } else if (type == SSH_REQUEST_CHANNEL &&
               (subtype == SSH_CHANNEL_REQUEST_SHELL || subtype == SSH_CHANNEL_REQUEST_EXEC)) {
      ssh_message_channel_request_reply_success(message);
      ssh_channel_write(channel, "welcome\r\n", 9);
      ssh_channel_request_send_exit_status(channel, 9);
      ssh_channel_send_eof(channel);
      ssh_channel_close(channel);
    } else if (type == SSH_REQUEST_CHANNEL && subtype == SSH_CHANNEL_REQUEST_PTY) {
      ssh_message_channel_request_reply_success(message);
    } else {
      ssh_message_reply_default(message);
    }
    ssh_message_free(message);
  }
}

[[noreturn]] void serve(int port, const std::string& host_key, const Script& script, const std::string& log) {
  signal(SIGCHLD, SIG_IGN);
  ssh_bind bind = ssh_bind_new();
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_BINDADDR, "127.0.0.1");
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_BINDPORT, &port);
  ssh_bind_options_set(bind, SSH_BIND_OPTIONS_HOSTKEY, host_key.c_str());
  if (ssh_bind_listen(bind) != SSH_OK) _exit(1);
  while (true) {
    ssh_session session = ssh_new();
    if (ssh_bind_accept(bind, session) != SSH_OK) continue;
    if (fork() != 0) {
      ssh_free(session);  // The child's copy goes on.
      continue;
    }
    if (ssh_handle_key_exchange(session) != SSH_OK) _exit(1);
    SignIn sign_in(session, script, log);
    while (ssh_message message = ssh_message_get(session)) {
      bool in = false;
      if (ssh_message_type(message) == SSH_REQUEST_AUTH)
        in = sign_in.handle(message);
      else
        ssh_message_reply_default(message);
      ssh_message_free(message);
      if (in) serve_channel(session);
    }
    _exit(0);
  }
}

}  // namespace

ScriptedSshServer::ScriptedSshServer(const Script& script) : port_(free_port()) {
  make_key(dir_, "host");
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    serve(port_, dir_ / "host", script, dir_ / "given");
  }
  wait_until_listening(port_);
}

ScriptedSshServer::~ScriptedSshServer() {
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::string ScriptedSshServer::known_hosts_line() const {
  return "[127.0.0.1]:" + std::to_string(port_) + " " + public_half(host_key_path()) + "\n";
}

std::vector<std::string> ScriptedSshServer::given() const {
  std::vector<std::string> lines;
  std::ifstream log(dir_ / "given");
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  return lines;
}

}  // namespace support
