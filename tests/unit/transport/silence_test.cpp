// When a silent server may be taken for dead, and when the silence was our own.
#include "transport/websocket/silence.h"

#include <gtest/gtest.h>

namespace transport {
namespace {

using std::chrono::seconds;

class SilenceTest : public testing::Test {
 protected:
  /// What it says at second `now`, when something last came at second `heard`.
  auto at(int now, int heard) { return silence_.at_tick(begin_ + seconds(now), begin_ + seconds(heard)); }

  Silence::Clock::time_point begin_ = Silence::Clock::time_point{} + seconds(1000);
  Silence silence_{begin_, seconds(20), seconds(60)};
};

TEST_F(SilenceTest, IsTheTimeSinceSomethingCame) {
  EXPECT_EQ(at(20, 19), seconds(1));
  EXPECT_EQ(at(40, 19), seconds(21));
  EXPECT_EQ(at(60, 19), seconds(41));
  EXPECT_EQ(at(80, 80), seconds(0));
}

TEST_F(SilenceTest, BeginsAnewWhenOurOwnTickComesLate) {
  EXPECT_EQ(at(20, 20), seconds(0));
  EXPECT_EQ(at(300, 20), seconds(0)) << "we stood still; what came is not read yet";
  EXPECT_EQ(at(320, 20), seconds(20));
  EXPECT_EQ(at(360, 20), seconds(0));
}

TEST_F(SilenceTest, OfADeadServerGrowsThoughTicksAreALittleLate) {
  for (int now = 0; now <= 100; now += 25) EXPECT_EQ(at(now, 0), seconds(now));
}

}  // namespace
}  // namespace transport
