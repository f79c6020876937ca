// What is called read-only is run for real in a directory of known contents, and nothing there may differ afterwards.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "safety/audit_log.h"
#include "safety/command_classifier.h"

namespace safety {
namespace {

// Programs that are not installed here fail without doing anything, which is fine too.
constexpr const char* kCommands[] = {
    "ls -laR .",
    "cat a.txt b.txt",
    "head -n 2 a.txt; tail -n 1 b.txt",
    "grep -rn line .",
    "grep -c line a.txt b.txt",
    "wc -l *.txt",
    "sort a.txt | uniq -c | sort -rn",
    "sort -u -k1,1 a.txt b.txt",
    "awk '{print $1}' a.txt",
    "awk '$2 > 1 {n++} END {print n+0}' a.txt",
    "sed -n '1,2p' a.txt",
    "sed 's/line/LINE/g; 1d' a.txt",
    "cut -d' ' -f1 a.txt",
    "tr a-z A-Z < a.txt",
    "diff a.txt b.txt",
    "cmp a.txt b.txt",
    "diff <(sort a.txt) <(sort b.txt)",
    "md5sum a.txt; sha256sum b.txt",
    "stat a.txt",
    "file a.txt",
    "find . -type f -ls",
    "find . -name '*.txt' -exec grep -l line {} +",
    "find . -name '*.txt' -exec cat {} \\;",
    "find . -type f -print0 | xargs -0 wc -c",
    "find . -newer a.txt",
    "du -sh .",
    "df -h .",
    "tar -tf c.tar",
    "tar -tvf c.tar",
    "xxd -l 16 a.txt",
    "od -c a.txt | head",
    "strings a.txt",
    "base64 a.txt",
    "nl a.txt",
    "tac a.txt",
    "rev a.txt",
    "paste a.txt b.txt",
    "comm a.txt b.txt",
    "join a.txt b.txt",
    "fold -w 10 a.txt",
    "column -t a.txt",
    "tree .",
    "realpath a.txt; readlink -f .; basename $PWD",
    "test -f a.txt && echo yes",
    "[ -d d ] || echo no",
    "[[ -f a.txt && ! -L a.txt ]] && echo ok",
    "for f in ./*.txt; do wc -l \"$f\"; done",
    "while read -r l; do echo \"$l\"; done < a.txt",
    "if grep -q line a.txt; then echo found; fi",
    "case $(uname -s) in Linux) echo l;; *) echo o;; esac",
    "x=a.txt; cat \"$x\"",
    "cat <<EOF\nhello $(wc -l < a.txt)\nEOF",
    "cat <<< hi",
    "echo a > /dev/null",
    "ls nothere 2>/dev/null",
    "ls &>/dev/null",
    "(cd d && ls)",
    "{ date; uptime; } | cat",
    "bash -c 'ls; cat a.txt'",
    "sh -c 'wc -l a.txt'",
    "eval 'ls -l'",
    "env LC_ALL=C ls",
    "nice -n 5 ls",
    "timeout 5 ls",
    "time ls",
    "command ls",
    "command -v ls",
    "xargs -n1 echo < a.txt",
    "printf '%s\\n' a b",
    "seq 1 3",
    "expr 1 + 2",
    "jq . j.json",
    "gzip -dc g.gz",
    "zcat g.gz | head",
    "gzip -l g.gz",
    "ps aux | head -3",
    "ps -ef | grep [x]yz",
    "free -m",
    "uname -a",
    "id",
    "whoami",
    "date +%s",
    "nproc",
    "hostname",
    "lscpu | head -3",
    "env | sort | head -3",
    "printenv PATH",
    "sysctl -n kernel.hostname",
    "git status",
    "git log --oneline -3",
    "openssl version",
    "openssl dgst -sha256 a.txt",
    "sqlite3 -readonly none.db 'select 1'",
    "ss -tln",
    "ip a",
    "mount | head -3",
    "dpkg -l | head -3",
    "python3 --version",
    "top -b -n 1 | head -3",
    "vmstat 1 1",
    "echo \"$(cat a.txt | head -1)\"",
    "ls {a,b}.txt",
    "ls -l /proc/self/fd",
    "ulimit -a",
    "type ls",
    "history 3",
    "busybox ls",
    "stdbuf -oL cat a.txt",
};

/// Name, kind, size, time of change and contents of everything below a directory.
std::map<std::string, std::string> snapshot(const std::filesystem::path& root) {
  std::map<std::string, std::string> seen;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    struct stat info {};
    ::lstat(entry.path().c_str(), &info);
    std::string facts = std::to_string(info.st_mode) + " " + std::to_string(info.st_size) + " " +
                        std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + " " +
                        std::to_string(info.st_ino);
    if (entry.is_regular_file()) {
      std::ifstream file(entry.path(), std::ios::binary);
      facts += " " + sha256_hex(std::string(std::istreambuf_iterator<char>(file), {}));
    }
    seen[entry.path().string()] = facts;
  }
  return seen;
}

TEST(ReadOnlySnapshot, CommandsCalledReadOnlyChangeNothing) {
  char name[] = "/tmp/jms_snapshot_XXXXXX";
  const std::filesystem::path root = ::mkdtemp(name);
  std::ofstream(root / "a.txt") << "line 1\nline 2\nother 3\n";
  std::ofstream(root / "b.txt") << "line 1\nmore 2\n";
  std::ofstream(root / "j.json") << "{\"a\": 1}\n";
  std::filesystem::create_directory(root / "d");
  // top makes this empty directory for its settings when it is missing, even in batch mode; nothing else may appear.
  std::filesystem::create_directories(root / ".config" / "procps");
  ASSERT_EQ(std::system(("cd " + root.string() + " && tar -cf c.tar a.txt && gzip -c a.txt > g.gz").c_str()), 0);
  const auto before = snapshot(root);
  ::setenv("SNAPSHOT_ROOT", root.c_str(), 1);
  for (const char* command : kCommands) {
    const auto verdict = CommandClassifier().classify(command);
    ASSERT_EQ(name_of(verdict.cls), "read-only") << command << ": " << verdict.reason;
    ::setenv("SNAPSHOT_COMMAND", command, 1);
    // HOME lies inside too, so that caches and histories would show.
    const int status = std::system(
        "cd \"$SNAPSHOT_ROOT\" && HOME=\"$SNAPSHOT_ROOT\" timeout 20 bash -c \"$SNAPSHOT_COMMAND\" </dev/null "
        ">/dev/null 2>&1");
    EXPECT_NE(status, -1);
    EXPECT_EQ(snapshot(root), before) << command;
  }
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace safety
