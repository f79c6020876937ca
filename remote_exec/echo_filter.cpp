#include "remote_exec/echo_filter.h"

#include <algorithm>
#include <iterator>

#include "remote_exec/cursor_moves.h"
#include "remote_exec/prompt_guard.h"

namespace remote_exec {
namespace {

constexpr std::size_t kMaxAfter = 64 * 1024;
constexpr std::size_t kMaxPen = 256;
/// So many characters at the end of the line are enough to know it by.
constexpr std::size_t kLineEnd = 10;

bool is_title(std::string_view raw) {
  return raw.starts_with("\033]0;") || raw.starts_with("\033]1;") || raw.starts_with("\033]2;");
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// What every editor draws alike, and what is not ASCII: no blanks, and no `?`, which stands for all kinds of letters.
std::string essence(std::string_view text) {
  std::string kept;
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
               [](char c) { return !is_ascii(c) || (c > ' ' && c < 0x7f && c != '?'); });
  return kept;
}

/// Whether `drawn` is how `line` begins. An editor may leave out or replace what is not ASCII, some of it or all; but
/// it adds nothing: a bastion may repeat the line in a sentence of its own.
bool begins_as(std::string_view line, std::string_view drawn) {
  std::size_t at = 0;
  for (const char c : drawn) {
    while (at < line.size() && line[at] != c && !is_ascii(line[at])) ++at;
    if (at == line.size() || line[at] != c) return false;
    ++at;
  }
  return true;
}

bool holds_piece(std::string_view line, std::string_view drawn) {
  for (std::size_t from = 0; from + drawn.size() <= line.size(); ++from)
    if (begins_as(line.substr(from), drawn)) return true;
  return false;
}

/// Collects what was printed, once something came that is not a piece of the typed line.
struct Readable final : vt::LineSink {
  explicit Readable(const TypedLine& line) : typed(line) {}

  const TypedLine& typed;
  std::string kept;
  bool entered = false;  ///< A line feed came: until then an editor may still be drawing, with scroll marks and all.
  bool any = false;

  bool drawn(std::string_view run) const {
    const std::string_view line = typed.line;
    const auto from = run.find_first_not_of(' ');
    if (from == std::string_view::npos) return true;
    if (redrawn(run)) return true;
    if (line.find(run.substr(from, run.find_last_not_of(' ') - from + 1)) != std::string_view::npos) return true;
    const std::string part = essence(run);
    return part.size() >= kLineEnd && holds_piece(essence(line), part);
  }
  /// Prompt and line from the beginning, as far as the row goes. The prompt alone is an answer.
  bool redrawn(std::string_view run) const {
    if (typed.prompt.empty() || !run.starts_with(typed.prompt) || run.size() == typed.prompt.size()) return false;
    const std::string_view rest = run.substr(typed.prompt.size());
    const std::string part = essence(rest);
    return typed.line.starts_with(rest) || (!part.empty() && begins_as(essence(typed.line), part));
  }
  void text(std::string_view run) override {
    if (!entered) return;
    if (!any && drawn(run)) return;
    any = true;
    kept += run;
  }
  void control(char c) override {
    entered = entered || c == '\n';
    if (any) kept += c;
  }
  void sequence(const vt::Sequence& sequence) override {
    if (sequence.is_string() || sequence.cut || moves_up(sequence)) return;
    if (any || sequence.final_byte() == 'm') kept += sequence.raw;
  }
};

}  // namespace

EchoFilter::EchoFilter(std::string_view line) {
  for (const char c : line) {
    if (c != ' ' && static_cast<unsigned char>(c) < 0x80) line_ += c;
  }
}

void EchoFilter::feed(std::string_view bytes, std::string& out) {
  out_ = &out;
  tokens_.feed(bytes, *this);
  out_ = nullptr;
}

void EchoFilter::text(std::string_view run) {
  std::size_t i = 0;
  for (; i < run.size() && seen_ < line_.size(); ++i) {
    if (run[i] == line_[seen_]) ++seen_;
  }
  if (i < run.size()) keep_after(run.substr(i));
  std::copy_if(run.begin(), run.end(), std::back_inserter(drawn_), [](char c) { return c != ' '; });
  if (drawn_.size() > 8 * kLineEnd) drawn_.erase(0, drawn_.size() - 4 * kLineEnd);
}

bool EchoFilter::end_drawn() const {
  if (line_.size() < kLineEnd) return false;
  return drawn_.ends_with(std::string_view(line_).substr(line_.size() - kLineEnd));
}

void EchoFilter::control(char c) {
  if (complete()) keep_after(std::string_view(&c, 1));
}

void EchoFilter::sequence(const vt::Sequence& sequence) {
  const std::string_view raw = sequence.raw;
  if (sequence.cut) return;
  if (complete()) keep_after(raw);
  switch (sequence.kind) {
    case vt::Kind::osc:
      if (titles_ == Titles::keep || !is_title(raw)) *out_ += raw;
      return;
    case vt::Kind::escape:
      // Charsets and keypad modes; not index, save or restore, which move the cursor.
      if (raw[1] == '(' || raw[1] == ')' || raw[1] == '=' || raw[1] == '>') *out_ += raw;
      return;
    case vt::Kind::csi:
      return csi(raw);
    default:
      return;
  }
}

void EchoFilter::csi(std::string_view raw) {
  const char final = raw.back();
  if (final == 'm') {
    if (raw == "\033[m" || raw == "\033[0m") pen_.clear();
    if (pen_.size() + raw.size() <= kMaxPen) pen_ += raw;
    return;
  }
  // A plain CSI u moves the cursor; with a prefix it is the keyboard protocol.
  const bool keyboard = final == 'u' && std::string_view("<>=?").find(raw[2]) != std::string_view::npos;
  const bool modes = final == 'h' || final == 'l' || final == 'q' || keyboard;
  const bool query = final == 'n' || final == 'c';
  if (modes || query) *out_ += raw;
}

void EchoFilter::keep_after(std::string_view bytes) {
  if (after_.size() + bytes.size() <= kMaxAfter) after_ += bytes;
}

/// What a bastion says about a line that it repeats: that row without the line. Empty when the row is only an echo.
static std::string said_about(std::string_view row, std::string_view line) {
  const auto from = line.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  const std::string_view typed = line.substr(from, line.find_last_not_of(' ') - from + 1);
  std::string rest(row);
  const auto at = rest.find(typed);
  if (at == std::string::npos) return {};
  rest.replace(at, typed.size(), "…");
  return bastion_verdict(rest) == Verdict::none ? std::string() : rest;
}

std::string beyond_echo(std::string_view after, const TypedLine& typed) {
  Readable readable(typed);
  vt::Tokenizer tokens;
  tokens.feed(after, readable);
  tokens.finish(readable);
  if (!readable.any) return {};
  std::string& kept = readable.kept;
  for (auto at = kept.find(typed.mark); at != std::string::npos; at = kept.find(typed.mark)) {
    const auto before = kept.rfind('\n', at);
    const auto from = before == std::string::npos ? 0 : before + 1;
    const auto end = kept.find('\n', at);
    std::string said =
        said_about(std::string_view(kept).substr(from, end == std::string::npos ? end : end - from), typed.line);
    if (!said.empty() && end != std::string::npos) said += '\n';
    kept.replace(from, end == std::string::npos ? std::string::npos : end + 1 - from, said);
  }
  return kept;
}

}  // namespace remote_exec
