// Secrets are found in order and apart from each other; in whatever pieces a text comes, the same of it is masked and
// everything else stays as it was.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/words.h"
#include "safety/redactor.h"
#include "tests/fuzz/known_good.h"

namespace {

const safety::Redactor& redactor() {
  static const safety::Redactor made = std::move(*safety::Redactor::create());
  return made;
}

std::string streamed(std::string_view text, std::size_t piece) {
  safety::SecretBook book;
  safety::StreamRedactor stream(redactor(), book, "fuzz");
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += piece) out += stream.feed(text.substr(at, piece));
  return out + stream.finish();
}

/// The text with its secrets left out and a mark in their place, made without the book.
std::string without_secrets(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const auto& span : redactor().find(text)) {
    if (span.start < at || span.end <= span.start || span.end > text.size()) std::abort();
    out.append(text.substr(at, span.start - at)) += '\1';
    at = span.end;
  }
  return out.append(text.substr(at));
}

/// What the book wrote, with the same mark for each placeholder.
std::string without_placeholders(std::string text) {
  for (auto at = text.find("<secret:"); at != std::string::npos; at = text.find("<secret:", at))
    text.replace(at, text.find('>', at) - at + 1, 1, '\1');
  return text;
}

/// How long a line of a key this is; 0 when it is none.
std::size_t key_length(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \r") + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t>|"), line.size()));
  const bool base64 = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=") ==
                      std::string_view::npos;
  return base64 && line.size() <= 100 ? line.size() : 0;
}

/// A stream waits for the end of a key whose head never came only while it looks like one: not for a short line alone,
/// nor for more lines than a key has. Whole, such a text has more of it masked.
bool lets_tail_go(std::string_view text) {
  std::size_t lines = 0, last = 0, before = 0;
  while (!text.empty()) {
    const std::string_view line = base::take_line(text);
    const bool end = line.find("-----END ") != std::string_view::npos;
    if (end && lines > 0 && ((last < 16 && before < 16) || lines > 100)) return true;
    before = last;
    last = key_length(line);
    lines = last > 0 ? lines + 1 : 0;
  }
  return false;
}

}  // namespace

bool fuzz::takes_known_good() {
  const std::string text = "PASSWORD=hunter2-and-more\nok\n";
  return streamed(text, 3) == "PASSWORD=<secret:password:1>\nok\n" && without_secrets(text) == "PASSWORD=\1\nok\n";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("<secret:") != std::string_view::npos) return 0;  // It would be taken for our own.
  safety::SecretBook book;
  const std::string whole = redactor().redact(text, book, "fuzz");
  const std::string masked = without_secrets(text);
  if (without_placeholders(whole) != masked) std::abort();
  const std::string pieces = streamed(text, size > 0 ? 1 + data[0] % 16 : 1);
  if (!lets_tail_go(text) && pieces != whole) std::abort();
  return 0;
}
