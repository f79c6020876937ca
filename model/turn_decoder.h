#pragma once

// From the bytes of a response to a Turn. What is common to both providers lives here: the event stream, the guard
// against answers that are no event stream at all, the bounds, and the way pieces are handed on.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "model/sse_parser.h"
#include "model/turn.h"

namespace model {

/// Where a decoder delivers pieces while they come. Each is optional.
struct TurnSink {
  std::function<void(std::string_view)> text;
  std::function<void(std::string_view)> thinking;
  std::function<void(const ToolUse&)> tool_use;
  std::function<void(const Usage&)> usage;
};

/// How much one response may make us keep.
struct TurnLimits {
  std::size_t event = SseParser::kMaxEvent;
  std::size_t turn = 32u << 20;
};

/// Decodes one response. Passive; a new one for each request.
class TurnDecoder {
 public:
  explicit TurnDecoder(TurnSink sink, TurnLimits limits = {});
  virtual ~TurnDecoder() = default;
  TurnDecoder(const TurnDecoder&) = delete;
  TurnDecoder& operator=(const TurnDecoder&) = delete;

  /// Adds bytes of the body, in whatever pieces. Nothing is done with bytes that come after the end.
  void feed(std::string_view bytes);

  /// True when nothing more is needed: the answer ended, or failed.
  bool finished() const { return ended_ || turn_.error.has_value(); }

  /// The body has ended (or was ended): what it came to. Call once.
  Turn finish();

 protected:
  virtual void on_event(const SseEvent& event) = 0;
  /// The server did not stream but sent the whole answer at once.
  virtual void on_whole_answer(const Json& body) = 0;
  /// Fills in outcome, tool uses and replay blocks; after an error the caller takes back what must not be used.
  virtual void complete() = 0;

  void end() { ended_ = true; }
  bool ended() const { return ended_; }
  void fail(ErrorKind kind, std::string type, std::string message);
  /// An error object as servers write it: `{"type","message"}`, `{"error":…}`, `{"message"}` or a bare string.
  void fail_with_wire(const Json& error);

  /// Parses the data of an event; on failure the turn has failed. `damaged_event()` tells whether text had to be
  /// mended.
  std::optional<Json> parse_event(std::string_view data);
  bool damaged_event() const { return damaged_event_; }

  void show_text(std::string_view text);
  void show_thinking(std::string_view text);
  void show_tool_use(const ToolUse& use) const;
  void show_usage() const;

  /// Counts bytes that will be kept; the turn fails when there are too many.
  bool keep(std::size_t bytes);

  Turn turn_;

 private:
  enum class Form { unknown, stream, body };

  void decide_form();
  void feed_stream(std::string_view bytes);
  void feed_body(std::string_view bytes);
  void finish_body();

  TurnSink sink_;
  TurnLimits limits_;
  SseParser parser_;
  Form form_ = Form::unknown;
  std::string body_;  ///< The beginning while the form is unknown; all of it when it is no stream.
  std::size_t kept_ = 0;
  bool ended_ = false;
  bool damaged_event_ = false;
};

}  // namespace model
