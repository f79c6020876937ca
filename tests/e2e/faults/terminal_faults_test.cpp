// The operator's terminal goes away at every phase, and a storm of sizes comes at every phase.

#include <signal.h>

#include <random>

#include "tests/e2e/faults/phases.h"

namespace faults {
namespace {

class TerminalGone : public PhaseTest, public testing::WithParamInterface<Place> {};

/// A window that is closed: the kernel sends SIGHUP to whoever has it as the controlling terminal.
TEST_P(TerminalGone, EndsEverything) {
  ASSERT_NO_FATAL_FAILURE(bring_to(GetParam().value));
  jms_->hang_up();
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, SIGHUP}));
  witness_.expect_whole(left_by(GetParam().value));
}

INSTANTIATE_TEST_SUITE_P(Every, TerminalGone, testing::ValuesIn(kPhases), kPlaceName);

/// The same terminal without being the controlling one: no signal comes, reading it fails with EIO, and that is all.
class TerminalGoneSilently : public TerminalGone {
 protected:
  TerminalGoneSilently() { controlling_ = false; }
};

TEST_P(TerminalGoneSilently, EndsEverything) {
  ASSERT_NO_FATAL_FAILURE(bring_to(GetParam().value));
  jms_->hang_up();
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, SIGHUP}));
  witness_.expect_whole(left_by(GetParam().value));
}

/// Where jms reads the terminal that it was started on: `jms login` asks its questions on the controlling one, and
/// `jms exec` reads nothing.
std::vector<Place> phases_that_read() {
  std::vector<Place> found;
  for (const auto& place : kPhases)
    if (place.value != Phase::login && place.value != Phase::exec) found.push_back(place);
  return found;
}
INSTANTIATE_TEST_SUITE_P(Every, TerminalGoneSilently, testing::ValuesIn(phases_that_read()), kPlaceName);

class StormFault : public PhaseTest, public testing::WithParamInterface<Place> {
 protected:
  static constexpr const char* kStop = "Ctrl+C stop";

  void storm() {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
      jms_->resize({static_cast<int>(random() % 60 + 1), static_cast<int>(random() % 200 + 1)});
      jms_->wait_until([] { return false; }, Ms(1));
    }
    jms_->resize({24, 80});
  }
  /// What was under way is still there after the storm; Ctrl+C ends it, and the panel closes.
  void stop_what_runs(const char* sign) {
    // The sign first: the emulator has dropped it in between, and jms draws it at the new size.
    ASSERT_TRUE(jms_->wait_for_screen(sign, Ms(30'000))) << jms_->screen_text();
    jms_->send("\x03");
    ASSERT_TRUE(jms_->wait_until([this, sign] { return !shows(sign) && panel_is_open(); }, Ms(30'000)))
        << jms_->screen_text();
    ASSERT_TRUE(close_panel()) << jms_->screen_text();
  }
  void leave_the_session() {
    EXPECT_TRUE(wait_for_remote_size({24, 80}));
    expect_usable();
    enter("exit 0");
    expect_whole({0, 0}, left_by(GetParam().value));
  }
};

TEST_P(StormFault, OfSizesChangesNothingButTheSize) {
  ASSERT_NO_FATAL_FAILURE(bring_to(GetParam().value));
  storm();
  switch (GetParam().value) {
    case Phase::connecting:
      jms_->send("\x03");
      return expect_whole({130, 0}, kNothing);
    case Phase::panel:
      ASSERT_TRUE(wait_for_panel()) << jms_->screen_text();
      ASSERT_TRUE(close_panel()) << jms_->screen_text();
      break;
    case Phase::streaming:
    case Phase::command:
      ASSERT_NO_FATAL_FAILURE(stop_what_runs(kStop));
      break;
    case Phase::approval:
      pause(app::kNotQuickly);  // A question takes no key that may have been on its way to something else.
      ASSERT_NO_FATAL_FAILURE(stop_what_runs("Run this on local?"));
      break;
    default:
      break;
  }
  leave_the_session();
}

INSTANTIATE_TEST_SUITE_P(Every, StormFault,
                         testing::Values(Place{Phase::connecting, "WhileConnecting"},
                                         Place{Phase::prompt, "AtThePrompt"}, Place{Phase::panel, "WithThePanelOpen"},
                                         Place{Phase::streaming, "WhileAnAnswerStreams"},
                                         Place{Phase::approval, "WithAnApprovalOpen"},
                                         Place{Phase::command, "WhileACommandRuns"}),
                         kPlaceName);

}  // namespace
}  // namespace faults
