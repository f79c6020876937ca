// What koko makes of lines typed by hand: the table that was seen on a real 4.10.15, with real shells. Its screen has
// no width, so a line that wraps is neither filtered nor recorded as it was typed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/exec/exec_case.h"
#include "tests/support/koko_fixture.h"
#include "tests/support/temp_dir.h"

namespace transport::jumpserver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test_server::KokoFilter;
using test_server::KokoOnLoopback;
using test_server::KokoOptions;
using testing::HasSubstr;

/// What the record has of a line that ran.
enum class Recorded { exactly, tail, garbled, by_chance };

void PrintTo(Recorded recorded, std::ostream* out) {
  *out << (recorded == Recorded::exactly     ? "exactly"
           : recorded == Recorded::tail      ? "its tail only"
           : recorded == Recorded::by_chance ? "garbled or whole"
                                             : "garbled");
}

struct Row {
  const char* shell;
  int columns;
  bool rejected;
  Recorded recorded;
  bool answers = false;  ///< The terminal answers where the cursor is when it is asked, as every real one does.
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.shell << " at " << row.columns << " columns";
}

/// One shell behind koko, and somebody who types.
class TypedByHand : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override {
    KokoOptions options;
    choose_shell(options);
    options.filters = {{"forbidme", KokoFilter::Action::reject}};
    server_.emplace(loop_, std::move(options));
    transport_ = std::make_unique<KokoTransport>(
        loop_, KokoTransport::Target{server_->ticket(server_->fresh_token()), {24, GetParam().columns}, {}},
        KokoTransport::Hooks{.on_progress = {}, .on_event = {}, .on_ready = [this] { ready_ = true; }});
    transport_->start({.on_bytes = [this](std::string_view bytes) { take(bytes); },
                       .on_closed = [this](Closed) { closed_ = true; },
                       .on_drained = {}});
    ASSERT_TRUE(wait([this] { return ready_ && prompts(); })) << output_;
    ASSERT_TRUE(settles()) << output_;
  }

  /// The width of a prompt decides how far a wrapped line overwrites its row, and so whether the second half of that
  /// row is something that was typed: bash has the prompt that was seen there, the others a short one.
  void choose_shell(KokoOptions& options) {
    const std::string name = GetParam().shell;
    const auto shell = support::shell_named(name);
    options.shell = shell.argv;
    options.environment = support::environment_of(shell, home_.path());
    if (name == "bash") options.environment.push_back("PS1=opsbash@vm:~$ ");
    if (name == "fish") options.shell.insert(options.shell.end(), {"-C", "function fish_prompt; printf '$ '; end"});
  }
  /// mksh puts a # of its own before root.
  bool prompts() const { return output_.find("$ ") != std::string::npos || output_.find("# ") != std::string::npos; }

  void take(std::string_view bytes) {
    output_ += bytes;
    ++news_;
    if (GetParam().answers && bytes.find("\033[6n") != std::string_view::npos) transport_->send("\033[5;3R");
  }
  bool wait(const std::function<bool()>& done) { return loop_.run_until(done, seconds(20)); }
  /// The shell has said what it has to say: fish and zsh draw in several steps.
  bool settles() {
    for (int i = 0; i < 200; ++i) {
      const int before = news_;
      loop_.run_until([] { return false; }, milliseconds(60));
      if (news_ == before && !output_.empty()) return true;
    }
    return false;
  }
  /// One key after another, each when the shell has shown the one before; then Enter.
  void type(const std::string& line) {
    for (const char key : line) {
      const int before = news_;
      transport_->send(std::string(1, key));
      ASSERT_TRUE(wait([&] { return news_ != before; })) << output_;
    }
    ASSERT_TRUE(settles());
    transport_->send("\r");
  }
  auto& koko() { return server_->koko; }
  static Recorded judge(std::string record, const std::string& line) {
    if (record == line) return Recorded::exactly;
    if (record.ends_with(" <")) record.erase(record.find_last_not_of(" <") + 1);  // mksh's mark at the margin.
    return !record.empty() && line.ends_with(record) ? Recorded::tail : Recorded::garbled;
  }
  bool done() {
    return wait([this] { return !koko().record.empty(); }) && settles();
  }

  support::TempDir home_;
  event::EventLoop loop_;
  std::optional<KokoOnLoopback> server_;
  std::unique_ptr<KokoTransport> transport_;
  std::string output_;
  int news_ = 0;
  bool ready_ = false, closed_ = false;
};

/// 107 characters that begin with `word`.
std::string long_line(const std::string& word) {
  std::string line = word;
  for (int i = 10; line.size() < 107; ++i) line += " w" + std::to_string(i);
  return line.substr(0, 107);
}

TEST_P(TypedByHand, IsFilteredAndRecordedAsOnARealOne) {
  const std::string forbidden = long_line("forbidme"), harmless = long_line("echo");
  type(forbidden);
  ASSERT_TRUE(wait([this] { return !koko().typed.empty(); })) << output_;
  ASSERT_TRUE(settles());
  EXPECT_EQ(koko().typed[0].verdict, GetParam().rejected ? "rejected" : "accepted") << koko().typed[0].row;
  if (GetParam().rejected) {
    ASSERT_EQ(koko().record.size(), 1u);  // As it was typed, whatever became of the row.
    EXPECT_EQ(koko().record[0].input, forbidden);
    EXPECT_EQ(koko().record[0].risk, 5);
  }
  koko().record.clear();
  type(harmless);
  ASSERT_TRUE(done()) << output_;
  const Recorded recorded = judge(koko().record.back().input, harmless);
  // fish draws the whole line again when it sees fit, mostly not: then the record is whole.
  if (GetParam().recorded == Recorded::by_chance)
    EXPECT_NE(recorded, Recorded::tail) << koko().record.back().input;
  else
    EXPECT_EQ(recorded, GetParam().recorded) << koko().record.back().input;
}

TEST_P(TypedByHand, AfterARejectionTheLineIsClearedAndThePromptIsBack) {
  type("forbidme short");
  ASSERT_TRUE(wait([this] { return !koko().record.empty(); })) << output_;
  EXPECT_EQ(koko().record[0].input, "forbidme short");
  ASSERT_TRUE(settles());
  EXPECT_THAT(output_, HasSubstr("\r\n\033[31mCommand `forbidme` is forbidden\n\r\033[0m"));
  EXPECT_THAT(koko().input, HasSubstr("\x05\x15\r"));
  // A terminal without an editor echoes the control.
  if (std::string_view(GetParam().shell) == "dash") {
    EXPECT_THAT(output_, HasSubstr("^E\b \b\b \b"));
  }
  output_.clear();
  type("echo al''ive");
  ASSERT_TRUE(wait([this] { return output_.find("alive") != std::string::npos; })) << output_;
}

std::string row_name(const testing::TestParamInfo<Row>& row) {
  return std::string(row.param.shell) + "At" + std::to_string(row.param.columns) +
         (row.param.answers ? "AndTheTerminalAnswers" : "");
}

INSTANTIATE_TEST_SUITE_P(Shells, TypedByHand,
                         testing::Values(Row{"bash", 80, false, Recorded::garbled}, Row{"bash", 200, true, {}},
                                         Row{"mksh", 80, false, Recorded::tail}, Row{"mksh", 200, true, {}},
                                         Row{"zsh", 80, true, Recorded::tail}, Row{"zsh", 200, true, {}},
                                         Row{"fish", 80, true, Recorded::by_chance}, Row{"fish", 200, true, {}},
                                         Row{"ash", 80, true, Recorded::tail}, Row{"ash", 200, true, {}},
                                         Row{"ash", 80, false, Recorded::tail, true}, Row{"ash", 200, true, {}, true},
                                         Row{"dash", 80, true, {}}, Row{"dash", 200, true, {}}),
                         row_name);

/// The rest of what decides about a record, in one shell.
class KokoRecordTest : public TypedByHand {};

TEST_P(KokoRecordTest, HoldsTheBeginningAndTheEndOfALongLine) {
  const std::string line = "echo " + std::string(100, 'a') + std::string(100, 'z');
  type(line);
  ASSERT_TRUE(done()) << output_;
  EXPECT_EQ(koko().record[0].input, line.substr(0, 62) + "..." + line.substr(line.size() - 62));
}

TEST_P(KokoRecordTest, ALineThatComesWithItsEnterIsReadWithAnOlderPrompt) {
  transport_->send("cd /; PS1='other> '\r");
  ASSERT_TRUE(wait([this] { return output_.ends_with("other> "); })) << output_;
  transport_->send("echo forbid''me; echo gone\r");
  ASSERT_TRUE(wait([this] { return output_.find("forbidme\r\ngone") != std::string::npos; })) << output_;
  EXPECT_EQ(koko().typed.back().row, "other>");
}

TEST_P(KokoRecordTest, AKeyThatIsNoCharacterMakesWhatWasTypedUnusable) {
  type("true");  // In the very first row koko counts columns from one, and a backspace goes astray.
  ASSERT_TRUE(done()) << output_;
  for (const std::string& key : {std::string("e"), std::string("c"), std::string("x"), std::string("\x7f")}) {
    const int before = news_;
    transport_->send(key);
    ASSERT_TRUE(wait([&] { return news_ != before; }));
  }
  type("ho hi");
  ASSERT_TRUE(wait([this] { return koko().record.size() == 2; })) << output_;
  EXPECT_EQ(koko().typed.back().line, "echo hi");  // The row, not "ecx<DEL>ho hi".
}

TEST_P(KokoRecordTest, BehindOutputWithoutALineEndThePromptIsNotKnownAgain) {
  type("printf abc");
  ASSERT_TRUE(settles());
  EXPECT_EQ(koko().record.size(), 0u);
  type("echo next");
  ASSERT_TRUE(wait([this] { return koko().record.size() == 1; })) << output_;
  EXPECT_EQ(koko().record[0].input, "printf abc");  // As it was typed, when the next Enter came.
  EXPECT_EQ(koko().typed[1].row, "echo next");
}

INSTANTIATE_TEST_SUITE_P(Bash, KokoRecordTest, testing::Values(Row{"bash", 300, true, {}}), row_name);

}  // namespace
}  // namespace transport::jumpserver
