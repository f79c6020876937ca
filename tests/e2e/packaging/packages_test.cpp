// The packages as an administrator meets them: made by cpack, installed into a scratch root or unpacked, run, removed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/support/fake_clock.h"
#include "tests/support/run_command.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_env.h"

namespace packaging {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

class Package : public testing::Test {
 protected:
  support::CommandOutput run(std::vector<std::string> argv) {
    return support::run_command({.argv = std::move(argv),
                                 .environment = env_.variables(),
                                 .input = {},
                                 .limit = std::chrono::milliseconds(120'000)});
  }
  /// Makes the package of a build; gives its path.
  std::string make(const std::string& generator, const std::string& ending, const std::string& folder = "out",
                   const std::string& build = JMS_BUILD_DIR) {
    fs::create_directories(dir_ / folder);
    const auto made = run({"cpack", "--config", build + "/CPackConfig.cmake", "-G", generator, "-B", dir_ / folder});
    EXPECT_EQ(made.code, 0) << made.out << made.err;
    for (const auto& entry : fs::directory_iterator(dir_ / folder))
      if (entry.path().string().ends_with(ending)) return entry.path();
    return {};
  }

  /// The first group of every match of `pattern`.
  static std::set<std::string> matches(const std::string& text, const std::string& pattern) {
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
    return found;
  }
  /// The shared libraries that a program wants: "libuv.so.1" …
  std::set<std::string> libraries_of(const std::string& program) {
    return matches(run({"readelf", "--wide", "--dynamic", program}).out, "\\(NEEDED\\).*\\[(.*)\\]");
  }

  support::TestEnv env_;
  support::TempDir dir_;
};

class DebianPackage : public Package {
 protected:
  DebianPackage() {
    for (const char* folder : {"root/var/lib/dpkg/updates", "root/var/lib/dpkg/info"})
      fs::create_directories(dir_ / folder);
    std::ofstream(dir_ / "root/var/lib/dpkg/status");
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

  /// Files and folders of the scratch root without dpkg's own notes.
  std::set<std::string> everything_outside_dpkg() const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(root())) {
      const std::string path = fs::relative(entry.path(), root());
      if (!path.starts_with("var")) found.insert(path);
    }
    return found;
  }
  void expect_manual(const std::string& page, const std::string& title) {
    const auto text = run({"gzip", "-dc", root() / "usr/share/man" / page});
    EXPECT_EQ(text.code, 0) << page;
    EXPECT_THAT(text.out, HasSubstr(".TH " + title));
  }
};

TEST_F(DebianPackage, NamesItsDependencies) {
  const std::string package = make("DEB", ".deb");
  ASSERT_FALSE(package.empty());
  ASSERT_EQ(run({"dpkg-deb", "--extract", package, dir_ / "unpacked"}).code, 0);
  const std::string field = run({"dpkg-deb", "--field", package, "Depends"}).out;
  const auto depends = matches(field, "(?:^|, )([a-z0-9.+-]+)");
  EXPECT_THAT(depends, Contains("libwebsockets-evlib-uv")) << "loaded by name, so the binary does not tell it";
  const auto libraries = libraries_of(dir_ / "unpacked/usr/bin/jms");
  EXPECT_GE(libraries.size(), 12u);
  for (const auto& library : libraries) {
    const auto owners = matches(run({"dpkg", "-S", "*/" + library}).out, "(?:^|\n)([a-z0-9.+-]+):");
    const bool named =
        std::any_of(owners.begin(), owners.end(), [&](const auto& owner) { return depends.contains(owner); });
    EXPECT_TRUE(named) << library << " is not among the dependencies: " << field;
  }
  const auto recommends = run({"dpkg-deb", "--field", package, "Recommends"});
  for (const char* name : {"openssh-client", "ca-certificates"}) EXPECT_THAT(recommends.out, HasSubstr(name));
}

TEST_F(DebianPackage, InstallsRunsAndLeavesNothingBehind) {
  const std::string package = make("DEB", ".deb");
  ASSERT_FALSE(package.empty());
  const auto installed = dpkg({"--install", package});
  ASSERT_EQ(installed.code, 0) << installed.err;
  for (const char* file :
       {"usr/bin/jms", "usr/share/bash-completion/completions/jms", "usr/share/zsh/vendor-completions/_jms",
        "usr/share/fish/vendor_completions.d/jms.fish", "usr/share/jms/skills/disk-full/SKILL.md",
        "usr/share/doc/jms/examples/config.toml", "usr/share/doc/jms/copyright", "usr/share/doc/jms/changelog.gz"})
    EXPECT_TRUE(fs::exists(root() / file)) << file;
  expect_manual("man1/jms.1.gz", "JMS 1");
  expect_manual("man5/jms-config.5.gz", "JMS-CONFIG 5");
  const std::string jms = root() / "usr/bin/jms";
  EXPECT_THAT(run({jms, "--version"}).out, testing::StartsWith("jms "));
  EXPECT_EQ(run({jms, "exec", "local", "--", "echo packed"}).out, "packed\n");
  const auto skills = run({jms, "skills", "check", root() / "usr/share/jms/skills"});
  EXPECT_EQ(skills.code, 0) << skills.out;
  const auto config =
      run({jms, "--config", root() / "usr/share/doc/jms/examples/config.toml", "policy", "check", "ls"});
  EXPECT_EQ(config.code, 0) << "the example is a config: " << config.err;

  const auto removed = dpkg({"--purge", "jms"});
  EXPECT_EQ(removed.code, 0) << removed.err;
  EXPECT_EQ(everything_outside_dpkg(), std::set<std::string>{});
}

TEST_F(DebianPackage, HasTheSameBytesWheneverItIsMade) {
  env_.set("SOURCE_DATE_EPOCH", "1700000000");
  const std::string first = make("DEB", ".deb", "one");
  ASSERT_FALSE(first.empty());
  const std::string second = make("DEB", ".deb", "two");
  EXPECT_EQ(support::read_text(first), support::read_text(second));
}

class Tarball : public Package {};

TEST_F(Tarball, HasEverythingAndRunsInAnEmptyRoot) {
  const std::string tarball = make("TGZ", ".tar.gz");
  ASSERT_FALSE(tarball.empty());
  const auto checked = run({JMS_SOURCE_DIR "/scripts/check-tarball", tarball});
  EXPECT_EQ(checked.code, 0) << checked.err;
  const auto strictly = run({JMS_SOURCE_DIR "/scripts/check-tarball", "--static", tarball});
  EXPECT_THAT(strictly.err, HasSubstr("is shared and need not be")) << "this build is not the static one";
}

/// The tarball's binary without a second build: the objects of this one, linked as scripts/package links them.
TEST_F(Tarball, OfTheStaticBuildSharesOnlyWhatItMust) {
  if (support::sanitized_build()) GTEST_SKIP() << "a sanitizer is shared and not ours to link in";
  const std::string build = dir_ / "static";
  const auto configured = run({"cmake", "-S", JMS_SOURCE_DIR, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                               "-DBUILD_TESTING=OFF", "-DJMS_STATIC=ON", "-DCMAKE_INSTALL_PREFIX=/usr"});
  ASSERT_EQ(configured.code, 0) << configured.err;
  const auto linked =
      run({"sh", "-ec",
           "cd \"$1\" && find . -path './*/libjms_*.a' | grep -Ev '^./(tests|bench)/' | "
           "xargs cp --parents -t \"$2\"\n"
           "cd \"$2\" && mkdir -p app/CMakeFiles/jms.dir\n"
           "cp \"$(find \"$1/app/CMakeFiles/jms.dir\" -name '*.o')\" app/CMakeFiles/jms.dir/main.cpp.o\n"
           "ninja -t commands app/jms | tail -n 1 > link && sh -e link",
           "sh", JMS_BUILD_DIR, build});
  ASSERT_EQ(linked.code, 0) << linked.err;
  const std::string tarball = make("TGZ", ".tar.gz", "out", build);
  ASSERT_FALSE(tarball.empty());
  const auto checked = run({JMS_SOURCE_DIR "/scripts/check-tarball", "--static", tarball});
  EXPECT_EQ(checked.code, 0) << checked.err;
}

/// Two checkouts of the same commit, at different places and times.
class Reproducible : public Package {
 protected:
  /// What one source file becomes in a release build of the checkout at `folder`.
  std::string object(const std::string& folder, const std::string& target, const std::string& time) {
    const std::string source = dir_ / folder;
    const auto copied = run({"git", "clone", "-q", "--no-hardlinks", JMS_SOURCE_DIR, source});
    EXPECT_EQ(copied.code, 0) << copied.err;
    const std::string build = source + "/build";
    const auto configured = run({"cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                                 "-DBUILD_TESTING=OFF", "-DCMAKE_CXX_COMPILER_LAUNCHER="});
    EXPECT_EQ(configured.code, 0) << configured.err;
    const auto built = run({"faketime", "-f", time, "cmake", "--build", build, "--target", target});
    EXPECT_EQ(built.code, 0) << built.out << built.err;
    return support::read_text(build + "/" + target);
  }

 private:
  support::FakeClock fake_clock_;
};

TEST_F(Reproducible, TheVersionIsTheCommitAndNeitherPlaceNorTime) {
  if (!fs::exists(JMS_SOURCE_DIR "/.git")) GTEST_SKIP() << "needs a checkout";
  const std::string target = "app/CMakeFiles/jms_app.dir/version.cpp.o";
  const std::string first = object("one", target, "+0");
  const std::string second = object("another/place", target, "+400d");
  EXPECT_EQ(first, second);
  const auto commit = run({"git", "-C", JMS_SOURCE_DIR, "rev-parse", "HEAD"});
  EXPECT_THAT(first, HasSubstr("+g" + commit.out.substr(0, 8)));
  EXPECT_THAT(first, testing::Not(HasSubstr(dir_.path())));
}

}  // namespace
}  // namespace packaging
