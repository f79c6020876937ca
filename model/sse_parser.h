#pragma once

// Server-sent events by the WHATWG rules, from bytes in whatever pieces they arrive. An event that lies whole in one
// piece is delivered without being copied; what is copied is bounded.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace model {

/// One event of the stream. The views live only during the call that delivers it; `data` is well-formed UTF-8.
struct SseEvent {
  std::string_view type;  ///< "message" when the stream named none.
  std::string_view data;
};

/// Takes the bytes of an event stream apart. Passive: no I/O, no clock.
class SseParser {
 public:
  using OnEvent = std::function<void(const SseEvent&)>;

  static constexpr std::size_t kMaxEvent = 1 << 20;

  explicit SseParser(OnEvent on_event, std::size_t max_event = kMaxEvent);

  /// Adds bytes and delivers the events they complete. Fails, then and ever after, when one event outgrows the limit.
  /// An event still open when the stream ends is lost, as the rules demand.
  base::Result<void> feed(std::string_view bytes);

  /// The id of the last delivered event that had one.
  const std::string& last_id() const { return last_id_; }
  /// The reconnection time the server asked for, in milliseconds.
  std::optional<long> retry() const { return retry_; }

 private:
  enum class Storage { piece, own };  ///< Whether a line lies in the caller's bytes or in `line_`.

  std::string_view without_bom(std::string_view bytes);
  void split_lines(std::string_view bytes);
  void take_line(std::string_view line, Storage storage);
  void take_field(std::string_view name, std::string_view value, Storage storage);
  void add_data(std::string_view value, Storage storage);
  void keep_partial_line(std::string_view rest);
  void keep_pending_data();
  void dispatch();

  OnEvent on_event_;
  std::size_t max_event_;
  std::string line_;  ///< The beginning of a line whose end has not come.
  std::string type_;
  std::string data_;            ///< The event's data, when it could not stay where it arrived.
  std::string_view data_view_;  ///< The event's data where it arrived; empty pointer when `data_` holds it.
  std::size_t data_lines_ = 0;
  std::string clean_;  ///< Scratch for data with malformed UTF-8.
  std::string id_buffer_;
  std::string last_id_;
  std::optional<long> retry_;
  int bom_matched_ = 0;      ///< Bytes of a leading byte order mark seen; -1 once decided.
  bool swallow_lf_ = false;  ///< The last byte was a CR: an LF now belongs to it.
  bool in_comment_ = false;  ///< The unfinished line is a comment: nothing of it is kept.
  bool too_big_ = false;
};

}  // namespace model
