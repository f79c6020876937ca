// Every command that the documents show is run: the lines after `$ ` in blocks marked ```console. Lines of output stand
// there for the reader and are not compared. `# exit N` at the end of a line names an exit code other than 0.

#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/e2e/app/ssh_session_fixture.h"

namespace app {
namespace {

struct Shown {
  std::string place;
  std::string command;
  int code = 0;
};

/// The commands of one document.
std::vector<Shown> commands_of(const std::string& path) {
  std::vector<Shown> found;
  std::ifstream file(path);
  bool console = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with("```")) console = line == "```console";
    if (!console || !line.starts_with("$ ")) continue;
    Shown shown{std::filesystem::path(path).filename().string() + ":" + std::to_string(number), line.substr(2)};
    static const std::regex exits("#.*\\bexit (\\d+)");
    if (std::smatch match; std::regex_search(line, match, exits)) shown.code = std::stoi(match[1]);
    found.push_back(shown);
  }
  return found;
}

std::vector<Shown> all_commands() {
  std::vector<Shown> found = commands_of(JMS_SOURCE_DIR "/README.md");
  for (const auto& entry : std::filesystem::directory_iterator(JMS_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md")
      for (auto& shown : commands_of(entry.path())) found.push_back(std::move(shown));
  return found;
}

/// The hosts that the documents name, on this machine: db1 behind gate1 and gate2.
class DocumentsTest : public SshSession {
 protected:
  DocumentsTest() {
    for (const char* host : {"db1", "gate1", "gate2"}) {
      servers_.push_back(serve_known());
      name(host, servers_.back()->port());
    }
    // `jms` of the documents: this binary, with the test's ssh_config and user.
    const std::string user = support::current_user();
    // (bash forgets PS1 when it runs a script.)
    functions_ = "export PS1='$ '\njms() { local word=$1; case $word in exec|ask) shift; set -- $word -F '" +
                 options()[1] +
                 "' \"$@\";; local|skills|sessions|policy|redact|audit|about|doctor|debug|--*) ;; *) set -- -F '" +
                 options()[1] + "' \"$@\";; esac; command '" JMS_BINARY "' \"${@//ops@/" + user + "@}\"; }\n";
  }

  /// Runs a line as an operator would; a session that opens is left again with `exit`.
  void run(const Shown& shown) {
    const std::string script = env_.home().write("line.sh", functions_ + shown.command + "\n");
    jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{.argv = {"bash", script},
                                                                              .environment = env_.variables(),
                                                                              .size = {40, 120},
                                                                              .directory = env_.home().path(),
                                                                              .emulate = true,
                                                                              .answer_queries = true});
    const auto at_a_prompt = [this] { return jms_->row(jms_->screen().cursor().row).starts_with("$"); };
    if (jms_->wait_until(at_a_prompt, Ms(20'000))) jms_->send("exit\r");
    const auto ending = jms_->wait_for_exit(Ms(60'000));
    ASSERT_TRUE(ending) << shown.place << ": " << shown.command << "\n" << jms_->output();
    EXPECT_EQ(*ending, (support::Ending{shown.code, 0})) << shown.place << ": " << shown.command << "\n"
                                                         << jms_->output();
  }

  std::vector<std::unique_ptr<support::Sshd>> servers_;
  std::string functions_;
};

TEST_F(DocumentsTest, ShowCommandsThatWork) {
  const auto commands = all_commands();
  EXPECT_GE(commands.size(), 15u);
  for (const auto& shown : commands) run(shown);
}

}  // namespace
}  // namespace app
