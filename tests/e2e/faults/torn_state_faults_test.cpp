// Files of jms that are broken themselves: a disk that fills up while it works, a config that cannot be read, lines
// that a crash has torn.

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/e2e/faults/phases.h"

namespace faults {
namespace {

using testing::HasSubstr;

class TornState : public PhaseTest {
 protected:
  using Json = nlohmann::json;

  support::CommandOutput ask_about_the_disk() const { return witness_.run({"ask", "local", "is the disk full?"}); }
  std::string state(const std::string& file) const { return env_.home().file("state/jms/" + file); }
  static std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) found.push_back(Json::parse(line, nullptr, false));
    return found;
  }
};

TEST_F(TornState, ADiskThatFillsUpWhileItWorksLosesNoRecord) {
  if (!support::Sshd::can_hide_files()) GTEST_SKIP() << "needs mount namespaces";
  // Room for the first records only. They are copied before the mount goes with its program.
  std::filesystem::create_directories(env_.home().file("state"));
  const std::string kept = env_.home().file("kept"), at = env_.home().file("state/jms");
  const auto asked = support::run_command(
      {.argv = {"unshare", "-m", "sh", "-c",
                "mkdir -m 700 " + at + " && mount -t tmpfs -o size=8k,mode=0700 none " + at +
                    " && \"$@\"; code=$?; mkdir -m 700 " + kept + "; cp -pr " + at + "/audit " + kept + "; exit $code",
                "sh", JMS_BINARY, "ask", "--json", "local", "is the disk full?"},
       .environment = env_.variables(),
       .input = {}});
  int ran = 0, told = 0;
  for (const auto& event : json_lines(asked.out)) {
    const std::string type = event.value("type", ""), text = event.dump();
    ran += type == "tool_result" && text.find("[exit 0") != std::string::npos;
    told += type == "notice" && text.find("\"The audit record cannot be written") != std::string::npos;
  }
  EXPECT_EQ(json_lines(asked.out).back().value("type", ""), "done") << asked.err;
  EXPECT_THAT(asked.out, HasSubstr("audit record cannot be written")) << "the disk was full, and it is told";

  std::filesystem::rename(kept + "/audit", at + "/audit");
  int begun = 0, ended = 0;
  for (const auto& record : witness_.records()) {
    begun += record.value("event", "") == "start";
    ended += record.value("event", "") == "end";
  }
  EXPECT_GT(begun, 0);
  EXPECT_LE(ran, begun) << "a command whose record does not fit does not run";
  EXPECT_EQ(begun - ended, told) << "an end that does not fit is told";
  std::filesystem::remove_all(at + "/audit");
  witness_.expect_whole(kNothing);
}

class BrokenConfig : public TornState, public testing::WithParamInterface<support::Named<const char*>> {};

TEST_P(BrokenConfig, StopsEverythingBeforeItBegins) {
  env_.write_config(GetParam().value);
  const auto asked = ask_about_the_disk();
  EXPECT_EQ(asked.code, 2);
  EXPECT_THAT(asked.err, HasSubstr("config.toml"));
  EXPECT_EQ(asked.out, "");
  launch({24, 100}, {"local"});
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{2, 0})) << jms_->output();
  EXPECT_THAT(jms_->output(), HasSubstr("config.toml"));
  expect_restored(*jms_);
  env_.write_config("hint = false\n");
  witness_.expect_whole(kNothing);
}

INSTANTIATE_TEST_SUITE_P(With, BrokenConfig,
                         testing::Values(support::Named<const char*>{"hotkey = ", "HalfALine"},
                                         support::Named<const char*>{"no_such_key = 1\n", "AnUnknownKey"},
                                         support::Named<const char*>{"[model]\nname = 7\n", "AValueOfTheWrongKind"},
                                         support::Named<const char*>{"\xff\xfe", "BytesThatAreNoText"}),
                         [](const auto& choice) { return std::string(choice.param.name); });

TEST_F(TornState, ATornAuditLineIsFoundAndTheLogGoesOn) {
  ASSERT_EQ(ask_about_the_disk().code, 0);
  const auto whole = witness_.events();
  const std::string log = state("audit/audit.jsonl");
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 20);
  EXPECT_EQ(witness_.run({"audit", "verify"}).code, 1);
  // A crash in the middle of a write leaves such a line; it must not keep the operator from working.
  EXPECT_EQ(ask_about_the_disk().code, 0);
  // What was torn was the end of the last command: all before it stays, and what follows is whole again.
  auto left = whole;
  left.pop_back();
  left.insert(left.end(), whole.begin(), whole.end());
  witness_.expect_whole({.events = left, .marks = ""});
}

TEST_F(TornState, ATornSessionFileIsReadAsFarAsItGoes) {
  ASSERT_EQ(ask_about_the_disk().code, 0);
  const std::string list = witness_.run({"sessions", "list"}).out;
  const std::string id = list.substr(0, list.find(' '));
  for (const auto& entry : std::filesystem::directory_iterator(state("sessions")))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 15);
  const auto shown = witness_.run({"sessions", "show", id});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("is the disk full?"));
  EXPECT_EQ(witness_.run({"sessions", "resume", id, "is memory short?"}).code, 0);
  witness_.expect_whole({});
}

}  // namespace
}  // namespace faults
