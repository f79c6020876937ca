// A mark is a private terminal sequence, ESC ] 7717 ; nonce ; kind ; payload BEL. The typed line spells its ESC and BEL
// as octal escapes for printf, so neither the echo of the line nor `ps`, `history` or `set -x` showing it can match;
// and a mark that slips through to a terminal is invisible there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace remote_exec {

/// 64 random bits that belong to one typed line and are never used again.
class Nonce {
 public:
  static Nonce fresh();
  explicit Nonce(std::uint64_t bits);

  const std::string& text() const { return text_; }
  friend bool operator==(const Nonce&, const Nonce&) = default;

 private:
  std::string text_;  ///< 16 hex digits.
};

enum class MarkKind : char { start = 's', end = 'e', probe = 'p' };

/// What the shell said at one point of its output.
struct Mark {
  MarkKind kind = MarkKind::start;
  std::string payload;  ///< The exit code, or a probe's findings; printable ASCII.
};

/// The text to put between printf's single quotes; `payload` may hold printf directives.
std::string mark_format(const Nonce& nonce, MarkKind kind, std::string_view payload = {});

/// Finds the marks of one nonce in a byte stream, in whatever pieces it comes, and hands on everything else unchanged.
///
/// Passive: it keeps no time and never waits for more than one mark's length of bytes.
class MarkScanner {
 public:
  static constexpr std::size_t kMaxPayload = 256;

  /// Who is told, in the order of the stream.
  class Sink {
   public:
    virtual void on_text(std::string_view bytes) = 0;
    virtual void on_mark(const Mark& mark) = 0;

   protected:
    ~Sink() = default;
  };

  explicit MarkScanner(const Nonce& nonce);

  void feed(std::string_view bytes, Sink& sink);
  /// Gives up on a mark that began; its bytes are text.
  std::string give_up() { return std::exchange(held_, {}); }

 private:
  enum class Verdict { not_a_mark, incomplete, complete };
  Verdict judge(std::string_view bytes, std::size_t& length, Mark& mark) const;

  std::string prefix_;  ///< ESC ] 7717 ; nonce ;
  std::string held_;    ///< What may be the beginning of a mark; empty or starting with ESC.
};

}  // namespace remote_exec
