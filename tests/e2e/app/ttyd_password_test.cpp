// The password that stands in `ws://user:password@host/` opens the terminal and is kept and shown nowhere.
#include "tests/e2e/app/ask_fixture.h"
#include "tests/e2e/app/session_fixture.h"
#include "tests/support/server_thread.h"
#include "tests/support/ttyd_server.h"

namespace app {
namespace {

using test_server::HttpRequest;
using test_server::TtydOnLoopback;
using test_server::TtydOptions;
using testing::HasSubstr;
using testing::Not;

// Percent-encoded as it is typed; neither form may be found again.
constexpr const char* kWord = "made-up:word-4711";
constexpr const char* kTyped = "made-up%3Aword-4711";
constexpr const char* kPart = "word-4711";

TtydOptions locked() {
  TtydOptions options;
  options.credential = std::string("ops:") + kWord;
  return options;
}

std::string address(int port, const std::string& login) {
  return "ws://" + login + "@127.0.0.1:" + std::to_string(port) + "/";
}

using AskBehindAPassword = Ask;

TEST_F(AskBehindAPassword, NeitherTheModelNorAnyRecordHearsIt) {
  TtydOnLoopback ttyd(loop_, locked());
  serve_model();
  model_runs("echo looked-around");
  model_says("done");
  const std::string target = address(ttyd.http.port(), std::string("ops:") + kTyped);
  const auto result = run_served({"ask", target, "what is here?"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result_in_request(1), HasSubstr("looked-around"));
  ASSERT_EQ(server_->requests().size(), 2u);
  for (const auto& request : server_->requests()) EXPECT_THAT(request.body, Not(HasSubstr(kPart)));
  EXPECT_THAT(everything_kept(), Not(HasSubstr(kPart)));
  const std::string shown = address(ttyd.http.port(), "ops");
  EXPECT_THAT(run({"sessions", "list"}).out, HasSubstr(shown));
  EXPECT_EQ(audit()[0]["target"], shown);
}

class SessionBehindAPassword : public BareSession {
 protected:
  std::string everything_kept() const {
    std::string text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(env_.home().path()))
      if (entry.is_regular_file()) text += support::read_text(entry.path().string());
    return text;
  }
  std::string recent() const { return env_.home().file("state/jms/targets"); }

  int port_ = 0;
  test_server::ServerThread ttyd_{[this](event::EventLoop& loop) {
    auto served = std::make_shared<TtydOnLoopback>(loop, locked());
    port_ = served->http.port();
    return served;
  }};
};

TEST_F(SessionBehindAPassword, ThePanelAndTheRecentTargetsDoNotShowIt) {
  start({24, 120}, {address(port_, std::string("ops:") + kTyped)});
  ASSERT_TRUE(open_panel());
  EXPECT_TRUE(shows(address(port_, "ops"))) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  enter("exit 0");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, 0}));
  EXPECT_THAT(jms_->output(), Not(HasSubstr(kPart)));
  EXPECT_THAT(support::read_text(recent()), HasSubstr(address(port_, "ops")));
  EXPECT_THAT(everything_kept(), Not(HasSubstr(kPart)));
}

TEST_F(SessionBehindAPassword, AListOfAnEarlierVersionIsShownWithoutIt) {
  env_.home().write("state/jms/targets", R"({"target":")" + address(port_, std::string("ops:") + kTyped) + "\"}\n");
  std::filesystem::permissions(env_.home().file("state/jms"), std::filesystem::perms::owner_all);
  launch({24, 120}, {});
  ASSERT_TRUE(jms_->wait_for_screen(address(port_, "ops"))) << jms_->screen_text();
  EXPECT_FALSE(shows(kPart));
}

}  // namespace
}  // namespace app
