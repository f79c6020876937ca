#include "safety/paths.h"

#include <algorithm>

namespace safety {
namespace {

bool under_any(std::string_view path, std::initializer_list<std::string_view> roots) {
  return std::any_of(roots.begin(), roots.end(), [&](std::string_view root) {
    return path == root || (path.starts_with(root) && path.substr(root.size()).starts_with('/'));
  });
}

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> tails) {
  return std::any_of(tails.begin(), tails.end(), [&](std::string_view tail) { return path.ends_with(tail); });
}

}  // namespace

bool is_device(std::string_view path) {
  if (!path.starts_with("/dev/")) return false;
  const auto name = path.substr(5);
  static constexpr std::string_view kHarmless[] = {"null", "stdout", "stderr", "stdin", "tty", "zero", "full"};
  return std::find(std::begin(kHarmless), std::end(kHarmless), name) == std::end(kHarmless) &&
         !name.starts_with("fd/") && !name.starts_with("shm/") && !name.starts_with("pts/");
}

bool is_persistence_path(std::string_view path) {
  if (under_any(path, {"/etc/passwd",     "/etc/shadow",      "/etc/group",      "/etc/gshadow",
                       "/etc/sudoers",    "/etc/sudoers.d",   "/etc/crontab",    "/etc/cron.d",
                       "/etc/cron.daily", "/etc/cron.hourly", "/var/spool/cron", "/etc/ld.so.preload",
                       "/etc/pam.d",      "/etc/ssh",         "/etc/fstab",      "/etc/systemd",
                       "/lib/systemd",    "/usr/lib/systemd", "/etc/init.d",     "/etc/rc.local",
                       "/etc/profile",    "/etc/profile.d",   "/boot",           "/etc/inittab",
                       "/etc/securetty",  "/etc/bash.bashrc", "/etc/environment"})) {
    return true;
  }
  return path.find("/.ssh/") != std::string_view::npos || path.starts_with(".ssh/") ||
         ends_with_any(path, {".bashrc", ".profile", ".bash_profile", ".zshrc", ".bash_login", ".zprofile", ".zshenv",
                              "authorized_keys"});
}

bool is_precious_path(std::string_view path) {
  return path == "/" || is_device(path) || is_persistence_path(path) ||
         under_any(path, {"/bin",     "/sbin",      "/lib",  "/lib64",   "/usr",         "/etc",    "/boot", "/var/lib",
                          "/var/log", "/var/spool", "/root", "/home",    "/srv",         "/opt",    "/sys",  "/proc",
                          "/dev",     "/data",      "/mnt",  "/var/www", "/var/backups", "/backup", "/var"});
}

Judgement judge_write_to(const Argument& target, bool append) {
  const std::string_view path = target.text;
  if (!target.known || target.glob) {
    if (path.starts_with("/dev/sd") || path.starts_with("/dev/nvme") || path.starts_with("/dev/vd"))
      return destroys("writes to a disk");
    return changes("writes to a file whose name is computed");
  }
  if (path == "/dev/null" || path == "/dev/stdout" || path == "/dev/stderr" || path == "/dev/tty") return reads();
  if (path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/")) return changes("opens a network connection");
  if (is_device(path)) return destroys("writes to the device " + target.text);
  if (path == "/proc/sysrq-trigger" || path.starts_with("/dev/mem")) return destroys("can stop the machine at once");
  if (is_persistence_path(path))
    return destroys("writes " + target.text + ", which decides who gets in or what starts");
  if (!append && path.starts_with("/var/log/")) return destroys("empties a log: " + target.text);
  if (!append && under_any(path, {"/bin", "/sbin", "/lib", "/usr/bin", "/usr/sbin", "/usr/lib", "/var/lib"})) {
    return destroys("overwrites " + target.text);
  }
  if (path.starts_with("/proc/") || path.starts_with("/sys/")) return changes("changes a kernel setting");
  return changes(append ? "appends to the file " + target.text : "writes the file " + target.text);
}

}  // namespace safety
