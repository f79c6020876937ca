// Completions offer what the program takes, command by command.

#include <regex>
#include <sstream>

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/command_help.h"
#include "tests/support/pty_program.h"

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
  const std::string complete = "source '" JMS_SOURCE_DIR
                               "/completions/jms.bash'; COMP_WORDS=(jms $1 --); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                               "_jms; printf '%s\\n' \"${COMPREPLY[@]}\"";
  for (const auto& [path, help] : known_)
    EXPECT_EQ(offered({"bash", "-c", complete, "bash", path}), taken(help)) << "jms " << path;
}

TEST_F(Completions, OfFishAreTheOptionsOfEachCommand) {
  for (const auto& [path, help] : known_)
    EXPECT_EQ(offered({"fish", "--no-config", "-c",
                       "source '" JMS_SOURCE_DIR "/completions/jms.fish'; complete -C 'jms " + path +
                           " --' | string replace -r '\\t.*' ''"}),
              taken(help))
        << "jms " << path;
}

/// zsh completes with a terminal only; its file is one text that must name them all. The test after this runs it.
TEST_F(Completions, OfZshNameEveryOption) {
  const std::string text = support::read_text(JMS_SOURCE_DIR "/completions/_jms");
  Names named, all;
  static const std::regex option("['*)](--[a-z-]+)\\[");
  for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at) named.insert((*at)[1]);
  for (const auto& [path, help] : known_) all.merge(taken(help));
  named.erase("--help");
  EXPECT_EQ(named, all);
}

TEST_F(Completions, OfZshWorkAtItsPrompt) {
  const auto read = support::run_command(
      {.argv = {"zsh", "-n", JMS_SOURCE_DIR "/completions/_jms"}, .environment = env_.variables()});
  EXPECT_EQ(read.code, 0) << read.err;
  support::PtyProgram zsh({.argv = {"zsh", "-f", "-i"}, .environment = env_.variables(), .size = {}});
  zsh.send("fpath=('" JMS_SOURCE_DIR "/completions' $fpath); autoload -Uz compinit; compinit -u -D; PS1='zs''h> '\r");
  ASSERT_TRUE(zsh.wait_for("zsh> ")) << zsh.screen_text();
  const std::pair<const char*, const char*> lines[] = {{"jms pol", "jms policy"},
                                                       {"jms policy che", "jms policy check"},
                                                       {"jms policy check --js", "jms policy check --json"},
                                                       {"jms login --us", "jms login --user"},
                                                       {"jms assets --cach", "jms assets --cached"},
                                                       {"jms ask local --yes", "jms ask local --yes-changes"},
                                                       {"jms exec --timeo", "jms exec --timeout"},
                                                       {"jms --prov", "jms --provider"}};
  for (const auto& [typed, completed] : lines) {
    // Ctrl-U comes in its turn; a Ctrl-C would be a signal that the completion still at work takes for itself.
    zsh.send("\x15" + std::string(typed) + "\t");
    EXPECT_TRUE(zsh.wait_for_screen(std::string("zsh> ") + completed + "\n")) << typed << "\n" << zsh.screen_text();
  }
}

}  // namespace
}  // namespace app
