#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "safety/command_classifier.h"

namespace {

// The built-in runbooks promise to only read. If the classifier cannot prove it, an operator without a model would be
// asked about every step, and a headless run would be refused.
TEST(Runbooks, EveryBuiltInStepIsProvenToOnlyRead) {
  const safety::CommandClassifier classifier;
  int steps = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(JMS_SOURCE_DIR) + "/skills")) {
    std::ifstream stream(folder.path() / "SKILL.md");
    bool inside = false;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("```")) {
        inside = !inside && line == "```bash";
        continue;
      }
      if (!inside) continue;
      ++steps;
      const auto verdict = classifier.classify(line);
      EXPECT_EQ(verdict.cls, safety::CommandClass::ReadOnly) << folder.path().filename() << ": " << line << "\n"
                                                             << verdict.reason;
    }
  }
  EXPECT_GE(steps, 30);
}

}  // namespace
