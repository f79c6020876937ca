// What an operator types while diagnosing must run unasked: asking too often trains people to press yes.
#include <gtest/gtest.h>

#include <ctime>

#include "safety/command_classifier.h"
#include "tests/unit/safety/commands/all.h"

namespace safety {
namespace {

using commands::each_command;
using commands::each_row;
using commands::Family;

// These look alike but ask; they are listed so that the rate below is honest about what is left out.
constexpr std::string_view kToleratedAsks = R"ROWS(
for p in $(cat list); do kubectl logs --tail=5 $p; done
)ROWS";

TEST(ReadOnlyCatalogue, DiagnosisRunsUnasked) {
  const CommandClassifier classifier;
  int total = 0;
  each_command(&Family::read_only, [&](const std::string& command) {
    ++total;
    const auto verdict = classifier.classify(command);
    EXPECT_EQ(name_of(verdict.cls), "read-only") << command << "\n  " << verdict.reason;
  });
  EXPECT_GT(total, 300);
}

TEST(ReadOnlyCatalogue, SaysWhatItFoundOfEachPart) {
  const auto verdict = CommandClassifier().classify("df -h | tail -1; uptime");
  ASSERT_EQ(verdict.parts.size(), 3u);
  EXPECT_EQ(verdict.parts[0].command, "df -h");
  EXPECT_EQ(verdict.parts[1].command, "tail -1");
  EXPECT_EQ(verdict.parts[2].command, "uptime");
  EXPECT_FALSE(verdict.parts[0].reason.empty());
  EXPECT_EQ(verdict.reason, "every part only reads");
}

TEST(ReadOnlyCatalogue, AsksRatherThanGuessesWhereALoopIsFedByACommand) {
  each_row(kToleratedAsks, [&](const std::string& command) {
    EXPECT_EQ(name_of(CommandClassifier().classify(command).cls), "changes") << command;
  });
}

TEST(ReadOnlyCatalogue, IsDecidedInMicroseconds) {
  const CommandClassifier classifier;
  classifier.classify("ls");
  const auto begin = std::clock();
  int total = 0;
  for (int round = 0; round < 5; ++round) {
    each_command(&Family::read_only, [&](const std::string& command) {
      classifier.classify(command);
      ++total;
    });
  }
  const double each = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / total;
  RecordProperty("nanoseconds_per_command", static_cast<int>(each * 1e9));
  EXPECT_LT(each * 1e6, 500) << "microseconds per command";
}

}  // namespace
}  // namespace safety
