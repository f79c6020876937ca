// A WebSocket that ends in every way it can, with each code, while a command runs and while nothing does: the command
// is unknown and ran once, its record is whole, the operator is told why, the next start works.

#include <gmock/gmock.h>

#include <future>

#include "tests/e2e/faults/phases.h"
#include "tests/e2e/faults/websocket_closes.h"

namespace faults {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

const auto kCloseName = [](const auto& choice) { return choice.param.name; };

class CloseFault : public PhaseTest, public testing::WithParamInterface<Close> {
 protected:
  /// jms with `words`, the bastion's target and `more`, while the bastion answers and `beside` is done again and again.
  support::CommandOutput run_served(
      Words words, const Words& more, const std::function<void()>& beside = [] {}) {
    const auto target = bastion_->target();
    words.insert(words.begin(), JMS_BINARY);
    words.insert(words.end(), target.begin(), target.end());
    words.insert(words.end(), more.begin(), more.end());
    auto result = std::async(std::launch::async, [this, words] {
      return support::run_command({.argv = words, .environment = env_.variables(), .input = {}});
    });
    const auto ready = [&result] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    while (!ready()) {
      loop_.run_until(ready, Ms(10));
      beside();
    }
    return result.get();
  }
  /// The same; breaks the socket when the command has left its mark.
  support::CommandOutput run_broken(const Words& words, const Words& more) {
    bool broken = false;
    const auto result = run_served(words, more, [&] {
      if (broken || witness_.marks().empty()) return;
      GetParam().make(bastion_->socket());
      broken = true;
    });
    EXPECT_TRUE(broken) << "the command never ran: " << result.err;
    return result;
  }
  /// Over the same bastion, and all the rest.
  void expect_whole_and_reachable(const Left& left) {
    const auto again = run_served({"exec"}, {"--", "echo back"});
    EXPECT_EQ(again.out, "back\n") << again.err;
    EXPECT_EQ(again.code, 0);
    witness_.expect_whole(left);
  }
  void expect_unknown(const support::CommandOutput& result) {
    EXPECT_EQ(result.code, 125) << result.err;
    const auto json = nlohmann::json::parse(result.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << result.out << result.err;
    EXPECT_EQ(json.value("status", ""), "disconnected") << result.out;
    EXPECT_TRUE(json["exit_code"].is_null()) << result.out;
    EXPECT_THAT(json.value("note", ""), HasSubstr(GetParam().told));
    EXPECT_THAT(json.value("note", ""), testing::Not(HasSubstr("\x1b")));
  }

  std::unique_ptr<Bastion> bastion_;
};

TEST_P(CloseFault, OfTtydWhileACommandRuns) {
  bastion_ = std::make_unique<Ttyd>(loop_);
  expect_unknown(run_broken({"exec", "--json"}, {"--", witness_.command()}));
  expect_whole_and_reachable(left_by(Phase::exec));
}

TEST_P(CloseFault, OfKokoWhileACommandRuns) {
  bastion_ = std::make_unique<Koko>(loop_, env_);
  expect_unknown(run_broken({"exec", "--json"}, {"--", witness_.command()}));
  expect_whole_and_reachable(left_by(Phase::exec));
}

TEST_P(CloseFault, WhileTheAssistantsCommandRuns) {
  bastion_ = std::make_unique<Koko>(loop_, env_);
  const auto asked = run_broken({"ask", "--yes-changes"}, {Witness::kQuestion});
  EXPECT_EQ(asked.code, 1) << asked.out << asked.err;
  const auto records = witness_.records();
  EXPECT_GE(records.size(), 2u);
  for (const auto& record : records) EXPECT_TRUE(record["exit_code"].is_null()) << record;
  expect_whole_and_reachable({.events = std::nullopt, .marks = "x\n"});
}

INSTANTIATE_TEST_SUITE_P(Every, CloseFault, testing::ValuesIn(all_closes()), kCloseName);

class CloseInASession : public PhaseTest, public testing::WithParamInterface<Close> {
 protected:
  [[nodiscard]] bool wait_for_screen(const std::string& text) {
    return wait_served([&] { return shows(text); });
  }

  Ttyd ttyd_{loop_};
};

TEST_P(CloseInASession, IsToldAndTheSessionCanBeOpenedAgain) {
  launch({24, 100}, ttyd_.target());
  ASSERT_TRUE(wait_for_screen("\n$")) << jms_->screen_text();
  jms_->send("printf '\\033[?1049h\\033[?1000h'; echo full''-screen\r");
  ASSERT_TRUE(wait_for_screen("full-screen"));
  GetParam().make(ttyd_.socket());
  if (GetParam().in_order) return expect_whole({0, 0}, kNothing);
  ASSERT_TRUE(wait_for_screen("press r to reconnect")) << jms_->screen_text();
  EXPECT_TRUE(shows(GetParam().told)) << jms_->screen_text();
  EXPECT_FALSE(jms_->screen().alternate());
  jms_->send("r");
  ASSERT_TRUE(wait_for_screen("reconnecting"));
  jms_->send("echo ba''ck\r");
  ASSERT_TRUE(wait_for_screen("\nback")) << jms_->screen_text();
  jms_->send("exit 0\r");
  expect_whole({0, 0}, kNothing);
}

INSTANTIATE_TEST_SUITE_P(Every, CloseInASession, testing::ValuesIn(all_closes()), kCloseName);

}  // namespace
}  // namespace faults
