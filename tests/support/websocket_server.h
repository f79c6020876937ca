#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/http_server.h"

// The server's half of the WebSocket protocol, written for tests: it sends what it is told, also what no server should
// send, and it reports whatever the client does that RFC 6455 forbids.
namespace test_server {

class ServerSocket {
 public:
  enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

  explicit ServerSocket(std::shared_ptr<Stream> stream);
  ~ServerSocket();

  void send_text(std::string_view message) { send_frame(Opcode::text, true, message); }
  void send_binary(std::string_view message) { send_frame(Opcode::binary, true, message); }
  void send_frame(Opcode opcode, bool final, std::string_view payload);
  void send_raw(std::string_view bytes) { stream_->send(bytes); }
  /// A close frame; the connection ends when the client has answered.
  void close(int code, std::string_view reason = {});
  /// The connection breaks, without a word.
  void drop() { stream_->close(true); }
  std::size_t unsent() const { return stream_->unsent(); }
  void pause_reading(bool paused) { stream_->pause_reading(paused); }

  std::function<void(bool text, const std::string& message)> on_message;
  std::function<void(Opcode, const std::string& payload)> on_control;
  std::function<void()> on_drained;
  std::function<void()> on_end;
  bool answers_close = true;
  bool hangs_up = true;  ///< After a close frame was answered; false: that is left to the client.

  int close_code() const { return close_code_; }  ///< Of the client's close frame; 0 before it came.
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  void feed(std::string_view bytes);
  bool take_frame();
  void handle(Opcode opcode, bool final, std::string payload);
  void handle_close(const std::string& payload);

  std::shared_ptr<Stream> stream_;
  std::string inbox_;
  std::string message_;
  bool in_message_ = false;
  bool message_is_text_ = false;
  bool close_sent_ = false;
  int close_code_ = 0;
  std::vector<std::string> violations_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// The answer 101 to an upgrade; `opened` gets the socket. What is wrong with the request is answered with 400.
Reply upgrade(const HttpRequest& request, const std::string& subprotocol,
              std::function<void(std::shared_ptr<ServerSocket>)> opened);

}  // namespace test_server
