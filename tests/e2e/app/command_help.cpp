#include "tests/e2e/app/command_help.h"

#include <iterator>
#include <regex>
#include <sstream>

namespace app {
namespace {

CommandHelp parse(const std::string& text) {
  static const std::regex name("^  ([a-z]+)\\s.*"), options("^  (-[^ ]*).*");
  CommandHelp help;
  std::istringstream lines(text);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(":")) section = line;
    std::smatch match;
    if (section == "Subcommands:" && std::regex_match(line, match, name)) help.commands.insert(match[1]);
    if (section != "Options:" || !std::regex_match(line, match, options)) continue;
    std::istringstream both(match[1]);
    for (std::string option; std::getline(both, option, ',');) help.options.insert(option);
  }
  return help;
}

}  // namespace

std::map<std::string, CommandHelp> read_help(
    const std::function<std::string(const std::vector<std::string>& arguments)>& run) {
  std::map<std::string, CommandHelp> known;
  for (std::vector<std::string> paths = {""}; !paths.empty();) {
    const std::string path = paths.back();
    paths.pop_back();
    std::istringstream words(path);
    std::vector<std::string> arguments(std::istream_iterator<std::string>(words), {});
    arguments.push_back("--help");
    const auto& help = known[path] = parse(run(arguments));
    for (const auto& command : help.commands) paths.push_back(path.empty() ? command : path + " " + command);
  }
  return known;
}

}  // namespace app
