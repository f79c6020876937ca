#include "app/target/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config/exec_options.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

class TargetTest : public testing::Test {
 protected:
  /// What is known of a target before it is opened.
  TargetFacts known(const std::string& target) {
    options_.target = target;
    TargetFacts facts;
    const auto factory = connect_to(loop_, options_, config_, facts);
    EXPECT_TRUE(factory) << factory.error().message;
    return facts;
  }
  std::string encoding_on(const std::string& target) { return exec_options(config_, known(target), "").encoding; }

  event::EventLoop loop_;
  support::TempDir home_;
  Config config_;
  TargetOptions options_;
};

TEST_F(TargetTest, TheSettingsOfAHostHoldHoweverItIsNamed) {
  config_.exec_encodings = {"db1=GB18030", "10.0.0.7=BIG5"};
  options_.ssh_config = home_.write("ssh_config", "Host alias\n  HostName 10.0.0.7\n");
  EXPECT_EQ(encoding_on("db1"), "GB18030");
  EXPECT_EQ(encoding_on("ops@db1"), "GB18030");
  EXPECT_EQ(encoding_on("ssh://ops@db1:2222"), "GB18030");
  EXPECT_EQ(encoding_on("ops@alias"), "BIG5");
  EXPECT_EQ(encoding_on("ws://ops@db1:7681/"), "GB18030");
  EXPECT_EQ(encoding_on("ops@db2"), "");
}

TEST_F(TargetTest, APasswordInTheTargetIsTakenOutOfIt) {
  const auto facts = known("ws://ops:made-up-word@db1:7681/");
  EXPECT_EQ(options_.target, "ws://ops@db1:7681/");
  EXPECT_EQ(facts.place.name, "ws://ops@db1:7681/");
  EXPECT_THAT(facts.place.also, testing::ElementsAre("db1"));
}

}  // namespace
}  // namespace app
