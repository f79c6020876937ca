#pragma once

#include <memory>
#include <string>

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "event/event_loop.h"
#include "tests/e2e/app/session_fixture.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"

namespace app {

/// A session whose panel is open, with a model played on loopback when the test wants one.
class InputTest : public BareSession {
 protected:
  static constexpr Ms kLong{30'000};

  void serve_model() {
    server_ = std::make_unique<test_server::ModelServer>(loop_, test_server::ModelServer::Api::anthropic);
    env_.set("ANTHROPIC_BASE_URL", server_->base_url()).set("ANTHROPIC_API_KEY", "a-made-up-key-0815");
    env_.write_config("[model]\nname = \"claude-opus-5-5\"\n");
  }
  void model_says(const std::string& text) {
    server_->script(test_server::stream_reply(model_streams::anthropic_text_turn(text)));
  }
  void model_runs(const std::string& command) {
    const std::string input = nlohmann::json{{"command", command}}.dump();
    server_->script(test_server::stream_reply(model_streams::anthropic_call_turn("toolu_1", "execute_command", input)));
  }
  /// The newest message of request number `index`, as JSON text.
  std::string newest_message(std::size_t index) const {
    if (index >= server_->requests().size()) return "(there was no such request)";
    return server_->body(index)["messages"].back().dump();
  }

  /// Starts a session with a tall terminal and opens the panel.
  void open() {
    start({40, 100});
    ASSERT_TRUE(command("true"));
    ASSERT_TRUE(open_panel()) << jms_->screen_text();
  }
  /// Waits while the model's server is served too.
  [[nodiscard]] bool wait_until(const std::function<bool()>& done, Ms limit = kLong) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      jms_->wait_until(done, Ms(20));
      if (server_) loop_.run_until([] { return false; }, Ms(5));
    }
    return true;
  }
  [[nodiscard]] bool sees(std::string_view text, Ms limit = kLong) {
    return wait_until([&] { return shows(text); }, limit);
  }
  /// The row of the screen that begins with `text`, blanks left out; empty when there is none.
  std::string row_with(std::string_view text) const {
    for (int row = 0; row < jms_->screen().size().rows; ++row)
      if (const std::string line = jms_->row(row); line.find(text) != std::string::npos) return line;
    return {};
  }
  /// Sends keys and waits until the screen shows `text`.
  [[nodiscard]] bool type_and_see(std::string_view keys, std::string_view text) {
    jms_->send(keys);
    return sees(text);
  }
  /// Ends jms so that another one can be started in the same home.
  void leave() {
    ASSERT_TRUE(close_panel("\x1d"));
    pause(kNotQuickly);
    jms_->send("exit\r");
    ASSERT_TRUE(jms_->wait_for_exit());
  }

  event::EventLoop loop_;
  std::unique_ptr<test_server::ModelServer> server_;
};

}  // namespace app
