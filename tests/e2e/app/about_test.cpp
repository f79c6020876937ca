// `jms about`, and the log that --log-level asks for.

#include "tests/e2e/app/command_fixture.h"

namespace app {
namespace {

using testing::HasSubstr;
using testing::Not;

class AboutCommand : public CommandTest {};

class LogFile : public CommandTest {
 protected:
  LogFile() { env_.set("JMS_STATE_DIR", env_.home() / "state"); }
  std::string log() const {
    const std::string path = env_.home() / "state/jms.log";
    return std::filesystem::exists(path) ? support::read_text(path) : "";
  }
  Words nowhere() const { return {"exec", "-p", "1", "127.0.0.1", "--", "true"}; }
};

TEST_F(AboutCommand, MeasuresTheRunningBinary) {
  const auto about = run({"about", "--json"});
  ASSERT_EQ(about.code, 0) << about.err;
  const auto json = nlohmann::json::parse(about.out);
  EXPECT_GT(json["binary_bytes"], 1'000'000);
  EXPECT_GT(json["start_ms"], 0.0);
  EXPECT_GT(json["session_bytes"], 1'000'000);
  EXPECT_GT(json["echo"]["median_ms"], 0.0);
  EXPECT_GE(json["echo"]["p99_ms"], json["echo"]["median_ms"]);
  EXPECT_GT(json["bare_echo"]["median_ms"], 0.0);
}

TEST_F(AboutCommand, TellsTheSameToAPerson) {
  const auto about = run({"about"});
  ASSERT_EQ(about.code, 0) << about.err;
  for (const char* word : {"jms 0", "binary", "start", "memory", "echo"}) EXPECT_THAT(about.out, HasSubstr(word));
}

TEST_F(LogFile, TellsWhatWentWrong) {
  EXPECT_EQ(run(nowhere()).code, 1);
  EXPECT_THAT(log(), HasSubstr("nothing listens there"));
}

TEST_F(LogFile, IsNotMadeWhenItIsOff) {
  Words arguments = nowhere();
  arguments.insert(arguments.begin(), {"--log-level", "off"});
  EXPECT_EQ(run(arguments).code, 1);
  EXPECT_EQ(log(), "");
}

TEST_F(LogFile, HoldsNothingTheRemotePrintedUnlessNamed) {
  EXPECT_EQ(run({"--log-level", "debug", "exec", "local", "--", "echo hun''ter2"}).code, 0);
  EXPECT_THAT(log(), Not(HasSubstr("hunter2")));
}

TEST_F(LogFile, AnUnknownLevelIsAMistake) {
  expect_refusal({"--log-level", "loud", "doctor"}, "--log-level");
}

}  // namespace
}  // namespace app
