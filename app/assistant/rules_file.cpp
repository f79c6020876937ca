#include "app/assistant/rules_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <cerrno>
#include <filesystem>
#include <sstream>

#include "app/config/config.h"
#include "app/config/config_tables.h"
#include "base/unique_fd.h"
#include "base/write_all.h"

namespace app {
namespace {

base::Result<void> check_owner(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return base::fail_errno("looking at " + path);
  if (info.st_uid != ::geteuid()) return base::fail(path + " belongs to someone else; its rules are not used");
  if ((info.st_mode & 022) != 0)
    return base::fail(path + " can be written by others; run `chmod 600 " + path + "` after looking at its rules");
  return {};
}

std::string as_toml(const safety::Rule& rule) {
  toml::table entry{{"action", std::string(safety::name_of(rule.action))},
                    {"command", rule.pattern},
                    {"host", rule.host},
                    {"tool", rule.tool}};
  std::ostringstream text;
  text << toml::table{{"rules", toml::array{std::move(entry)}}} << "\n\n";
  return text.str();
}

base::Result<void> append(const std::string& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::fail_errno("opening " + path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return base::fail("another jms is writing " + path + "; answer again");
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) return base::fail_errno("looking at " + path);
  auto written = base::write_all(file.get(), text, path);
  if (written && ::fsync(file.get()) != 0) written = base::fail_errno("writing " + path);
  // Half a table would keep jms from starting again.
  if (!written && ::ftruncate(file.get(), before.st_size) != 0) return base::fail_errno("mending " + path);
  return written;
}

}  // namespace

std::string default_rules_path() {
  return (std::filesystem::path(default_config_path()).parent_path() / "rules.toml").string();
}

base::Result<std::vector<safety::Rule>> load_rules(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return std::vector<safety::Rule>();
  if (auto owned = check_owner(path); !owned) return base::fail(owned.error());
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    return base::fail(path + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
  Config rules;
  for (const auto& [key, node] : table) {
    if (key.str() != "rules") return base::fail(path + ": unknown key `" + std::string(key.str()) + "`");
    if (auto read = set_rules(rules, node); !read) return base::fail(path + ": " + read.error().message);
  }
  return rules.rules;
}

base::Result<void> save_rule(const std::string& path, const safety::Rule& rule) {
  safety::PermissionRules trial;
  if (auto kept = trial.add(rule); !kept) return kept;
  // A file that cannot be read would hide the new rule too.
  const auto before = load_rules(path);
  if (!before) return base::fail(before.error());
  for (const auto& known : *before)
    if (known == rule) return {};
  return append(path, as_toml(rule));
}

std::string describe(const safety::Rule& rule) {
  return std::string(safety::name_of(rule.action)) + " " + rule.tool + " \"" + rule.pattern + "\" on " + rule.host;
}

}  // namespace app
