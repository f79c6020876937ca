#include "safety/redactor.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>

#include "safety/secret_patterns.h"

namespace safety {
namespace {

constexpr std::size_t kLongestLine = 16 * 1024;  ///< Longer lines are scanned in overlapping pieces.
constexpr std::size_t kOverlap = 1024;
constexpr int kMaxKeyLines = 400;  ///< A private key is no longer than that; a lost END must not blank the rest.

re2::RE2::Options regex_options() {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // bytes, whatever their encoding
  options.set_log_errors(false);
  options.set_max_mem(32 << 20);
  return options;
}

bool is_base64_line(std::string_view line, std::size_t shortest = 16) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t>|"), line.size()));
  if (line.size() < shortest || line.size() > 100) return false;
  return std::all_of(line.begin(), line.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
           c == '=';
  });
}

bool ends_private_key(std::string_view line) {
  const auto end = line.find("-----END ");
  return end != std::string_view::npos && line.find("PRIVATE KEY", end) != std::string_view::npos;
}

bool begins_private_key(std::string_view line) {
  const auto begin = line.find("-----BEGIN ");
  return begin != std::string_view::npos && line.find("PRIVATE KEY", begin) != std::string_view::npos;
}

/// The length of a placeholder, `<secret:kind:n>`, at the beginning of a text; 0 when there is none.
std::size_t placeholder_length(std::string_view text) {
  static constexpr std::string_view kOpening = "<secret:", kOverflow = "<secret:masked>";
  if (text.starts_with(kOverflow)) return kOverflow.size();
  const auto colon = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", kOpening.size());
  if (colon == std::string_view::npos || colon == kOpening.size() || text[colon] != ':') return 0;
  const auto close = text.find_first_not_of("0123456789", colon + 1);
  const bool whole = close != std::string_view::npos && close > colon + 1 && text[close] == '>';
  return whole ? close + 1 : 0;
}

/// Whether the place lies inside a placeholder that an earlier pass left. Only its exact shape counts: any text can
/// hold `<secret:`, and must not hide what follows.
bool inside_placeholder(std::string_view line, std::size_t at) {
  const auto open = line.rfind("<secret:", at);
  return open != std::string_view::npos && at < open + placeholder_length(line.substr(open));
}

/// Sorts, joins overlaps (the earlier and longer one names the kind).
void tidy(std::vector<SecretSpan>& spans) {
  std::stable_sort(spans.begin(), spans.end(), [](const SecretSpan& a, const SecretSpan& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<SecretSpan> kept;
  for (auto& span : spans) {
    if (!kept.empty() && span.start < kept.back().end) {
      kept.back().end = std::max(kept.back().end, span.end);
      continue;
    }
    kept.push_back(std::move(span));
  }
  spans = std::move(kept);
}

/// `  name: dGV4dA==` of a Secret's data: the value's place in the line.
bool base64_entry(std::string_view line, std::size_t& start, std::size_t& end) {
  const auto colon = line.find(": ");
  if (colon == std::string_view::npos) return false;
  start = line.find_first_not_of(' ', colon + 1);
  if (start == std::string_view::npos) return false;
  end = line.find_last_not_of(" \r") + 1;
  if (line[start] == '"' && end - start > 2 && line[end - 1] == '"') {
    ++start;
    --end;
  }
  const auto value = line.substr(start, end - start);
  if (value.size() < 8 || value.size() % 4 != 0) return false;
  bool upper = false, lower = false, other = false;
  for (const char c : value) {
    upper = upper || (c >= 'A' && c <= 'Z');
    lower = lower || (c >= 'a' && c <= 'z');
    const bool digit = c >= '0' && c <= '9';
    other = other || digit || c == '=' || c == '+' || c == '/';
    if (!digit && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '+' && c != '/' && c != '=') return false;
  }
  return lower && upper;
}

}  // namespace

struct Redactor::Patterns {
  struct Family {
    std::string kind;
    std::unique_ptr<re2::RE2> regex;
    Check check;
  };

  std::vector<Family> families;
  std::unique_ptr<re2::RE2> prefilter;
  std::unique_ptr<re2::RE2::Set> set;
  std::vector<std::unique_ptr<re2::RE2>> exceptions;
  std::vector<std::pair<std::string, std::string>> literals;  ///< kind, value
};

Redactor::Redactor(std::unique_ptr<Patterns> patterns) : patterns_(std::move(patterns)) {}
Redactor::Redactor(Redactor&&) noexcept = default;
Redactor& Redactor::operator=(Redactor&&) noexcept = default;
Redactor::~Redactor() = default;

base::Result<Redactor> Redactor::create(const RedactorOptions& options) {
  auto patterns = std::make_unique<Patterns>();
  const auto re2_options = regex_options();
  patterns->set = std::make_unique<re2::RE2::Set>(re2_options, re2::RE2::UNANCHORED);
  std::string prefilter(secret_prefilter());
  const auto add = [&](std::string_view kind, std::string_view regex, Check check) -> std::string {
    auto compiled = std::make_unique<re2::RE2>(re2::StringPiece(regex.data(), regex.size()), re2_options);
    if (!compiled->ok()) return compiled->error();
    std::string error;
    if (patterns->set->Add(re2::StringPiece(regex.data(), regex.size()), &error) < 0) return error;
    patterns->families.push_back({std::string(kind), std::move(compiled), check});
    return {};
  };
  for (const auto& pattern : built_in_secret_patterns()) {
    if (auto error = add(pattern.kind, pattern.regex, pattern.check); !error.empty())
      return base::fail("built-in pattern " + std::string(pattern.kind) + ": " + error);
  }
  for (const auto& pattern : options.patterns) {
    if (auto error = add(pattern.kind, pattern.regex, Check::None); !error.empty()) {
      return base::fail("redact pattern '" + pattern.kind + "' is not a valid expression: " + error);
    }
    prefilter += "|(?:" + pattern.regex + ")";
  }
  for (const auto& exception : options.exceptions) {
    auto compiled = std::make_unique<re2::RE2>(exception, re2_options);
    if (!compiled->ok()) return base::fail("redact exception is not a valid expression: " + compiled->error());
    patterns->exceptions.push_back(std::move(compiled));
  }
  patterns->prefilter = std::make_unique<re2::RE2>(prefilter, re2_options);
  if (!patterns->prefilter->ok()) return base::fail("redact prefilter: " + patterns->prefilter->error());
  if (!patterns->set->Compile()) return base::fail("the redact patterns together need too much memory; remove some");
  return Redactor(std::move(patterns));
}

void Redactor::add_literal(std::string kind, std::string value) {
  static constexpr std::size_t kShortest = 6;
  if (value.size() >= kShortest) patterns_->literals.emplace_back(std::move(kind), std::move(value));
}

std::vector<SecretSpan> Redactor::find(std::string_view text) const {
  ScanState state;
  return find(text, state);
}

std::vector<SecretSpan> Redactor::find(std::string_view text, ScanState& state) const {
  std::vector<SecretSpan> found;
  const re2::StringPiece whole(text.data(), text.size());
  std::size_t at = 0;             // start of the next line to look at
  std::size_t next_hit = 0;       // no trigger before this place
  std::size_t run = text.size();  // start of a run of base64 lines, which may be a key whose head is cut off
  while (at < text.size()) {
    if (!state.in_key_block && state.data_indent < 0) {
      // Skip to the line of the next trigger.
      if (next_hit <= at) {
        re2::StringPiece hit;
        if (!patterns_->prefilter->Match(whole, at, text.size(), re2::RE2::UNANCHORED, &hit, 1)) break;
        next_hit = static_cast<std::size_t>(hit.data() - text.data()) + 1;
      }
      const auto line_start = next_hit < 2 ? std::string_view::npos : text.rfind('\n', next_hit - 2);
      at = std::max(at, line_start == std::string_view::npos ? 0 : line_start + 1);
    }
    const auto newline = text.find('\n', at);
    const auto end = newline == std::string_view::npos ? text.size() : newline;
    const auto line = text.substr(at, end - at);
    if (!scan_block_line(line, at, state, found)) {
      if (ends_private_key(line)) {
        // The head of the key is missing: what stands above it, as far as it looks like one, is the key.
        run = at;
        while (run > 0) {
          const auto above = run < 2 ? std::string_view::npos : text.rfind('\n', run - 2);
          const auto begin = above == std::string_view::npos ? 0 : above + 1;
          // The last line of a key may be short.
          if (!is_base64_line(text.substr(begin, run - 1 - begin), run == at ? 1 : 16)) break;
          run = begin;
        }
        if (run < at) found.push_back({run, at - 1, "private-key"});
      }
      for (std::size_t piece = 0; piece < line.size(); piece += kLongestLine) {
        const auto begin = piece > kOverlap ? piece - kOverlap : piece;
        scan_line(line.substr(begin, kLongestLine + piece - begin), at + begin, found);
      }
    }
    at = end + 1;
    next_hit = std::max(next_hit, at > 0 && next_hit > at ? next_hit : at);
  }
  find_literals(text, found);
  tidy(found);
  return found;
}

/// Lines inside a private key or a Secret's data. False when the line is an ordinary one.
bool Redactor::scan_block_line(std::string_view line, std::size_t offset, ScanState& state,
                               std::vector<SecretSpan>& found) const {
  if (state.in_key_block) {
    const auto end = line.find("-----END ");
    if (end != std::string_view::npos || ++state.key_lines > kMaxKeyLines) {
      state.in_key_block = false;
      const auto text = line.substr(0, end).find_first_not_of(" \t");
      if (end != std::string_view::npos && text != std::string_view::npos && text < end)
        found.push_back({offset + text, offset + end, "private-key"});
      return end != std::string_view::npos;
    }
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos)
      found.push_back({offset + first, offset + line.find_last_not_of(" \t\r") + 1, "private-key"});
    return true;
  }
  if (begins_private_key(line) && !ends_private_key(line)) {
    state.in_key_block = true;
    state.key_lines = 0;
    return false;  // the rest of this line is matched by its pattern
  }
  const auto indent = line.find_first_not_of(" \t-");
  if (state.data_indent >= 0) {
    if (indent == std::string_view::npos || static_cast<int>(indent) <= state.data_indent) {
      state.data_indent = -1;
    } else {
      std::size_t start = 0, end = 0;
      if (!base64_entry(line, start, end)) return false;
      found.push_back({offset + start, offset + end, "kube-secret"});
      return true;
    }
  }
  if (indent != std::string_view::npos &&
      (line.substr(indent).starts_with("data:") || line.substr(indent).starts_with("stringData:")) &&
      line.find_last_not_of(" \r") == line.find(':')) {
    state.data_indent = static_cast<int>(indent);
  }
  return false;
}

void Redactor::scan_line(std::string_view line, std::size_t offset, std::vector<SecretSpan>& found) const {
  const re2::StringPiece input(line.data(), line.size());
  std::vector<int> hits;
  if (!patterns_->set->Match(input, &hits)) return;
  std::sort(hits.begin(), hits.end());
  for (const int hit : hits) {
    const auto& family = patterns_->families[static_cast<std::size_t>(hit)];
    re2::StringPiece groups[2];
    const int count = family.regex->NumberOfCapturingGroups() > 0 ? 2 : 1;
    std::size_t at = 0;
    while (at <= line.size() && family.regex->Match(input, at, line.size(), re2::RE2::UNANCHORED, groups, count)) {
      const auto& group = count == 2 && groups[1].data() != nullptr ? groups[1] : groups[0];
      const std::string_view value(group.data(), group.size());
      const auto start = static_cast<std::size_t>(group.data() - line.data());
      const auto after = static_cast<std::size_t>(groups[0].data() - line.data()) + groups[0].size();
      at = std::max(after, at + 1);
      // The next match may use the character that ended this one.
      if (at > start + value.size()) at = std::max(start + value.size(), at - 1);
      if (value.empty() || !is_secret_value(value, family.check) || inside_placeholder(line, start)) continue;
      const bool excepted =
          std::any_of(patterns_->exceptions.begin(), patterns_->exceptions.end(), [&](const auto& exception) {
            return exception->Match(group, 0, group.size(), re2::RE2::ANCHOR_BOTH, nullptr, 0);
          });
      if (!excepted) found.push_back({offset + start, offset + start + value.size(), family.kind});
    }
  }
}

void Redactor::find_literals(std::string_view text, std::vector<SecretSpan>& found) const {
  for (const auto& [kind, value] : patterns_->literals) {
    for (auto at = text.find(value); at != std::string_view::npos; at = text.find(value, at + value.size())) {
      found.push_back({at, at + value.size(), kind});
    }
  }
}

std::string mask(std::string_view text, const std::vector<SecretSpan>& spans, SecretBook& book,
                 std::string_view origin) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  for (const auto& span : spans) {
    out += text.substr(at, span.start - at);
    out += book.placeholder(span.kind, text.substr(span.start, span.end - span.start), origin);
    at = span.end;
  }
  out += text.substr(at);
  return out;
}

std::string Redactor::redact(std::string_view text, SecretBook& book, std::string_view origin) const {
  return mask(text, find(text), book, origin);
}

}  // namespace safety
