#include "tests/support/sshd.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/unique_fd.h"
#include "tests/support/eventually.h"
#include "tests/support/free_port.h"
#include "tests/support/run_program.h"

namespace support {
namespace {

bool listens(int port) {
  const base::UniqueFd probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return connect(probe.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

void collect_children(pid_t pid, std::vector<pid_t>& into) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  for (pid_t child; file >> child;) {
    into.push_back(child);
    collect_children(child, into);
  }
}

}  // namespace

bool wait_until_listening(int port) {
  return eventually([port] { return listens(port); });
}

std::string current_user() {
  return getpwuid(getuid())->pw_name;
}

std::string make_key(const TempDir& dir, const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{"ssh-keygen", "-q", "-C", "test", "-f", dir / name};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  bool has_type = false, has_passphrase = false;
  for (const auto& word : arguments) {
    has_type = has_type || word == "-t";
    has_passphrase = has_passphrase || word == "-N";
  }
  if (!has_type) argv.insert(argv.end(), {"-t", "ed25519"});
  if (!has_passphrase) argv.insert(argv.end(), {"-N", ""});
  if (const auto made = run_program(argv); made.exit_code != 0) throw std::runtime_error("ssh-keygen: " + made.errors);
  return dir / name;
}

std::string public_half(const std::string& key_path) {
  const std::string line = read_text(key_path + ".pub");
  return line.substr(0, line.find(' ', line.find(' ') + 1));
}

Sshd::Sshd(Options options) : options_(std::move(options)), port_(free_port()) {
  dir_.write(options_.dropbear ? "home/.ssh/authorized_keys" : "authorized_keys", "");
  for (const auto& type : options_.host_keys) make_key(dir_, "host_" + type, {"-t", type});
  if (getuid() == 0)
    mkdir("/run/sshd", 0755);  // Where sshd's unprivileged half lives; made at boot where it is a service.
  write_config();
  launch();
}

Sshd::~Sshd() {
  auto all = children();
  kill(pid_, SIGKILL);
  for (const pid_t child : all) kill(child, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Sshd::can_hide_files() {
  return getuid() == 0 &&
         run_program({"unshare", "-m", "mount", "--bind", "/etc/hostname", "/etc/hostname"}).exit_code == 0;
}

void Sshd::write_config() {
  std::string text = options_.config + "\n";
  for (const auto& type : options_.host_keys) text += "HostKey " + host_key_path(type) + "\n";
  text += "Port " + std::to_string(port_) + "\nListenAddress 127.0.0.1\nPidFile none\nStrictModes no\nUsePAM no\n" +
          "AuthorizedKeysFile " + (dir_ / "authorized_keys") +
          "\nPermitRootLogin yes\nPrintMotd no\nLogLevel VERBOSE\n" + "PasswordAuthentication " +
          (options_.password.empty() ? "no" : "yes") +
          "\nKbdInteractiveAuthentication no\nAcceptEnv JMS_* LANG LC_*\nMaxStartups 100\n";
  // The tests are not to hang on what the user who runs them has in ~/.bashrc.
  text += "SetEnv HOME=" + dir_.path() + "\n";
  dir_.write("sshd_config", text);
}

/// Only root may give a terminal to the group "tty"; the loader reads a blank in a path as its end, so a link is named.
std::string Sshd::without_tty_group() const {
#ifdef JMS_NO_TTY_GROUP  // The benches, which compile this file too, have none.
  if (getuid() == 0) return {};
  const std::string link = dir_ / "no_tty_group.so";
  if (symlink(JMS_NO_TTY_GROUP, link.c_str()) != 0) throw std::runtime_error("no link to " JMS_NO_TTY_GROUP);
  return "LD_PRELOAD=" + link + " ";
#else
  return {};
#endif
}

std::vector<std::string> Sshd::command() const {
  if (options_.dropbear) {
    std::string line = "mount --bind " + (dir_ / "home") + " " + getpwuid(getuid())->pw_dir +
                       " && exec dropbear -F -E -p 127.0.0.1:" + std::to_string(port_);
    for (const auto& type : options_.host_keys) {
      const std::string converted = dir_ / ("dropbear_" + type);
      run_program({"dropbearconvert", "openssh", "dropbear", host_key_path(type), converted});
      line += " -r " + converted;
    }
    return {"unshare", "-m", "sh", "-c", line};
  }
  const std::string sshd = "/usr/sbin/sshd -D -e -f " + (dir_ / "sshd_config");
  if (options_.password.empty()) return {"sh", "-c", without_tty_group() + "exec " + sshd};
  const auto hash = run_program({"openssl", "passwd", "-6", options_.password}).output;
  dir_.write("shadow", current_user() + ":" + hash.substr(0, hash.find('\n')) + ":19000:0:99999:7:::\n");
  return {"unshare", "-m", "sh", "-c", "mount --bind " + (dir_ / "shadow") + " /etc/shadow && exec " + sshd};
}

void Sshd::launch() {
  const auto argv = command();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // A test that crashes leaves no server behind.
    const int log = open((dir_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(log, 2);
    std::vector<char*> words;
    for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  if (!wait_until_listening(port_)) throw std::runtime_error("the SSH server does not start: " + log());
}

void Sshd::authorize(const std::string& key_path) const {
  std::ofstream(dir_ / (options_.dropbear ? "home/.ssh/authorized_keys" : "authorized_keys"), std::ios::app)
      << public_half(key_path) << "\n";
}

std::string Sshd::known_hosts_lines() const {
  std::string text;
  for (const auto& type : options_.host_keys)
    text += "[127.0.0.1]:" + std::to_string(port_) + " " + public_half(host_key_path(type)) + "\n";
  return text;
}

std::vector<pid_t> Sshd::children() const {
  std::vector<pid_t> all;
  collect_children(pid_, all);
  return all;
}

void Sshd::signal_connections(int number) const {
  for (const pid_t child : children()) kill(child, number);
}

void Sshd::die() const {
  const auto serving = children();  // Asked first: a dead listener has no children any more.
  kill(pid_, SIGKILL);
  siginfo_t gone{};  // Awaited: who sees a connection die and comes back at once is to find nobody.
  waitid(P_PID, static_cast<id_t>(pid_), &gone, WEXITED | WNOWAIT);
  for (const pid_t child : serving) kill(child, SIGKILL);
}

}  // namespace support
