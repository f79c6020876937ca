#include "app/config/state_dir.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/environment.h"

namespace app {

std::string state_dir_path() {
  if (auto own = base::environment("JMS_STATE_DIR"); !own.empty()) return own;
  if (const auto xdg = base::environment("XDG_STATE_HOME"); !xdg.empty()) return xdg + "/jms";
  return base::environment("HOME") + "/.local/state/jms";
}

base::Result<std::string> state_dir() {
  const std::string path = state_dir_path();
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return base::fail_errno("making the state directory " + path);
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return base::fail_errno("looking at the state directory " + path);
  if (!S_ISDIR(info.st_mode)) return base::fail(path + " is in the way: the state directory must be there; move it");
  if (info.st_uid != ::geteuid()) return base::fail("the state directory " + path + " belongs to someone else");
  if ((info.st_mode & 077) != 0)
    return base::fail("the state directory " + path + " can be read by others; run `chmod 700 " + path + "`");
  return path;
}

}  // namespace app
