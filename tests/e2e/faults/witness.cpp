#include "tests/e2e/faults/witness.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/support/describe_modes.h"

namespace faults {

using Json = nlohmann::json;

Witness::Witness(const support::TestEnv& env)
    : env_(env),
      short_command_("echo x >> " + folder_.file("marks") + "; echo frob''-began"),
      command_(short_command_ + "; sleep 60") {
  env_.home().write("config/jms/skills/slow-frobnicator/SKILL.md",
                    "---\nname: slow-frobnicator\ndescription: Find out why the frobnicator is slow.\n---\n"
                    "## 1. Wait\n```bash\n" +
                        command_ + "\n```\nexpect: exit 0\n## 2. Look\n```bash\n" + short_command_ +
                        "\n```\nexpect: exit 0\n");
}

std::string Witness::marks() const {
  const std::string file = folder_.file("marks");
  return std::filesystem::exists(file) ? support::read_text(file) : "";
}

/// Models and bastions were part of the fault; who comes next has none.
std::vector<std::string> Witness::variables() const {
  auto kept = env_.variables();
  std::erase_if(kept, [](const std::string& variable) {
    return variable.starts_with("ANTHROPIC_") || variable.starts_with("OPENAI_") || variable.starts_with("JMS_");
  });
  return kept;
}

support::CommandOutput Witness::run(std::vector<std::string> arguments, std::string input) const {
  arguments.insert(arguments.begin(), JMS_BINARY);
  return support::run_command({.argv = arguments, .environment = variables(), .input = std::move(input)});
}

std::vector<Json> Witness::records() const {
  std::vector<Json> found;
  if (!std::filesystem::exists(env_.home().file("state/jms/audit/audit.jsonl"))) return found;
  const auto verified = run({"audit", "verify"});
  EXPECT_EQ(verified.code, 0) << verified.err;
  std::istringstream lines(run({"audit", "list"}).out);
  for (std::string line; std::getline(lines, line);) found.push_back(Json::parse(line, nullptr, false));
  // Before the command that the tests are about the engine looks whether its one program is there.
  std::erase_if(found, [](const Json& record) { return record.value("command", "") == "command -v sleep; true"; });
  return found;
}

Left::Events Witness::events() const {
  Left::Events events;
  for (const auto& record : records()) events.push_back(record.value("event", "?"));
  return events;
}

void Witness::expect_whole(const Left& left) const {
  const auto count = [](const Left::Events& events, const char* name) {
    return std::count(events.begin(), events.end(), name);
  };
  const auto before = events();
  if (left.events) {
    EXPECT_EQ(before, *left.events);
  }
  // Only a test that knows better, because nobody was left to write it, names a start without its end.
  const auto unended = left.events ? count(*left.events, "start") - count(*left.events, "end") : 0;
  EXPECT_EQ(count(before, "start") - count(before, "end"), unended) << testing::PrintToString(before);
  EXPECT_EQ(marks(), left.marks);

  expect_next_session();
  const auto asked = run({"ask", "local", "is the disk full?"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  const auto after = events();
  EXPECT_GT(after.size(), before.size()) << "the next commands are recorded";
  EXPECT_EQ(count(after, "start") - count(after, "end"), unended) << testing::PrintToString(after);
  EXPECT_EQ(marks(), left.marks) << "nothing runs again";
}

void Witness::expect_next_session() const {
  support::PtyProgram next(
      {.argv = {JMS_BINARY, "local"}, .environment = variables(), .size = {24, 80}, .directory = env_.home().path()});
  EXPECT_TRUE(next.wait_for("$ ")) << next.output();
  next.send("echo ag''ain; exit 0\r");
  EXPECT_TRUE(next.wait_for("again\r\n")) << next.output();
  EXPECT_EQ(next.wait_for_exit(), (support::Ending{0, 0})) << next.output();
  expect_restored(next);
}

void expect_restored(const support::PtyProgram& program) {
  const termios& before = program.first_settings();
  const termios after = program.settings();
  EXPECT_EQ(after.c_lflag, before.c_lflag);
  EXPECT_EQ(after.c_iflag, before.c_iflag);
  EXPECT_EQ(after.c_oflag, before.c_oflag);
  EXPECT_EQ(after.c_cflag, before.c_cflag);
  EXPECT_EQ(support::describe(program.screen().modes()), support::describe(terminal::Modes{}));
}

}  // namespace faults
