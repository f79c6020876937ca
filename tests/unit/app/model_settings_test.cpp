#include "app/assistant/model_settings.h"

#include <gtest/gtest.h>

#include "model/anthropic_request.h"

namespace app {
namespace {

TEST(ModelSettings, TheAnswerOfAModelWeDoNotKnowIsAsLongAsTheConfigSays) {
  Config config;
  config.model_max_tokens = 50'000;
  config.model_context_window = 200'000;
  const auto setup = model_setup({.provider = "anthropic", .model = "a-gateways-own"}, config);
  ASSERT_TRUE(setup) << setup.error().message;
  EXPECT_EQ(model::anthropic_body({}, setup->settings)["max_tokens"], 50'000);
  EXPECT_EQ(setup->settings.models.find("a-gateways-own").context_window, 200'000);
}

}  // namespace
}  // namespace app
