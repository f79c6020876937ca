// What koko writes while it connects to a host is no prompt: over SSH it comes as plain bytes, cut anywhere, with
// silences of any length in between, and nothing may be typed into it.
#include <gtest/gtest.h>

#include "tests/support/exec/koko_prelude.h"
#include "tests/support/exec/shell_session.h"
#include "transport/jumpserver/koko_ssh_transport.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::KokoPrelude;
using transport::jumpserver::KokoSshTransport;

constexpr const char* kMotd =
    "Linux web-01 6.1.0 #1 SMP\r\n\r\nDebian GNU/Linux comes with ABSOLUTELY NO WARRANTY: read on?\r\n"
    "Last login: Wed Nov 18 04:29:50 2026 from 10.0.0.1\r\n";

/// Whether koko is known to be there (jms://asset), or the operator named its port himself (ssh://…).
class KokoOpening : public testing::TestWithParam<bool> {
 protected:
  /// Opens a shell behind koko; a command runs in it, and nothing was typed too early.
  void open_and_run(std::mt19937& random, int stalls, milliseconds stall) {
    const std::string opening = support::random_koko_opening(random);
    auto pieces = support::random_pieces(random, opening, stalls, stall);
    // The title, the greeting and the prompt come quickly, but cut anywhere.
    for (auto& piece : support::random_pieces(random, support::random_title(random) + kMotd, 0, {}))
      pieces.push_back(std::move(piece));
    KokoPrelude* koko = nullptr;
    bool ready_too_early = false;
    {
      support::ShellSession s(
          support::shell_named(random() % 2 ? "bash" : "dash"), {24, 120}, {},
          [&](event::EventLoop& loop,
              std::unique_ptr<transport::Transport> inner) -> std::unique_ptr<transport::Transport> {
            auto made = std::make_unique<KokoPrelude>(loop, std::move(inner), pieces, opening.size());
            koko = made.get();
            if (!GetParam()) return made;
            auto over_ssh = std::make_unique<KokoSshTransport>(
                loop, std::move(made), [&] { ready_too_early = !koko->connected(); }, KokoSshTransport::Times{});
            over_ssh->on_signed_in();
            return over_ssh;
          });
      const auto result = s.run("echo o''k");
      EXPECT_EQ(result.output, "ok\n") << s.screen_text();
      EXPECT_EQ(result.exit_code, 0);
      EXPECT_EQ(koko->too_early(), "") << "while this was shown: " << opening;
      EXPECT_FALSE(ready_too_early);
    }
  }
};

TEST_P(KokoOpening, InAnyOrderAndCutAnywhereIsNotTypedInto) {
  std::mt19937 random(20261118);
  for (int round = 0; round < 60 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    open_and_run(random, 0, {});
  }
}

TEST_P(KokoOpening, HoweverLongItStandsStillInTheMiddleIsNotTypedInto) {
  std::mt19937 random(4711);
  for (int round = 0; round < 6 && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    open_and_run(random, 2, milliseconds(1700));
  }
}

/// koko's port named by the operator himself: the channel closes in order, and only the words tell why.
class KokoWithoutMessages : public testing::Test {
 protected:
  /// Runs a command in what a script plays, to its end.
  CommandResult run(const std::string& script) {
    auto pty = transport::PtyTransport::launch(loop_, {.argv = {"sh", "-c", script}, .size = {24, 80}});
    EXPECT_TRUE(pty);
    ExecSession session(loop_, std::move(*pty), {.size = {24, 80}});
    session.start();
    std::optional<CommandResult> result;
    session.run({.command = "true"}, {{}, {}, [&](CommandResult done) { result = std::move(done); }});
    EXPECT_TRUE(loop_.run_until([&] { return result.has_value(); }, std::chrono::seconds(20)));
    return result.value_or(CommandResult{});
  }
  event::EventLoop loop_;
};

TEST_F(KokoWithoutMessages, WhyNothingOpenedIsToldInTheBastionsWords) {
  const auto refused =
      run("printf 'Connecting to a(a)@10.0.0.5  0.0\\b\\b\\b0.1\\r\\n'; "
          "echo 'Connecting to a(a)@10.0.0.5 error: Connection refused'");
  EXPECT_EQ(refused.status, Status::disconnected);
  EXPECT_EQ(refused.note_for_operator.find("the bastion could not reach the host: Connection refused. "), 0u)
      << refused.note_for_operator;
  const auto other = run("echo 'match asset failed: No found asset'");
  EXPECT_EQ(
      other.note_for_model.find("the session ended before a prompt was there: match asset failed: No found asset. "),
      0u)
      << other.note_for_model;
}

TEST_F(KokoWithoutMessages, WhyTheSessionEndedIsToldInTheBastionsWords) {
  const auto killed = run("printf '$ '; read line; printf '\\n\\r\\033[31mTerminated by admin Bob\\r\\n\\033[0m'");
  EXPECT_EQ(killed.status, Status::disconnected);
  EXPECT_EQ(killed.note_for_operator.find("an administrator ended the session (Terminated by admin Bob). "), 0u)
      << killed.note_for_operator;
}

INSTANTIATE_TEST_SUITE_P(Ways, KokoOpening, testing::Bool(),
                         [](const auto& one) { return one.param ? "ThroughJumpServer" : "PlainSsh"; });

}  // namespace
}  // namespace remote_exec
