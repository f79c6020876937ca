// A runbook that somebody wrote, judged by output that a host made up. What comes before the first NUL is the runbook,
// the rest the output.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "skills/runbook.h"
#include "tests/fuzz/known_good.h"

using Verdict = skills::Judgement::Verdict;

bool fuzz::takes_known_good() {
  const auto steps = skills::parse_runbook("# 1. Disks\n```bash\ndf\n```\n- expect: column 5 < 90 otherwise: full\n");
  if (steps.size() != 1 || steps[0].title != "Disks" || steps[0].expectations.size() != 1) return false;
  return skills::judge(steps[0].expectations[0], {"a 1 2 3 95% /\n", 0, ""}).verdict == Verdict::failed;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\0'), size);
  const std::string output(text.substr(std::min(end + 1, size)));
  for (const auto& step : skills::parse_runbook(text.substr(0, end))) {
    if (step.command.empty()) std::abort();
    for (const auto& expectation : step.expectations)
      for (const agent::CommandText& command :
           {agent::CommandText{output, 0, ""}, agent::CommandText{output, std::nullopt, ""}}) {
        const auto judged = skills::judge(expectation, command);
        if (expectation.kind == skills::Expectation::Kind::unknown && judged.verdict != Verdict::unknown) std::abort();
        if (judged.evidence.find('\n') != std::string::npos) std::abort();
      }
  }
  return 0;
}
