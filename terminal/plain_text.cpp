#include "terminal/plain_text.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace terminal {
namespace {

constexpr std::uint64_t every_byte(std::uint8_t byte) {
  return 0x0101010101010101u * byte;
}

/// Nonzero when one of eight bytes is not printable ASCII (0x20 to 0x7E). The lowest bit set belongs to the first such
/// byte; higher ones may be false, as borrows and carries run upwards from it.
std::uint64_t unprintable(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return ((word - every_byte(0x20)) | (word + every_byte(0x01)) | word) & every_byte(0x80);
}

bool is_printable(char byte) {
  return byte >= 0x20 && byte < 0x7F;
}

const char* skip_printable(const char* at, const char* end) {
  for (; end - at >= 8; at += 8) {
    if (const std::uint64_t found = unprintable(at)) return at + std::countr_zero(found) / 8;
  }
  while (at < end && is_printable(*at)) ++at;
  return at;
}

constexpr bool is_parameter(char byte) {
  return (byte >= '0' && byte <= '9') || byte == ';' || byte == ':';
}

/// An SGR with so few bytes of parameters is never refused.
constexpr std::ptrdiff_t kSurelyTaken = 30;

/// One pass over the bytes. Rows are counted from below: at a CR, TAB or erasure the column is taken to be 0.
class Look {
 public:
  Look(std::string_view bytes, int cols) : begin_(bytes.data()), end_(begin_ + bytes.size()), at_(begin_) {
    result_.cols = cols;
  }

  PlainText run() {
    while (at_ < end_) {
      const char* text = at_;
      at_ = skip_printable(at_, end_);
      columns_ += static_cast<std::size_t>(at_ - text);
      if (end_ - at_ >= 2 && at_[0] == '\r' && at_[1] == '\n') {
        ++result_.line_feeds;
        end_of_run();
        at_ += 2;
      } else if (at_ < end_ && !take_special()) {
        return {};
      }
    }
    result_.rows += result_.line_feeds;
    result_.plain = end_ - begin_ >= 2 && end_[-2] == '\r' && end_[-1] == '\n';
    return result_;
  }

 private:
  bool take_special() {
    switch (*at_) {
      case '\n':
        ++result_.line_feeds;
        [[fallthrough]];
      case '\r':
      case '\t':
        end_of_run();
        ++at_;
        return true;
      case '\033':
        return take_sequence();
      default:
        return static_cast<unsigned char>(*at_) >= 0x80 && take_wide_text();
    }
  }

  void end_of_run() {
    if (columns_ == 0) return;
    result_.prints = true;
    // A row that is exactly full has not wrapped yet.
    if (columns_ > static_cast<std::size_t>(result_.cols)) {
      result_.rows += (columns_ - 1) / static_cast<std::size_t>(result_.cols);
    }
    columns_ = 0;
  }

  /// Characters beyond ASCII. Only those that surely take room are counted: lead bytes E4 to E9 are Han.
  bool take_wide_text() {
    for (; at_ < end_ && static_cast<unsigned char>(*at_) >= 0x80; ++at_) {
      const auto byte = static_cast<unsigned char>(*at_);
      if (byte >= 0xE4 && byte <= 0xE9) ++columns_;
      const bool c1 = byte == 0xC2 && at_ + 1 < end_ && static_cast<unsigned char>(at_[1]) < 0xA0;
      if (c1) return false;
    }
    return true;
  }

  bool take_sequence() {
    const char* at = at_ + 1;
    if (at == end_ || *at++ != '[') return false;
    const char* parameters = at;
    while (at < end_ && is_parameter(*at)) ++at;
    if (at == end_) return false;
    if (*at == 'm') {
      result_.colors = true;
      const bool resets = *parameters == 'm' || *parameters == ';' || (*parameters == '0' && !is_digit(parameters[1]));
      // A Screen may refuse one that is too long, and then it resets nothing.
      if (resets && at - parameters <= kSurelyTaken) result_.pen_from = static_cast<std::size_t>(at_ - begin_);
    } else if (*at == 'K') {
      end_of_run();
    } else {
      return false;
    }
    at_ = at + 1;
    return true;
  }

  static bool is_digit(char byte) { return (byte >= '0' && byte <= '9') || byte == ':'; }

  const char* begin_;
  const char* end_;
  const char* at_;
  std::size_t columns_ = 0;  ///< Printed since the cursor was last known to be at column 0 or right of it.
  PlainText result_;
};

}  // namespace

PlainText look_at(std::string_view bytes, int cols) {
  return Look(bytes, cols < 1 ? 1 : cols).run();
}

std::string pen_changes(std::string_view plain) {
  std::string changes;
  for (auto at = plain.find('\033'); at != std::string_view::npos; at = plain.find('\033', at)) {
    const auto end = plain.find_first_of("mK", at);
    if (end == std::string_view::npos) break;
    if (plain[end] == 'm') changes.append(plain.substr(at, end + 1 - at));
    at = end + 1;
  }
  return changes;
}

}  // namespace terminal
