// The model's server fails in every way a server can, at the first question and after a command, without and with a
// panel. The command that ran before is not run again, the record holds, the operator is told, and the next question is
// answered.

#include <gmock/gmock.h>

#include "tests/e2e/faults/model_faults.h"

namespace faults {
namespace {

using testing::HasSubstr;

const auto kFailureName = [](const auto& choice) { return choice.param.name; };

std::vector<ModelFailure> failures_of_both_apis() {
  auto all = model_failures(ModelApi::anthropic);
  for (auto& failure : model_failures(ModelApi::openai)) all.push_back(std::move(failure));
  return all;
}

class ModelFault : public ModelFaultTest, public testing::WithParamInterface<ModelFailure> {
 protected:
  void expect_told(const support::CommandOutput& asked) {
    EXPECT_EQ(asked.code, 1) << asked.out << asked.err;
    EXPECT_THAT(asked.err, testing::AllOf(HasSubstr("jms: "), HasSubstr(GetParam().told)));
  }
};

TEST_P(ModelFault, IsToldAndNothingRunsTwice) {
  serve(GetParam().api);
  model_fails(GetParam());
  expect_told(ask_headless());
  EXPECT_EQ(witness_.marks(), "");
  EXPECT_THAT(witness_.events(), testing::IsEmpty());

  serve(GetParam().api);
  model_runs_the_command();
  model_fails(GetParam());
  expect_told(ask_headless());
  EXPECT_EQ(witness_.marks(), "x\n");
  EXPECT_EQ(witness_.events(), kOneCommand.events);

  serve(GetParam().api);
  model_says("All is well again.");
  const auto healthy = ask_headless();
  EXPECT_EQ(healthy.code, 0) << healthy.err;
  EXPECT_THAT(healthy.out, HasSubstr("All is well again."));
  witness_.expect_whole(kOneCommand);
}

INSTANTIATE_TEST_SUITE_P(Every, ModelFault, testing::ValuesIn(failures_of_both_apis()), kFailureName);

using ModelFaultInThePanel = ModelFault;

TEST_P(ModelFaultInThePanel, IsShownAndTheSessionGoesOn) {
  serve(GetParam().api);
  model_runs_the_command();
  model_fails(GetParam());
  begin({"--mode", "auto", "local"}, "\n$");
  ASSERT_NO_FATAL_FAILURE(ask("count once"));
  ASSERT_TRUE(wait_served([this] {
    go_when_due();
    return shows(GetParam().told) && !shows("Ctrl+C stop");
  })) << jms_->screen_text();

  serve(GetParam().api);
  ASSERT_TRUE(close_panel()) << jms_->screen_text();
  expect_usable();
  enter("exit 0");
  expect_whole({0, 0}, kOneCommand);
}

INSTANTIATE_TEST_SUITE_P(Every, ModelFaultInThePanel, testing::ValuesIn(model_failures(ModelApi::anthropic)),
                         kFailureName);

/// Overloads and rate limits that pass before patience does: the answer comes, and what ran before the storm ran once.
using ModelStorm = ModelFault;

TEST_P(ModelStorm, ThatPassesIsWaitedOut) {
  serve(GetParam().api, "retries = 4\n");
  model_runs_the_command();
  for (int i = 0; i < 3; ++i) server_->script(GetParam().reply);
  model_says("The storm is over.");
  const auto asked = ask_headless();
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_THAT(asked.out, HasSubstr("The storm is over."));
  witness_.expect_whole(kOneCommand);
}

INSTANTIATE_TEST_SUITE_P(
    Of, ModelStorm,
    testing::Values(ModelFailure{.name = "Overloads", .reply = model_error(529, "overloaded_error")},
                    ModelFailure{.name = "RateLimits", .reply = model_error(429, "rate_limit_error")},
                    ModelFailure{.name = "RateLimitsInTheStyleOfOpenAi",
                                 .api = ModelApi::openai,
                                 .reply = model_error(429, "rate_limit_error")}),
    kFailureName);

class NamelessModel : public ModelFaultTest, public testing::WithParamInterface<const char*> {};

TEST_P(NamelessModel, IsTold) {
  const std::string prefix = GetParam();
  env_.set(prefix + "_BASE_URL", "http://no-such-model.invalid").set(prefix + "_API_KEY", "made-up");
  env_.write_config("[model]\nname = \"claude-opus-5-5\"\nretries = 1\nconnect_s = 2\n");
  const auto asked = ask_headless();
  EXPECT_EQ(asked.code, 1);
  EXPECT_THAT(asked.err, HasSubstr("no-such-model.invalid"));
  witness_.expect_whole(kNothing);
}

INSTANTIATE_TEST_SUITE_P(Of, NamelessModel, testing::Values("ANTHROPIC", "OPENAI"),
                         [](const auto& choice) { return std::string(choice.param); });

}  // namespace
}  // namespace faults
