#include <algorithm>

#include "safety/redactor.h"

namespace safety {
namespace {

/// A line that never ends is cut here, at a blank if there is one; nothing we look for is longer than the overlap.
constexpr std::size_t kMostHeld = 64 * 1024;
constexpr std::size_t kKeptTail = 2 * 1024;
/// Lines that may be the tail of a key whose head was never seen are held until that is decided.
constexpr int kMostKeyLines = 120;

/// What Redactor::find() takes for a line of a key: indented and quoted ones too.
bool looks_like_key_line(std::string_view line, std::size_t shortest = 16) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t>|"), line.size()));
  return line.size() >= shortest && line.size() <= 100 && std::all_of(line.begin(), line.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
                  c == '=';
         });
}

}  // namespace

const std::string& SecretBook::placeholder(std::string_view kind, std::string_view value, std::string_view origin) {
  const std::string key = std::string(kind) + '\0' + std::string(value);
  if (const auto found = by_value_.find(key); found != by_value_.end()) {
    auto& origins = by_placeholder_[found->second].origins;
    if (std::find(origins.begin(), origins.end(), origin) == origins.end()) origins.emplace_back(origin);
    return found->second;
  }
  if (by_value_.size() >= kMaxEntries) return overflow_;
  const auto name = "<secret:" + std::string(kind) + ":" + std::to_string(++counts_[std::string(kind)]) + ">";
  by_placeholder_[name] = {std::string(value), {std::string(origin)}};
  return by_value_.emplace(key, name).first->second;
}

base::Result<std::string> SecretBook::restore(std::string_view text, std::string_view origin) const {
  std::string out;
  while (true) {
    const auto begin = text.find("<secret:");
    const auto end = begin == std::string_view::npos ? begin : text.find('>', begin);
    if (end == std::string_view::npos) break;
    const std::string name(text.substr(begin, end + 1 - begin));
    const auto found = by_placeholder_.find(name);
    if (found == by_placeholder_.end())
      return base::fail(name + " stands for no secret of this session; use the value's source instead");
    const auto& origins = found->second.origins;
    if (std::find(origins.begin(), origins.end(), origin) == origins.end()) {
      return base::fail(name + " came from another host and is not sent to this one");
    }
    out += text.substr(0, begin);
    out += found->second.value;
    text.remove_prefix(end + 1);
  }
  return out + std::string(text);
}

/// How much of what is pending cannot become part of a secret any more.
std::size_t StreamRedactor::decided() const {
  auto end = pending_.rfind('\n');
  if (end == std::string::npos) return 0;
  ++end;
  if (state_.in_key_block) return end;
  int lines = 0;
  const auto last = end;
  while (end > 0 && lines < kMostKeyLines) {
    const auto above = end < 2 ? std::string::npos : pending_.rfind('\n', end - 2);
    const auto begin = above == std::string::npos ? 0 : above + 1;
    // A key's last line may be short; alone it is nothing.
    if (!looks_like_key_line(std::string_view(pending_).substr(begin, end - 1 - begin), lines == 0 ? 1 : 16)) {
      return lines == 1 && !looks_like_key_line(std::string_view(pending_).substr(end, last - 1 - end)) ? last : end;
    }
    end = begin;
    ++lines;
  }
  return lines >= kMostKeyLines ? pending_.rfind('\n') + 1 : end;
}

std::string StreamRedactor::release(std::size_t bytes) {
  const auto piece = std::string_view(pending_).substr(0, bytes);
  const auto spans = redactor_.find(piece, state_);
  auto out = mask(piece, spans, book_, origin_);
  pending_.erase(0, bytes);
  return out;
}

std::string StreamRedactor::feed(std::string_view bytes) {
  pending_ += bytes;
  auto ready = decided();
  if (ready == 0 && pending_.size() > kMostHeld) {
    // One endless line: let go of all but its tail, cut where no secret of the line is cut.
    ScanState look = state_;
    ready = pending_.find_last_of(" \t,;", pending_.size() - kKeptTail);
    if (ready == std::string::npos || ready == 0) ready = pending_.size() - kKeptTail;
    for (const auto& span : redactor_.find(pending_, look)) {
      if (span.start < ready && span.end > ready) ready = span.end == pending_.size() ? span.start : span.end;
    }
    if (ready == 0) ready = pending_.size();  // one secret fills it all: mask it as it is
  }
  return ready == 0 ? std::string() : release(ready);
}

std::string StreamRedactor::finish() {
  return release(pending_.size());
}

}  // namespace safety
