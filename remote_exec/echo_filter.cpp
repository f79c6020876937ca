#include "remote_exec/echo_filter.h"

namespace remote_exec {
namespace {

constexpr std::size_t kMaxAfter = 64 * 1024;
constexpr std::size_t kMaxPen = 256;
/// So many characters at the end of the line are enough to know it by.
constexpr std::size_t kLineEnd = 12;

bool is_title(std::string_view raw) {
  return raw.starts_with("\033]0;") || raw.starts_with("\033]1;") || raw.starts_with("\033]2;");
}

/// Collects text and colours once something readable came.
struct Readable {
  std::string kept;
  std::string blanks;  ///< Line ends and blanks, kept only when text follows.
  bool any = false;

  void text(std::string_view run) {
    if (!any && run.find_first_not_of(' ') == std::string_view::npos) return;
    any = true;
    kept += blanks;
    blanks.clear();
    kept += run;
  }
  void control(char c) {
    if (any) kept += c;
  }
  void sequence(SequenceKind kind, std::string_view raw) {
    if (kind == SequenceKind::osc || kind == SequenceKind::command) return;
    if (any || raw.back() == 'm') kept += raw;
  }
};

}  // namespace

EchoFilter::EchoFilter(std::string_view line) {
  for (const char c : line) {
    if (static_cast<unsigned char>(c) < 0x80) line_ += c;
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
}

void EchoFilter::control(char c) {
  if (complete()) keep_after(std::string_view(&c, 1));
}

void EchoFilter::sequence(SequenceKind kind, std::string_view raw) {
  if (complete()) keep_after(raw);
  switch (kind) {
    case SequenceKind::osc:
      if (titles_ == Titles::keep || !is_title(raw)) *out_ += raw;
      return;
    case SequenceKind::command:
      return;
    case SequenceKind::escape:
      // Charsets and keypad modes; not index, save or restore, which move the cursor.
      if (raw[1] == '(' || raw[1] == ')' || raw[1] == '=' || raw[1] == '>') *out_ += raw;
      return;
    case SequenceKind::csi:
      break;
  }
  const char final = raw.back();
  if (final == 'm') {
    if (raw == "\033[m" || raw == "\033[0m") pen_.clear();
    if (pen_.size() + raw.size() <= kMaxPen) pen_ += raw;
    return;
  }
  const bool modes = final == 'h' || final == 'l' || final == 'u' || final == 'q';
  const bool query = final == 'n' || final == 'c';
  if (modes || query) *out_ += raw;
}

void EchoFilter::keep_after(std::string_view bytes) {
  if (after_.size() + bytes.size() <= kMaxAfter) after_ += bytes;
}

std::string beyond_echo(std::string_view after, std::string_view line) {
  const std::string_view end = line.substr(line.size() - std::min(line.size(), kLineEnd));
  const auto redrawn = end.empty() ? std::string_view::npos : after.rfind(end);
  if (redrawn != std::string_view::npos) after.remove_prefix(redrawn + end.size());
  const auto line_feed = after.find('\n');
  if (line_feed == std::string_view::npos) return {};
  after.remove_prefix(line_feed + 1);
  Readable readable;
  VtTokens tokens;
  tokens.feed(after, readable);
  return readable.any ? readable.kept : std::string();
}

}  // namespace remote_exec
