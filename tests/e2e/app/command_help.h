#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace app {

/// A command as its --help describes it.
struct CommandHelp {
  std::set<std::string> options;   ///< "--json", "-J"
  std::set<std::string> commands;  ///< Those below it.
};

/// Every command by its words ("policy check"; "" is jms itself). `run` gives the output of jms with these arguments.
std::map<std::string, CommandHelp> read_help(
    const std::function<std::string(const std::vector<std::string>& arguments)>& run);

}  // namespace app
