#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/app/command_fixture.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"

namespace app {

inline constexpr const char* kKey = "a-made-up-key-without-any-shape-0815";

/// Questions asked from a script.
class Ask : public CommandTest {
 protected:
  /// Plays the model; what it says is scripted by the test.
  void serve_model() {
    server_ = std::make_unique<test_server::ModelServer>(loop_, test_server::ModelServer::Api::anthropic);
    env_.set("ANTHROPIC_BASE_URL", server_->base_url()).set("ANTHROPIC_API_KEY", kKey);
    configure("");
  }
  /// The model's part of config.toml, and more lines behind it.
  void configure(const std::string& more) { env_.write_config(more + "\n[model]\nname = \"claude-opus-5-5\"\n"); }
  void model_calls(const std::string& tool, const Json& input) {
    server_->script(test_server::stream_reply(
        model_streams::anthropic_call_turn("toolu_" + std::to_string(++calls_), tool, input.dump())));
  }
  void model_runs(const std::string& command) { model_calls("execute_command", {{"command", command}}); }
  void model_says(const std::string& text) {
    server_->script(test_server::stream_reply(model_streams::anthropic_text_turn(text)));
  }

  /// The result that request number `index` brings back to the model, as text.
  std::string result_in_request(std::size_t index) const {
    if (index >= server_->requests().size()) return "(there was no such request)";
    return server_->body(index)["messages"].back().dump();
  }
  std::vector<Json> audit() const { return json_lines(run({"audit", "list"}).out); }
  std::string only_session() const {
    const auto list = lines(run({"sessions", "list"}).out);
    EXPECT_EQ(list.size(), 1u);
    return list.empty() ? "" : list[0].substr(0, list[0].find(' '));
  }
  void expect_key_nowhere(const support::CommandOutput& result) const {
    EXPECT_THAT(result.out + result.err, testing::Not(testing::HasSubstr(kKey)));
    EXPECT_THAT(everything_kept(), testing::Not(testing::HasSubstr(kKey)));
    for (const auto& request : server_->requests()) EXPECT_THAT(request.body, testing::Not(testing::HasSubstr(kKey)));
    EXPECT_THAT(server_->refusals(), testing::IsEmpty());
  }

  std::unique_ptr<test_server::ModelServer> server_;
  int calls_ = 0;
};

}  // namespace app
