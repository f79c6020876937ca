#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/faults/phases.h"
#include "tests/support/model_server.h"

namespace faults {

using ModelApi = test_server::ModelServer::Api;

/// One way for the model's server to fail a request.
struct ModelFailure {
  std::string name;
  ModelApi api = ModelApi::anthropic;
  test_server::Reply reply;
  std::string told = "127.0.0.1:";  ///< A word of what the operator hears: whose server it was, or what it said.
  bool gone = false;                ///< No server at all: nothing listens on its port.

  friend std::ostream& operator<<(std::ostream& out, const ModelFailure& failure) { return out << failure.name; }
};
/// All of them, in the words of that API.
std::vector<ModelFailure> model_failures(ModelApi api);
/// An answer of HTTP that is an error of the model, for which it asks to wait no time.
test_server::Reply model_error(int status, const std::string& type);

/// jms with a model played on loopback, for whose question one command is run.
class ModelFaultTest : public PhaseTest {
 protected:
  using Api = ModelApi;

  /// A new server that takes every question; `more` are further lines of the model's part of config.toml.
  void serve(Api api, const std::string& more = "retries = 1\nstall_abort_s = 1\nconnect_s = 2\n");
  void model_says(const std::string& text);
  /// The command that leaves a mark and is done at once.
  void model_runs_the_command();
  /// From now on every request fails so.
  void model_fails(const ModelFailure& failure);
  /// A server that is to be gone goes, once it has answered what it was to answer.
  void go_when_due();
  /// `jms ask`, answered by the servers of this test.
  support::CommandOutput ask_headless();

  std::unique_ptr<test_server::ModelServer> server_;

 private:
  void point_to(const std::string& url);

  Api api_ = Api::anthropic;
  std::string marks_then_;  ///< When the answers before the failure have come.
  bool going_ = false;
};

}  // namespace faults
