// Completions offer what the program takes, command by command.

#include <regex>
#include <sstream>

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/command_help.h"

namespace app {
namespace {

using Names = std::set<std::string>;

class Completions : public CommandTest {
 protected:
  /// The long options among the words that a shell's program prints.
  Names offered(const Words& argv) const {
    const auto output = support::run_command({.argv = argv, .environment = env_.variables()});
    EXPECT_EQ(output.code, 0) << output.err;
    std::istringstream words(output.out);
    Names options;
    for (std::string word; words >> word;)
      if (word.starts_with("--") && word != "--help") options.insert(word);
    return options;
  }
  static Names taken(const CommandHelp& help) {
    Names options;
    for (const auto& option : help.options)
      if (option.starts_with("--") && option != "--help") options.insert(option);
    return options;
  }

  const std::map<std::string, CommandHelp> known_ =
      read_help([this](const Words& arguments) { return run(arguments).out; });
};

TEST_F(Completions, OfBashAreTheOptionsOfEachCommand) {
  const std::string complete = "source " JMS_SOURCE_DIR
                               "/completions/jms.bash; COMP_WORDS=(jms $1 --); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                               "_jms; printf '%s\\n' \"${COMPREPLY[@]}\"";
  for (const auto& [path, help] : known_)
    EXPECT_EQ(offered({"bash", "-c", complete, "bash", path}), taken(help)) << "jms " << path;
}

TEST_F(Completions, OfFishAreTheOptionsOfEachCommand) {
  for (const auto& [path, help] : known_)
    EXPECT_EQ(offered({"fish", "--no-config", "-c",
                       "source " JMS_SOURCE_DIR "/completions/jms.fish; complete -C 'jms " + path +
                           " --' | string replace -r '\\t.*' ''"}),
              taken(help))
        << "jms " << path;
}

/// zsh completes with a terminal only; its file is one text that must name them all.
TEST_F(Completions, OfZshNameEveryOption) {
  const std::string text = support::read_text(JMS_SOURCE_DIR "/completions/_jms");
  Names named, all;
  static const std::regex option("['*)](--[a-z-]+)\\[");
  for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at) named.insert((*at)[1]);
  for (const auto& [path, help] : known_) all.merge(taken(help));
  named.erase("--help");
  EXPECT_EQ(named, all);
}

}  // namespace
}  // namespace app
