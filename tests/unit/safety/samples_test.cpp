// The samples the project began with (samples.tsv beside this file). They show the shape of the problem; the rows we
// stand by are in the other files.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "safety/command_classifier.h"

namespace safety {
namespace {

TEST(CommandSamples, AreClassifiedAsExpected) {
  std::ifstream file(JMS_SOURCE_DIR "/tests/unit/safety/samples.tsv");
  int rows = 0;
  const CommandClassifier classifier;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto first = line.find('\t');
    const auto second = line.find('\t', first + 1);
    const auto expected = line.substr(0, first);
    auto command = line.substr(first + 1, second - first - 1);
    const auto why = line.substr(second + 1);
    for (auto at = command.find("␤"); at != std::string::npos; at = command.find("␤")) command.replace(at, 3, "\n");
    ++rows;
    const auto verdict = classifier.classify(command);
    EXPECT_EQ(name_of(verdict.cls), expected) << command << "\n  " << why << "\n  " << verdict.reason;
  }
  EXPECT_EQ(rows, 60);
}

}  // namespace
}  // namespace safety
