// One stream, all its readers: the tokens are the same however it is cut, in both readings of C1, and with them what
// each reader makes of it. Put together again the tokens are the stream, and readers that see text see the same text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "remote_exec/echo_filter.h"
#include "remote_exec/marks.h"
#include "remote_exec/output_cleaner.h"
#include "remote_exec/screen_guard.h"
#include "safety/escape_filter.h"
#include "safety/sanitizer.h"
#include "terminal/query_filter.h"
#include "terminal/screen.h"
#include "tests/fuzz/known_good.h"
#include "tests/unit/vt/tokens_helper.h"

namespace {

constexpr std::string_view kMark = "\033]7717;0123456789abcdef;";

void check(bool holds) {
  if (!holds) std::abort();
}

/// Feeds `bytes` in pieces to whoever takes them.
template <typename Take>
void in_pieces(std::string_view bytes, std::size_t piece, Take take) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) take(bytes.substr(0, piece));
}

/// Puts the stream together again, without what a terminal takes for not there.
struct Again final : vt::Sink {
  void text(std::string_view run) override { bytes += run; }
  void control(char byte) override { bytes += byte; }
  void sequence(const vt::Sequence& sequence) override { end(sequence); }
  void discarded(const vt::Sequence& sequence) override { end(sequence); }
  void string_begins(vt::Kind, std::string_view introducer) override { bytes += introducer; }
  void string_part(std::string_view part) override { bytes += part; }
  void end(const vt::Sequence& sequence) {
    check(sequence.raw.size() <= vt::kMostString + 4);
    bytes += sequence.is_string() ? sequence.ending() : sequence.raw;
    lost = lost || (sequence.cut && !sequence.is_string());
  }
  std::string bytes;
  bool lost = false;  ///< Bytes of a sequence that was too long.
};

std::string sorted_bytes(std::string bytes) {
  std::erase_if(bytes, [](char byte) { return byte == 0 || byte == 0x7f; });
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

void check_complete(std::string_view bytes, vt::C1 c1) {
  Again again;
  vt::Tokenizer tokenizer(c1);
  tokenizer.feed(bytes, again);
  tokenizer.finish(again);
  check(tokenizer.in_text());
  check(again.lost || sorted_bytes(again.bytes) == sorted_bytes(std::string(bytes)));
}

/// The strings that are marks, by the tokens alone.
struct Marks final : vt::Sink {
  void text(std::string_view) override {}
  void control(char) override {}
  void sequence(const vt::Sequence& sequence) override {
    if (sequence.kind == vt::Kind::osc && sequence.ending() == "\a" && sequence.raw.starts_with(kMark))
      possible += std::string(sequence.raw) + "\n";
  }
  std::string possible;
};

/// What the scanner found: the marks as they came, and all the rest.
struct Scanned final : remote_exec::MarkScanner::Sink {
  void on_text(std::string_view bytes) override { rest += bytes; }
  void on_mark(const remote_exec::Mark& mark) override {
    marks +=
        std::string(kMark) + static_cast<char>(mark.kind) + (mark.payload.empty() ? "" : ";") + mark.payload + "\a\n";
  }
  std::string marks, rest;
};

std::string scanned(std::string_view bytes, std::size_t piece, std::string& marks) {
  Scanned found;
  remote_exec::MarkScanner scanner(remote_exec::Nonce(0x0123456789abcdef));
  in_pieces(bytes, piece, [&](std::string_view part) { scanner.feed(part, found); });
  marks = found.marks;
  return found.rest + scanner.give_up();
}

/// Every mark found is a string to the tokenizer as well.
void check_marks(std::string_view bytes, std::size_t piece) {
  std::string whole, pieces;
  check(scanned(bytes, bytes.size() + 1, whole) == scanned(bytes, piece, pieces) && whole == pieces);
  Marks marks;
  vt::Tokenizer().feed(bytes, marks);
  for (std::size_t at = 0, from = 0; (at = whole.find('\n', from)) != std::string::npos; from = at + 1) {
    const std::string_view mark = std::string_view(whole).substr(from, at + 1 - from);
    // A payload that is there but empty is written like none.
    const std::string with_empty = std::string(mark.substr(0, mark.size() - 2)) + ";\a\n";
    check(marks.possible.find(mark) != std::string::npos || marks.possible.find(with_empty) != std::string::npos);
  }
}

std::string on_screen(std::string_view bytes, std::size_t piece) {
  terminal::Screen screen({.size = {.rows = 5, .cols = 20}, .scrollback_lines = 20, .scrollback_bytes = 1 << 16});
  std::string said;
  screen.on_reply([&](std::string_view reply) { said += reply; });
  in_pieces(bytes, piece, [&](std::string_view part) { screen.write(part); });
  for (int row = 0; row < 5; ++row) said += terminal::row_text(screen.row(row)) + "\n";
  return said + screen.title() + "\n" + screen.modes().hyperlink;
}

std::string passed(std::string_view bytes, std::size_t piece) {
  safety::EscapeFilter filter;
  std::string scratch, out;
  in_pieces(bytes, piece, [&](std::string_view part) { out += filter.pass(part, scratch); });
  return out + filter.finish();
}

std::string sanitized(std::string_view bytes, std::size_t piece) {
  safety::Sanitizer sanitizer;
  std::string out;
  in_pieces(bytes, piece, [&](std::string_view part) { out += sanitizer.feed(part); });
  return out + sanitizer.finish();
}

std::string cleaned(std::string_view bytes, std::size_t piece) {
  remote_exec::OutputCleaner cleaner;
  std::string out;
  in_pieces(bytes, piece, [&](std::string_view part) { cleaner.feed(part, out); });
  cleaner.finish(out);
  return out;
}

std::string guarded(std::string_view bytes, std::size_t piece) {
  remote_exec::ScreenGuard guard("");
  std::string out;
  in_pieces(bytes, piece, [&](std::string_view part) { guard.feed(part, out); });
  return out + guard.restore();
}

std::string echoed(std::string_view bytes, std::size_t piece) {
  remote_exec::EchoFilter filter("ls -l");
  std::string out;
  in_pieces(bytes, piece, [&](std::string_view part) { filter.feed(part, out); });
  return out + "\n" + filter.after() + "\n" + filter.pen();
}

void check_readers(std::string_view bytes, std::size_t piece) {
  // The screen is slow with small pieces, and what is long is the same to it as to the others.
  if (bytes.size() < 1500) check(on_screen(bytes, piece) == on_screen(bytes, bytes.size() + 1));
  for (const auto& read : {passed, sanitized, cleaned, guarded, echoed})
    check(read(bytes, piece) == read(bytes, bytes.size() + 1));
  check_marks(bytes, piece);
  // What a gate let through it lets through again, and nothing is left in the replay that asks.
  const std::string once = passed(bytes, piece);
  check(passed(once, piece) == once);
  const std::string replayed = terminal::without_queries(bytes);
  check(terminal::without_queries(replayed) == replayed);
}

}  // namespace

bool fuzz::takes_known_good() {
  constexpr std::string_view kSample = "a\033[31mb\033]0;t\007\n";
  return vt::tokens(kSample, vt::C1::text, 2) == "text(a) csi(\033[31m) text(b) osc(\033]0;t\007) control(10)" &&
         sanitized(kSample, 2) == "ab\n" && cleaned(kSample, 2) == "ab\n" && passed(kSample, 2) == kSample;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes;
  // A byte 0x01 makes what came before it long, 0x02 begins a mark: chance would find neither.
  for (std::size_t i = 1; i < size; ++i) {
    if (data[i] == 1)
      bytes.append(1500, '0');
    else if (data[i] == 2)
      bytes += kMark;
    else
      bytes += static_cast<char>(data[i]);
  }
  if (bytes.size() > 6 * 1024) return 0;
  const std::size_t piece = data[0] % 7 + 1;
  for (const vt::C1 c1 : {vt::C1::text, vt::C1::controls}) {
    check(vt::tokens(bytes, c1, piece, true) == vt::tokens(bytes, c1, bytes.size() + 1, true));
    check_complete(bytes, c1);
  }
  check_readers(bytes, piece);
  return 0;
}
