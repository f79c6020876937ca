#include "tests/support/test_env.h"

#include <cstdlib>
#include <filesystem>

namespace support {

TestEnv::TestEnv() {
  set("HOME", home_.path());
  set("XDG_CONFIG_HOME", home_.file("config"));
  set("XDG_STATE_HOME", home_.file("state"));
  set("XDG_RUNTIME_DIR", home_.file("run"));
  set("TMPDIR", home_.path());
  set("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
  set("SHELL", "/bin/sh");
  set("PS1", "$ ");
  set("LANG", "C.UTF-8");
  set("INPUTRC", "/dev/null");
  set("TERM", "xterm-256color");
  for (const char* sanitizer : {"ASAN_OPTIONS", "UBSAN_OPTIONS"}) {
    if (const char* value = std::getenv(sanitizer)) set(sanitizer, value);
  }
  // A login shell reads /etc/profile, which sets root's prompt to "# ".
  for (const char* file : {".profile", ".bash_profile", ".bashrc"}) home_.write(file, "PS1='$ '\n");
  home_.write(".vimrc", "set nocompatible noswapfile nobackup viminfo= shortmess+=I\n");
  std::filesystem::create_directories(home_.file("run"));
}

TestEnv& TestEnv::set(std::string_view name, std::string_view value) {
  unset(name);
  variables_.push_back(std::string(name) + "=" + std::string(value));
  return *this;
}

TestEnv& TestEnv::unset(std::string_view name) {
  const std::string prefix = std::string(name) + "=";
  std::erase_if(variables_, [&](const std::string& variable) { return variable.starts_with(prefix); });
  return *this;
}

std::string TestEnv::write_config(std::string_view toml) const {
  const std::string path = home_.write("config/jms/config.toml", toml);
  std::filesystem::permissions(home_.file("config/jms"), std::filesystem::perms::owner_all);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return path;
}

}  // namespace support
