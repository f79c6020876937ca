#include "tests/integration/skills/made_up_host.h"

#include <filesystem>
#include <regex>
#include <stdexcept>

#include "tests/support/free_port.h"
#include "tests/support/run_command.h"

namespace skills_test {
namespace {

namespace fs = std::filesystem;
constexpr const char* kPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Programs that ask a running system, and what they say on one that is well and on one that is not.
struct Played {
  const char* name;
  const char* well;
  const char* ill;
};
constexpr Played kPlayed[] = {
    {"systemctl",
     "[ \"$1\" = is-system-running ] && echo running; [ \"$1\" = list-timers ] && echo certbot.timer; true",
     "[ \"$1\" = --failed ] && echo 'db.service loaded failed failed Database'; [ \"$1\" != is-system-running ]"},
    {"journalctl", "echo '-- No entries --'", "echo 'db.service: Scheduled restart job, restart counter is at 5.'"},
    {"ss", "echo 'LISTEN 0 128 0.0.0.0:22 0.0.0.0:*'", "echo 'LISTEN 0 128 0.0.0.0:22 0.0.0.0:*'"},
    {"ip", "echo 'default via 192.0.2.1 dev eth0'", "[ \"$1\" = -o ] && echo '1: lo inet 127.0.0.1/8'; true"},
    {"df",
     "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/sda1 100 30 70 30% /'; echo 'tmpfs "
     "100 1 99 1% /run'",
     "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/sda1 100 97 3 97% /'; echo 'tmpfs "
     "100 91 9 91% /run'"},
    {"ps", "echo '%CPU PID USER COMMAND'; echo '1.0 1 root init'", "echo '%CPU PID USER COMMAND'; echo '99 7 root db'"},
};

/// Where this machine has a program that every Debian with this repository's packages has. Those of net-tools are not
/// among them: the made-up hosts are too new for them, whatever stands here.
std::string where_is(const std::string& tool) {
  if (tool == "ifconfig" || tool == "netstat" || tool == "route") return {};
  for (const char* folder : {"/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"})
    if (fs::exists(fs::path(folder) / tool)) return fs::path(folder) / tool;
  return {};
}

support::CommandOutput run_plainly(std::vector<std::string> argv, const std::string& path = kPath,
                                   const std::string& home = "/") {
  return support::run_command({.argv = std::move(argv), .environment = {"PATH=" + path, "HOME=" + home}});
}

}  // namespace

MadeUpHost::MadeUpHost(Health health) : health_(health) {
  for (const char* folder : {"home", "bin", "host/var/log", "host/var/lib", "host/etc/cron.d", "host/proc/1/fd"})
    fs::create_directories(folder_.file(folder));
  add_system_files(health);
  add_certificate("/etc/ssl/certs/ssl-cert-snakeoil.pem", health == Health::well ? 400 : 3);
}

void MadeUpHost::write(const std::string& path, const std::string& text) const {
  folder_.write("host" + path, text, 0644);
}

void MadeUpHost::add_certificate(const std::string& path, int days) const {
  const std::string file = folder_.file("host" + path);
  fs::create_directories(fs::path(file).parent_path());
  const auto made =
      run_plainly({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                   "-keyout", "/dev/null", "-subj", "/CN=made-up", "-days", std::to_string(days), "-out", file});
  if (made.code != 0) throw std::runtime_error("openssl made no certificate: " + made.err);
}

void MadeUpHost::add_system_files(Health health) const {
  const bool well = health == Health::well;
  write("/proc/cpuinfo", "processor\t: 0\nprocessor\t: 1\n");
  write("/proc/loadavg", well ? "0.20 0.10 0.05 1/100 4242\n" : "40.1 39.0 20.0 9/100 4242\n");
  write("/proc/stat",
        well ? "cpu  90 0 10 900 0 0 0 0 0 0\nprocs_blocked 0\n" : "cpu  10 0 10 80 900 0 0 0 0 0\nprocs_blocked 9\n");
  write("/proc/meminfo", well ? "MemTotal: 1000000 kB\nMemAvailable: 700000 kB\nSwapTotal: 1000 kB\nSwapFree: 1000 kB\n"
                              : "MemTotal: 1000000 kB\nMemAvailable: 10000 kB\nSwapTotal: 1000 kB\nSwapFree: 1 kB\n");
  write("/proc/vmstat", well ? "oom_kill 0\n" : "oom_kill 3\n");
  write("/proc/mounts", well ? "/dev/sda1 / ext4 rw,relatime 0 0\n" : "/dev/sda1 / ext4 ro,relatime 0 0\n");
  write("/proc/1/status", well ? "Name:\tinit\nState:\tS (sleeping)\nPid:\t1\nVmRSS:\t1000 kB\n"
                               : "Name:\tdb\nState:\tD (disk sleep)\nPid:\t1\nVmRSS:\t900000 kB\n");
  for (const char* kind : {"cpu", "io", "memory"})
    write(std::string("/proc/pressure/") + kind, "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
  write("/proc/net/dev", std::string("Inter-| Receive\n face |bytes\n  eth0: 100 1 ") + (well ? "0" : "5000") +
                             " 0 0 0 0 0 100 1 0 0 0 0 0 0\n");
  write("/proc/net/route", std::string("Iface\tDestination\tGateway\n") + (well ? "eth0\t00000000\t010200C0\n" : ""));
  if (well) write("/etc/cron.d/certbot", "0 */12 * * * root certbot -q renew\n");
  write("/proc/net/sockstat", "sockets: used 10\n");
  write("/proc/net/tcp", "  sl  local_address\n   0: 00000000:0016\n");
  write("/proc/net/fib_trie", "Main:\n  +-- 0.0.0.0/0\n");
  write("/sys/class/net/eth0/operstate", well ? "up\n" : "down\n");
  write("/etc/resolv.conf", well ? "nameserver 192.0.2.53\n" : "# nothing\n");
  write("/var/log/syslog", "Jan 1 00:00:00 made-up systemd[1]: a line\n");
}

void MadeUpHost::install(const std::vector<std::string>& tools) {
  for (const auto& tool : tools) {
    if (fs::exists(folder_.file("bin/" + tool))) continue;
    const Played* played = nullptr;
    for (const auto& one : kPlayed)
      if (tool == one.name) played = &one;
    if (played)
      folder_.write("bin/" + tool,
                    std::string("#!/bin/sh\n") + (health_ == Health::well ? played->well : played->ill) + "\n", 0755);
    else if (const auto real = where_is(tool); !real.empty())
      fs::create_symlink(real, folder_.file("bin/" + tool));
  }
}

void MadeUpHost::remove(const std::string& tool) {
  fs::remove(folder_.file("bin/" + tool));
}

void MadeUpHost::install_busybox() {
  if (run_plainly({"busybox", "--install", "-s", folder_.file("bin")}).code != 0)
    throw std::runtime_error("busybox cannot be installed");
}

std::string MadeUpHost::at_home(const std::string& command) const {
  static const std::regex kPlaces(R"((^|[\s"'=<(])/(etc|var|proc|sys)(?=[/\s;]|$))");
  static const int kNobodyListens = support::free_port();
  const auto moved = std::regex_replace(command, kPlaces, "$1" + folder_.file("host") + "/$2");
  return std::regex_replace(moved, std::regex("127\\.0\\.0\\.1:443"), "127.0.0.1:" + std::to_string(kNobodyListens));
}

MadeUpHost::Outcome MadeUpHost::run(const std::string& shell, const std::string& command) const {
  const std::string home = folder_.file("home");
  const std::string step = folder_.write("step", at_home(command) + "\n");
  const auto ran = run_plainly({"/bin/sh", "-c", "cd \"$HOME\" && exec /usr/bin/timeout 60 " + shell + " \"$0\"", step},
                               folder_.file("bin"), home);
  return {{ran.out, ran.code, {}}, ran.err, !fs::is_empty(home)};
}

}  // namespace skills_test
