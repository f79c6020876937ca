#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "remote_exec/execute_command_tool.h"
#include "remote_exec/output_cleaner.h"
#include "remote_exec/output_store.h"

namespace remote_exec {
namespace {

std::string cleaned(std::string_view bytes, std::size_t piece = std::string_view::npos,
                    std::string_view encoding = {}) {
  OutputCleaner cleaner(encoding);
  std::string out;
  while (!bytes.empty()) {
    cleaner.feed(bytes.substr(0, piece), out);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  cleaner.finish(out);
  return out;
}

struct Example {
  std::string raw, clean;
};

TEST(OutputCleaner, GivesWhatAPersonWouldRead) {
  const Example examples[] = {
      {"plain\r\n", "plain\n"},
      {"two\r\r\n", "two\n"},
      {"no end", "no end"},
      {"", ""},
      {"\r\n\r\n", "\n\n"},
      {"10%\r50%\r100%\r\n", "100%\n"},
      {"long text\rshort\r\n", "shorttext\n"},
      {"long text\r\033[Kshort\r\n", "short\n"},
      {"abc\b\bX\r\n", "aXc\n"},
      {"\033[1;31mred\033[0m\r\n", "red\n"},
      {"\033]0;title\007x\033]8;;http://a\033\\link\033]8;;\033\\\r\n", "xlink\n"},
      {"a\033Pq#0;2;0;0;0\033\\b\r\n", "ab\n"},
      {"tab\there \r\n", "tab\there \n"},
      {"\016box\017\033(0q\033(B\r\n", "boxq\n"},
      {"日本\b\b\b\bX\r\n", "X本\n"},
      {"..\b\b日本\r\n", "日本\n"},
      // DEL is not there to a terminal: the sequence is ESC b.
      {"a\033\x7f"
       "b|\r\n",
       "a|\n"},
      {"a\033[3\x7f"
       "1mb\033[\n1mc\033[3éd\r\n",
       "ab\ncéd\n"},
      {"a\033Pq\r\n#0\r\n\033\\b\033]52;c;aGk\r\naGk\007c\r\n", "abc\n"},
      {"a\033]0;never closed\r\nnext\033[m line\r\n", "a\nnext line\n"},
      {"e\xcc\x81\r\n", "e\xcc\x81\n"},
      {"bad \xff\xc0\x80 utf\r\n", "bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd utf\n"},
      {"c1 \xc2\x9b"
       "31m\r\n",
       "c1 31m\n"},
      {"\033]0;never closed\r\nnext\r\n", "\nnext\n"},
      {"\033[5Gfive\r\n", "    five\n"},
      {"spin |\b/\b-\bdone\r\n", "spin done\n"},
      {std::string("nul\0bel\007\r\n", 10), "nulbel\n"},
  };
  for (const auto& example : examples) {
    EXPECT_EQ(cleaned(example.raw), example.clean) << example.raw;
    EXPECT_EQ(cleaned(example.raw, 1), example.clean) << "byte by byte: " << example.raw;
    EXPECT_EQ(cleaned(example.raw, 3), example.clean) << "by threes: " << example.raw;
  }
}

TEST(OutputCleaner, SwallowsALongStringAndNoLineOfAnUnclosedOne) {
  std::string flood;
  for (int i = 0; i < 3000; ++i) flood += "line " + std::to_string(i) + "\n";
  for (const std::size_t piece : {std::string_view::npos, std::size_t{1000}}) {
    EXPECT_EQ(cleaned("a\033]52;c;" + std::string(50'000, 'Q') + "\007b\n", piece), "ab\n");
    EXPECT_EQ(cleaned("a\033[" + std::string(50'000, '0') + "mb\n", piece), "ab\n");
    EXPECT_EQ(cleaned("a\033]0;title\n" + flood, piece), "a\n" + flood);
  }
}

TEST(OutputCleaner, ConvertsTheHostsEncoding) {
  EXPECT_EQ(cleaned("\xd6\xd0\xce\xc4\r\n", std::string_view::npos, "GB18030"), "中文\n");
  EXPECT_EQ(cleaned("\xd6\xd0\xce\xc4\r\n", 1, "GBK"), "中文\n");
  EXPECT_EQ(cleaned("a\xff"
                    "b\r\n",
                    1, "GBK"),
            "a\xef\xbf\xbd"
            "b\n");
}

TEST(OutputCleaner, HoldsAnEndlessLineInBoundedMemory) {
  OutputCleaner cleaner;
  std::string out;
  const std::string piece(4096, 'x');
  std::size_t total = 0;
  for (int i = 0; i < 2560; ++i) {
    cleaner.feed(piece, out);
    total += out.size();
    out.clear();
    ASSERT_LE(cleaner.current_line().size(), OutputCleaner::kMaxLine);
  }
  cleaner.finish(out);
  EXPECT_EQ(total + out.size(), 4096u * 2560u);
}

/// It crashed: the mark for the half character made the line too long, at a moment when there was nowhere to put it.
TEST(OutputCleaner, TakesHalfACharacterAtTheEndOfTheLongestLine) {
  const std::string half = "\xd6";
  const std::string mark = "\xef\xbf\xbd";
  const std::string longest(OutputCleaner::kMaxLine, 'x');
  EXPECT_EQ(cleaned(longest + half, std::string_view::npos, "GB18030"), longest + mark);
  const std::string edited = std::string("ab\b") + std::string(OutputCleaner::kMaxLine - 1, 'x');
  const std::string shown = "a" + std::string(OutputCleaner::kMaxLine - 1, 'x');
  EXPECT_EQ(cleaned(edited + half, std::string_view::npos, "GB18030"), shown + "\n" + mark);
}

/// Behind the bound of an edited line nothing came out any more.
TEST(OutputCleaner, LosesNothingOfAnEndlessLineThatIsEdited) {
  constexpr std::size_t kMany = 3 * OutputCleaner::kMaxLine + 100;
  for (const std::size_t piece : {std::size_t{1000}, kMany + 10}) {
    std::string out = cleaned("ab\b" + std::string(kMany, 'x') + "\r\nnext\r\n", piece);
    EXPECT_TRUE(out.ends_with("x\nnext\n")) << piece;
    EXPECT_EQ(std::count(out.begin(), out.end(), 'x'), static_cast<std::ptrdiff_t>(kMany) + 1) << piece;
  }
}

TEST(OutputCleaner, LosesNothingOfALineOfTabsThatIsEdited) {
  std::string tabs;
  for (int i = 0; i < 20'000; ++i) tabs += "x\t";
  const std::string out = cleaned(tabs + "\bend\r\n");
  EXPECT_EQ(std::count(out.begin(), out.end(), 'x'), 20'000);
  EXPECT_TRUE(out.ends_with("end\n"));
}

TEST(OutputCleaner, EditsALongLineWhereItsCursorIs) {
  const std::string text(5000, 'x');
  EXPECT_EQ(cleaned(text + "\bY\r\n"), text.substr(1) + "Y\n");
  EXPECT_EQ(cleaned(text + "\b\033[CY\r\n"), text.substr(1) + "Y\n");
}

TEST(OutputStore, KeepsShortOutputWhole) {
  OutputStore store({.budget = 100});
  store.append("one\n");
  store.append("two\n");
  EXPECT_EQ(store.text(), "one\ntwo\n");
  EXPECT_FALSE(store.truncated());
  EXPECT_EQ(store.total_bytes(), 8u);
}

TEST(OutputStore, KeepsHeadAndTailOfLongOutputAndTheWholeInAFile) {
  const auto directory = std::filesystem::temp_directory_path() / ("jms-store-" + std::to_string(getpid()));
  OutputStore store({.budget = 20, .file_cap = 1000, .directory = directory.string()});
  std::string all;
  for (int i = 0; i < 30; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    all += line;
    store.append(line);
  }
  const std::string text = store.text();
  EXPECT_TRUE(text.starts_with(all.substr(0, 10))) << text;
  EXPECT_TRUE(text.ends_with(all.substr(all.size() - 10))) << text;
  EXPECT_NE(text.find(std::to_string(all.size() - 20) + " bytes left out"), std::string::npos) << text;
  EXPECT_NE(text.find("the whole output is kept as " + store.file_id()), std::string::npos) << text;
  EXPECT_TRUE(store.truncated());
  const auto whole = read_output(directory.string(), store.file_id(), 0, 5000);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->text, all);
  EXPECT_FALSE(whole->more);
  const auto found = grep_output(directory.string(), store.file_id(), "line 2", 30);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "3:line 2\n21:line 20\n");
  EXPECT_TRUE(found->more);
  std::filesystem::remove_all(directory);
}

TEST(OutputStore, StopsTheFileAtItsCap) {
  const auto directory = std::filesystem::temp_directory_path() / ("jms-cap-" + std::to_string(getpid()));
  OutputStore store({.budget = 10, .file_cap = 25, .directory = directory.string()});
  for (int i = 0; i < 10; ++i) store.append("0123456789");
  EXPECT_EQ(read_output(directory.string(), store.file_id(), 0, 500)->size, 25u);
  EXPECT_EQ(store.total_bytes(), 100u);
  EXPECT_NE(store.text().find("its first 25 bytes are kept as " + store.file_id()), std::string::npos) << store.text();
  std::filesystem::remove_all(directory);
}

/// For as long as it lives no file grows beyond so many bytes: what a full disk does to a write.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

std::string stored_on(rlim_t disk, std::string& id) {
  const auto directory = std::filesystem::path(testing::TempDir()) / ("jms-full-" + std::to_string(getpid()));
  OutputStore store({.budget = 10, .file_cap = 1000, .directory = directory.string()});
  {
    const SmallDisk full(disk);
    for (int i = 0; i < 10; ++i) store.append("0123456789");
  }
  std::filesystem::remove_all(directory);
  id = store.file_id();
  return store.text();
}

TEST(OutputStore, SaysHowMuchAFullDiskTook) {
  std::string id;
  const std::string text = stored_on(33, id);
  EXPECT_NE(text.find("its first 33 bytes are kept as " + id), std::string::npos) << text;
  EXPECT_EQ(stored_on(0, id).find("kept"), std::string::npos);
  EXPECT_EQ(id, "");
}

TEST(ExecuteCommand, TellsTheModelHowMuchIsKept) {
  CommandResult result;
  result.truncated = true;
  result.total_bytes = result.kept_bytes = 50'000;
  result.output_id = "out-1";
  EXPECT_NE(to_tool_result(result).content.find("The whole output is kept: read_output with id out-1."),
            std::string::npos);
  result.kept_bytes = 40'000;
  EXPECT_NE(to_tool_result(result).content.find("The first 40000 bytes are kept: read_output with id out-1."),
            std::string::npos);
}

TEST(OutputStore, ForgetsWhatIsOldAndNothingElse) {
  const auto directory = std::filesystem::path(testing::TempDir()) / "jms-old-outputs";
  std::filesystem::create_directories(directory);
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(200);
  for (const char* name : {"out-old", "out-new", "notes.txt"}) {
    std::ofstream(directory / name) << "text";
    if (std::string_view(name) != "out-new") std::filesystem::last_write_time(directory / name, old);
  }
  forget_old_outputs(directory.string(), std::chrono::hours(168));
  EXPECT_FALSE(std::filesystem::exists(directory / "out-old"));
  EXPECT_TRUE(std::filesystem::exists(directory / "out-new"));
  EXPECT_TRUE(std::filesystem::exists(directory / "notes.txt"));
  forget_old_outputs("/no/such/directory", std::chrono::hours(1));
  std::filesystem::remove_all(directory);
}

TEST(OutputStore, ReadsNothingOutsideItsDirectory) {
  EXPECT_FALSE(read_output("/tmp", "../etc/passwd", 0, 10));
  EXPECT_FALSE(read_output("/etc", "passwd", 0, 10));
}

}  // namespace
}  // namespace remote_exec
