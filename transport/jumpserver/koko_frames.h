// The two dialects of koko's WebSocket terminal, taken apart and put together. Passive: it is told what arrived and
// says what to send; it keeps no time and does no I/O.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "transport/websocket/lws_connection.h"

namespace transport::jumpserver {

/// JSON messages beside raw bytes (v3 and v4), or everything in a binary envelope (v5). The first frame tells.
enum class KokoDialect { unknown, json, envelope };

/// A control message of koko, whatever its wrapping.
struct KokoMessage {
  std::string type;  ///< "CONNECT", "TERMINAL_SESSION" …
  std::string id;
  std::string data;   ///< Often JSON once more.
  std::string error;  ///< `err`; a sentence of the server.
};

/// What one WebSocket message of koko holds.
struct KokoFrame {
  enum class Kind {
    nothing,  ///< Empty, malformed, or for somebody else: to be passed over.
    output,
    message,
  };
  Kind kind = Kind::nothing;
  std::string_view output;  ///< Terminal bytes, a view of what was given in.
  KokoMessage message;
};

/// One WebSocket message to send.
struct KokoOutgoing {
  MessageKind kind = MessageKind::text;
  std::string bytes;
};

class KokoCodec {
 public:
  KokoFrame read(MessageKind kind, std::string_view bytes);
  KokoDialect dialect() const { return dialect_; }

  /// Opens the terminal; answers CONNECT.
  KokoOutgoing open_terminal(base::Size size);
  /// What was typed, in pieces that koko will not divide again and that cut no character.
  std::vector<KokoOutgoing> input(std::string_view bytes) const;
  KokoOutgoing resize(base::Size size) const;
  KokoOutgoing ping() const;
  KokoOutgoing close_terminal() const;
  /// True once input can be addressed: at once in JSON, when the terminal was made in the envelope.
  bool has_terminal() const { return dialect_ == KokoDialect::json || terminal_ != 0; }

 private:
  KokoFrame read_json(std::string_view text);
  KokoFrame read_envelope(std::string_view bytes);
  KokoOutgoing command(const char* name, const std::string& data) const;

  KokoDialect dialect_ = KokoDialect::unknown;
  std::string id_;              ///< Of the connection; TERMINAL_INIT must repeat it.
  std::uint32_t terminal_ = 0;  ///< Ours, in the envelope.
};

/// Cuts `bytes` into pieces of at most `most`, never inside a UTF-8 character.
std::vector<std::string_view> whole_character_pieces(std::string_view bytes, std::size_t most);

}  // namespace transport::jumpserver
