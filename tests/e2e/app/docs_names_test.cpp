// Commands, options and slash commands: what the documents name is there, and what is there is in the manual.

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "panel/slash_command.h"
#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/command_help.h"
#include "tests/e2e/app/documents.h"

namespace app {
namespace {

using Names = std::set<std::string>;

Names find_all(const std::string& text, const std::regex& pattern) {
  Names found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}
Names long_options(const std::string& text) {
  static const std::regex option("(?:^|[^\\w-])(--[a-z][a-z-]*[a-z])");
  return find_all(text, option);
}

class DocumentedNames : public CommandTest {
 protected:
  bool has_option(const std::string& path, const std::string& option) const {
    for (const auto& [name, helped] : known_)
      if ((name == path || name.starts_with(path + " ")) && helped.options.count(option)) return true;
    return false;
  }
  bool any_has_option(const std::string& option) const {
    return std::any_of(known_.begin(), known_.end(), [&](const auto& one) { return one.second.options.count(option); });
  }

  /// Says what is wrong with a command line of jms, as text shows it; empty: nothing.
  std::string mistake_in(const std::string& line) const {
    static const std::regex target("local|host|TARGET|ARGS|.*@.*|.*://.*"), word("[a-z]+");
    std::istringstream words(line.substr(0, line.find(" -- ")));
    std::string path, at;
    words >> at;
    while (words >> at) {
      const auto& commands = known_.at(path).commands;
      if (at.starts_with("--")) {
        const std::string option = at.substr(0, at.find('='));
        if (!has_option(path, option) && !has_option("", option)) return "no option " + option;
      } else if (commands.count(at)) {
        path += (path.empty() ? "" : " ") + at;
      } else if (!commands.empty() && std::regex_match(at, word) && !std::regex_match(at, target)) {
        return "no command " + at;
      } else {
        break;  // A target, a question, a value: the rest is its own.
      }
    }
    return "";
  }

  const std::map<std::string, CommandHelp> known_ =
      read_help([this](const Words& arguments) { return run(arguments).out; });
};

TEST_F(DocumentedNames, TheManualHasEveryCommandAndOption) {
  const std::string manual = documents::named("docs/man/jms.1").text;
  EXPECT_GE(known_.size(), 25u);
  for (const auto& [path, helped] : known_) {
    if (!path.empty()) {
      EXPECT_NE(manual.find(path.substr(path.rfind(' ') + 1)), std::string::npos) << path;
    }
    for (const auto& option : helped.options) {
      const std::regex whole("(^|[^\\w-])" + option + "($|[^\\w-])");
      EXPECT_TRUE(option == "-h" || std::regex_search(manual, whole)) << "jms " << path << " " << option;
    }
  }
}

TEST_F(DocumentedNames, TheSynopsisGivesEachCommandItsOptions) {
  const std::string manual = documents::named("docs/man/jms.1").text;
  const std::size_t begin = manual.find(".SH SYNOPSIS"), end = manual.find(".SH DESCRIPTION");
  const std::string synopsis = manual.substr(begin, end - begin);
  const std::size_t section = manual.find(".SH TARGET OPTIONS");
  const Names shared = long_options(manual.substr(section, manual.find(".SH COMMANDS") - section));
  const std::regex entry("\\.B jms( [a-z]+)?");
  std::map<std::string, Names> written;
  for (std::sregex_iterator at(synopsis.begin(), synopsis.end(), entry), last; at != last; ++at) {
    const std::string command = (*at)[1].matched ? (*at)[1].str().substr(1) : "";
    ASSERT_TRUE(known_.count(command)) << command;
    const std::string rest = at->suffix().str();
    const std::string text = rest.substr(0, rest.find(".br"));
    for (const auto& option : long_options(text)) {
      written[command].insert(option);
      EXPECT_TRUE(has_option(command, option)) << "jms " << command << " " << option;
    }
    // Those that many commands share are written once.
    if (text.find("target options") != std::string::npos) written[command].merge(Names(shared));
    if (text.find("options of ask") != std::string::npos) written[command].merge(Names(known_.at("ask").options));
  }
  for (const auto& [path, help] : known_)
    for (const auto& option : help.options)
      if (!path.empty() && option.starts_with("--") && option != "--help") {
        EXPECT_TRUE(written[path.substr(0, path.find(' '))].count(option)) << "jms " << path << " " << option;
      }
}

TEST_F(DocumentedNames, CommandsInTheTextExist) {
  int count = 0;
  for (const auto& document : documents::all())
    for (const auto& code : documents::code_in_text(document)) {
      if (!code.starts_with("jms ")) continue;
      ++count;
      EXPECT_EQ(mistake_in(code), "") << document.name << ": " << code;
    }
  EXPECT_GE(count, 10);
  EXPECT_EQ(mistake_in("jms asets web"), "no command asets");
  EXPECT_EQ(mistake_in("jms login --wiht web"), "no option --wiht");
  EXPECT_EQ(mistake_in("jms skills trust"), "");
}

TEST_F(DocumentedNames, OptionsInTheTextExist) {
  // Options of scripts have a test of their own; the figures' page names one without its script.
  const Names foreign = {"--install", "--prefix", "--quick"};
  for (const auto& document : documents::all()) {
    Words code = documents::code_in_text(document);
    if (document.is_manual()) code = {document.text};
    for (const auto& text : code) {
      if (text.find("scripts/") != std::string::npos) continue;
      for (const auto& option : long_options(text))
        EXPECT_TRUE(foreign.count(option) || any_has_option(option)) << document.name << ": " << option;
    }
  }
}

TEST_F(DocumentedNames, SlashCommandsAreAllOfThem) {
  Names real;
  for (const auto& command : panel::slash_commands()) real.insert("/" + std::string(command.name));
  const std::regex word("(?:^|[ `])(/[a-z]+)(?=$|[ `\\n])");
  // In both documents one line holds the list.
  for (const char* name : {"README.md", "docs/man/jms.1"}) {
    std::istringstream text(documents::named(name).text);
    Names listed;
    for (std::string line; std::getline(text, line);)
      if (line.find("/skills /skill ") != std::string::npos) listed = find_all(line, word);
    EXPECT_EQ(listed, real) << name;
  }
}

}  // namespace
}  // namespace app
