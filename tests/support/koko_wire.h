#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/size.h"
#include "tests/support/koko_notes.h"
#include "tests/support/koko_options.h"
#include "tests/support/websocket_server.h"

namespace test_server {

/// Both dialects of koko's terminal on one socket: v4's JSON messages and bare bytes, v5's envelopes. What the client
/// sends comes out as calls; what it must not send is noted and goes no further.
class KokoWire {
 public:
  struct Events {
    std::function<void(base::Size)> on_open;  ///< The client asks for its terminal; once.
    std::function<void(base::Size)> on_resize;
    std::function<void(const std::string& bytes)> on_input;
    std::function<void()> on_close;
  };
  using Clock = std::chrono::steady_clock;

  KokoWire(const KokoOptions& options, std::shared_ptr<ServerSocket> socket, KokoNotes& notes, Events events);

  void message(const std::string& type, const std::string& data, const std::string& error = "");
  void output(const std::string& bytes);
  void close(const std::string& reason);
  /// The last message or output.
  Clock::time_point last_written() const { return last_written_; }

  /// A message of the client.
  void take(bool text, const std::string& bytes);
  /// A control frame of the client.
  void take_control(ServerSocket::Opcode opcode);

 private:
  using Json = nlohmann::json;

  void output_frame(const std::string& bytes);
  void envelope(int type, const std::string& payload);
  void take_json(const std::string& bytes);
  void take_envelope(const std::string& bytes);
  void take_typed(const std::string& payload);
  void take_create(const Json& value);
  void take_wrapped(const Json& value);
  void take_message(const std::string& type, const std::string& id, const std::string& data);
  void take_init(const std::string& id, const Json& value);
  void take_input(const std::string& bytes);
  void open(const Json& size);
  void violation(const std::string& what) { notes_.violations.push_back(what); }

  KokoVersion version_;
  std::size_t frame_;
  bool empty_frames_;
  std::shared_ptr<ServerSocket> socket_;
  KokoNotes& notes_;
  Events events_;
  std::uint32_t terminal_ = 0;  ///< v5's number of the terminal; 0 before it was created.
  bool opened_ = false;
  int frames_ = 0;
  Clock::time_point last_written_ = Clock::now();
};

}  // namespace test_server
