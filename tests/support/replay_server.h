#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/http_server.h"
#include "tests/support/websocket_server.h"

namespace test_server {

/// The server's side of recorded traffic: every request is answered as the record has it, every terminal says what was
/// said then and waits for the client where the client spoke. What a client types may differ in its nonces alone.
class ReplayServer {
 public:
  /// One terminal as it went this time.
  struct Terminal {
    std::string token;
    bool whole = false;  ///< The record came to its end.
    int close_code = 0;  ///< The client's; 1006 without a close frame, 0 while it is there.
  };

  /// `file`: one JSON object a line; see tests/recorded/README.md.
  explicit ReplayServer(const std::string& file);
  ~ReplayServer();

  Reply handle(const HttpRequest& request);

  /// Requests the record does not have, lines that were not typed as in the record.
  const std::vector<std::string>& surprises() const { return surprises_; }
  const std::vector<HttpRequest>& requests() const { return requests_; }
  const std::vector<Terminal>& terminals() const { return terminals_; }

 private:
  class Session;
  using Json = nlohmann::json;

  Reply answer(const HttpRequest& request);
  std::size_t note_terminal(const std::string& token);

  std::map<std::string, std::vector<Json>> answers_;   ///< By method and target, in their order.
  std::map<std::string, std::size_t> given_;           ///< How many of them.
  std::map<std::string, std::vector<Json>> recorded_;  ///< Frames by token.
  std::vector<std::shared_ptr<Session>> open_;
  std::vector<Terminal> terminals_;
  std::vector<std::string> surprises_;
  std::vector<HttpRequest> requests_;
};

}  // namespace test_server
