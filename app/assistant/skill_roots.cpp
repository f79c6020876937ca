#include "app/assistant/skill_roots.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/config/config.h"
#include "app/config/state_dir.h"
#include "base/environment.h"
#include "base/unique_fd.h"
#include "base/write_all.h"

namespace app {
namespace {

std::string list_path(const std::string& state) {
  return state + "/trusted-folders";
}

/// Replaced whole, so that a crash leaves the old list or the new one.
base::Result<void> write_list(const std::string& path, const std::vector<std::string>& folders) {
  std::string text;
  for (const auto& folder : folders) text += folder + "\n";
  const std::string next = path + ".new";
  const base::UniqueFd file(::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::fail_errno("opening " + next);
  if (auto written = base::write_all(file.get(), text, next); !written) return written;
  if (::fsync(file.get()) != 0) return base::fail_errno("writing " + next);
  if (::rename(next.c_str(), path.c_str()) != 0) return base::fail_errno("replacing " + path);
  return {};
}

/// The folder jms was started in, when it is on the list.
std::string trusted_here() {
  std::error_code error;
  const auto here = std::filesystem::canonical(".", error);
  if (error) return {};
  const auto folders = trusted_folders();
  if (!folders || std::find(folders->begin(), folders->end(), here.string()) == folders->end()) return {};
  return here.string();
}

}  // namespace

std::vector<skills::Root> skill_roots() {
  const std::string config_directory = std::filesystem::path(default_config_path()).parent_path().string();
  return skills::SkillIndex::default_roots(base::environment("HOME"), config_directory, trusted_here());
}

base::Result<std::vector<std::string>> trusted_folders() {
  const auto state = state_dir();
  if (!state) return base::fail(state.error());
  std::vector<std::string> folders;
  std::ifstream list(list_path(*state));
  for (std::string line; std::getline(list, line);)
    if (!line.empty()) folders.push_back(line);
  return folders;
}

base::Result<std::string> set_trust(const std::string& folder, Trust trust) {
  std::error_code error;
  auto path = std::filesystem::canonical(folder.empty() ? "." : folder, error).string();
  // A folder that is gone can still be taken off the list.
  if (error && trust == Trust::remove)
    path = folder;
  else if (error || !std::filesystem::is_directory(path))
    return base::fail("there is no folder " + folder);
  if (path.find('\n') != std::string::npos) return base::fail("a folder with a line break in its name is not taken");
  auto folders = trusted_folders();
  if (!folders) return base::fail(folders.error());
  const auto known = std::find(folders->begin(), folders->end(), path);
  if (trust == Trust::remove && known == folders->end()) return base::fail(path + " is not trusted");
  if (trust == Trust::add && known != folders->end()) return path;
  trust == Trust::add ? folders->push_back(path) : static_cast<void>(folders->erase(known));
  const auto state = state_dir();
  if (!state) return base::fail(state.error());
  if (auto written = write_list(list_path(*state), *folders); !written) return base::fail(written.error());
  return path;
}

}  // namespace app
