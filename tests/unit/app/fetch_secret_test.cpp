#include "app/target/fetch_secret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "app/target/jumpserver.h"
#include "app/target/terminal_picture.h"
#include "tests/support/environment.h"
#include "tests/support/eventually.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

/// A session is drawn on the terminal: commands have none.
class InSession final : public transport::SshPrompter {
 public:
  void ask(const transport::SshQuestion&, Reply reply) override { reply(std::nullopt); }
  void withdraw() override {}
  bool terminal_is_free() const override { return false; }
};

base::Result<std::string> fetched(const std::string& command, milliseconds limit = milliseconds(10'000),
                                  int* turns = nullptr) {
  event::EventLoop loop;
  InSession prompter;
  event::Timer beat(loop);
  if (turns) beat.repeat(milliseconds(5), [turns] { ++*turns; });
  base::Result<std::string> secret = base::fail("nothing came");
  run_in_fiber(loop, prompter, {}, [&](transport::ConnectionSetup& setup) {
    secret = fetch_secret(setup, {command, ""}, "jumpserver.otp", limit);
  });
  return secret;
}

TEST(FetchSecret, GivesWhatIsPrintedWithoutItsLineEnd) {
  EXPECT_EQ(fetched("printf 'a b \\n'").value_or("failed"), "a b ");
  EXPECT_EQ(fetched("echo one; (sleep 30 &) ").value_or("failed"), "one") << "a child that stays keeps nobody";
}

TEST(FetchSecret, LeavesTheLoopFree) {
  int turns = 0;
  EXPECT_TRUE(fetched("sleep 0.3; echo x", milliseconds(10'000), &turns));
  EXPECT_GT(turns, 5);
}

TEST(FetchSecret, ThatFailsSaysWhyAndNotWhatItPrinted) {
  const auto failed = fetched("echo s3cret; echo 'the safe is shut' >&2; exit 3");
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("`jumpserver.otp_command` failed (the safe is shut); run it by hand"));
  EXPECT_THAT(failed.error().message, Not(HasSubstr("s3cret")));
  EXPECT_THAT(fetched("true").error().message, HasSubstr("printed nothing"));
}

TEST(FetchSecret, ThatHangsIsEnded) {
  const support::TempDir directory;
  const std::string pid = directory.file("pid");
  const auto hung = fetched("trap '' TERM; echo $$ > " + pid + "; while :; do sleep 1; done", milliseconds(500));
  ASSERT_FALSE(hung);
  EXPECT_THAT(hung.error().message, HasSubstr("did not end within 0 s"));
  const int number = std::stoi(support::read_text(pid));
  // Its loop is gone, so it is ours to wait for.
  EXPECT_TRUE(support::eventually([&] { return ::waitpid(number, nullptr, WNOHANG) != 0; })) << "the command went on";
}

TEST(FetchSecret, HasNoTerminalWhileASessionIsDrawnOnIt) {
  EXPECT_EQ(fetched("if (: < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi").value_or(""), "none");
}

TEST(TerminalPicture, IsSentInTheTerminalsOwnWay) {
  const std::string png = std::string("\x89PNG\r\n\x1a\n") + std::string(4000, 'x');
  const std::string kitty = picture_sequence(PictureProtocol::kitty, png);
  EXPECT_THAT(kitty, testing::StartsWith("\x1b_Ga=T,f=100,q=2,m=1;iVBORw0KGgp4"));
  EXPECT_THAT(kitty, HasSubstr("\x1b\\\x1b_Gm=0;"));
  EXPECT_THAT(picture_sequence(PictureProtocol::iterm, png),
              testing::StartsWith("\x1b]1337;File=inline=1;size=4008:iVBORw0KGgp4"));
  EXPECT_EQ(picture_sequence(PictureProtocol::none, png), "");
  EXPECT_EQ(picture_sequence(PictureProtocol::kitty, "GIF89a"), "") << "kitty takes PNG only";
}

TEST(TerminalPicture, GoesByWhatTheTerminalSaysOfItself) {
  const auto with = [](const char* term, const char* program, const char* tmux) {
    const support::EnvironmentVariable a("TERM", term), b("TERM_PROGRAM", program), c("TMUX", tmux),
        d("KITTY_WINDOW_ID", "");
    return picture_protocol();
  };
  EXPECT_EQ(with("xterm-kitty", "", ""), PictureProtocol::kitty);
  EXPECT_EQ(with("xterm-256color", "iTerm.app", ""), PictureProtocol::iterm);
  EXPECT_EQ(with("xterm-256color", "WezTerm", ""), PictureProtocol::iterm);
  EXPECT_EQ(with("xterm-256color", "", ""), PictureProtocol::none);
  EXPECT_EQ(with("xterm-kitty", "", "/tmp/tmux-0/default,1,0"), PictureProtocol::none);
}

}  // namespace
}  // namespace app
