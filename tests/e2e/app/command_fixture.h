#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_env.h"

namespace app {

/// jms as scripts call it: arguments and standard input in; output and exit code out.
class CommandTest : public testing::Test {
 protected:
  using Json = nlohmann::json;
  using Words = std::vector<std::string>;

  support::CommandOutput run(const Words& arguments, std::string input = {}) const {
    Words argv = prefix_;
    argv.push_back(JMS_BINARY);
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return support::run_command({.argv = std::move(argv), .environment = env_.variables(), .input = std::move(input)});
  }

  /// The same while servers of this test answer on `loop_`.
  support::CommandOutput run_served(const Words& arguments, std::string input = {}) {
    auto result = std::async(std::launch::async, [&] { return run(arguments, std::move(input)); });
    const auto ready = [&result] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    // The end of the program is no event of this loop.
    while (!ready()) loop_.run_until(ready, std::chrono::milliseconds(10));
    return result.get();
  }

  /// Runs it and expects exit code 2, nothing on standard output and one line that contains `words`.
  void expect_refusal(const Words& arguments, const std::string& words, std::string input = {}) const {
    const auto result = run(arguments, std::move(input));
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, testing::StartsWith("jms: "));
    EXPECT_THAT(result.err, testing::HasSubstr(words));
    EXPECT_EQ(lines(result.err).size(), 1u) << result.err;
  }

  static Words lines(const std::string& text) {
    Words found;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      found.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return found;
  }
  static std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> found;
    for (const auto& line : lines(text)) found.push_back(Json::parse(line, nullptr, false));
    return found;
  }

  /// Every file below the program's home, one after the other.
  std::string everything_kept() const {
    std::string text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(env_.home().path()))
      if (entry.is_regular_file()) text += support::read_text(entry.path().string());
    return text;
  }
  std::string state(const std::string& name) const { return env_.home().file("state/jms/" + name); }

  support::TestEnv env_;
  event::EventLoop loop_;
  Words prefix_;  ///< A program that starts jms, with its arguments.
};

}  // namespace app
