// The Debian package as an administrator meets it: made by cpack, installed into a scratch root, removed again.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_env.h"

namespace packaging {
namespace {

namespace fs = std::filesystem;

class DebianPackage : public testing::Test {
 protected:
  DebianPackage() {
    for (const char* folder : {"root/var/lib/dpkg/updates", "root/var/lib/dpkg/info", "out"})
      fs::create_directories(dir_ / folder);
    std::ofstream(dir_ / "root/var/lib/dpkg/status");
  }

  support::CommandOutput run(std::vector<std::string> argv) {
    return support::run_command({.argv = std::move(argv),
                                 .environment = env_.variables(),
                                 .input = {},
                                 .limit = std::chrono::milliseconds(120'000)});
  }
  support::CommandOutput dpkg(std::vector<std::string> arguments) {
    // The libraries are in the real root; only what the package itself does is looked at here.
    std::vector<std::string> argv = {"dpkg",
                                     "--root=" + root().string(),
                                     "--force-depends",
                                     "--force-not-root",
                                     "--force-script-chrootless",
                                     "--log=" + (dir_ / "dpkg.log")};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run(argv);
  }
  fs::path root() const { return dir_ / "root"; }

  /// Makes the package; gives its path.
  std::string make() {
    const auto made = run({"cpack", "--config", JMS_BUILD_DIR "/CPackConfig.cmake", "-G", "DEB", "-B", dir_ / "out"});
    EXPECT_EQ(made.code, 0) << made.out << made.err;
    for (const auto& entry : fs::directory_iterator(dir_ / "out"))
      if (entry.path().extension() == ".deb") return entry.path();
    return {};
  }
  std::vector<std::string> files_outside_dpkg() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(root()))
      if (!entry.is_directory() && entry.path().string().find("/var/lib/dpkg/") == std::string::npos)
        found.push_back(fs::relative(entry.path(), root()));
    return found;
  }

  support::TestEnv env_;
  support::TempDir dir_;
};

TEST_F(DebianPackage, NamesItsDependenciesInstallsRunsAndLeavesNothingBehind) {
  const std::string package = make();
  ASSERT_FALSE(package.empty());
  const auto depends = run({"dpkg-deb", "--field", package, "Depends"});
  for (const char* library : {"libssh2", "libvterm", "libcurl", "libuv1", "libre2", "libtinfo", "libstdc++"})
    EXPECT_NE(depends.out.find(library), std::string::npos) << library << " is missing in: " << depends.out;

  const auto installed = dpkg({"--install", package});
  ASSERT_EQ(installed.code, 0) << installed.err;
  for (const char* file : {"usr/bin/jms", "usr/share/man/man1/jms.1", "usr/share/man/man5/jms-config.5",
                           "usr/share/bash-completion/completions/jms", "usr/share/zsh/site-functions/_jms",
                           "usr/share/fish/vendor_completions.d/jms.fish", "usr/share/jms/skills/disk-full/SKILL.md",
                           "usr/share/doc/jms/examples/config.toml", "usr/share/doc/jms/copyright"})
    EXPECT_TRUE(fs::exists(root() / file)) << file;
  const auto version = run({root() / "usr/bin/jms", "--version"});
  EXPECT_EQ(version.code, 0) << version.err;
  EXPECT_TRUE(version.out.starts_with("jms ")) << version.out;

  const auto removed = dpkg({"--remove", "jms"});
  EXPECT_EQ(removed.code, 0) << removed.err;
  EXPECT_EQ(files_outside_dpkg(), std::vector<std::string>{});
}

}  // namespace
}  // namespace packaging
