// Masking of secrets in everything that leaves for a model or is kept. Lines that hold no trigger are skipped by one
// automaton; the few others are matched against the families in one set, then placed exactly.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace safety {

/// A stretch of a text that holds a secret; byte offsets.
struct SecretSpan {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string kind;

  bool operator==(const SecretSpan&) const = default;
};

/// A pattern from the configuration: group 1 (or the whole match) is masked.
struct CustomPattern {
  std::string kind;
  std::string regex;
};

struct RedactorOptions {
  std::vector<CustomPattern> patterns;
  std::vector<std::string> exceptions;  ///< Patterns of values that stay readable.
};

/// The placeholders of one session: the same value has the same placeholder, and knows the host it came from.
class SecretBook {
 public:
  /// `<secret:aws-key:1>`
  const std::string& placeholder(std::string_view kind, std::string_view value, std::string_view origin);

  /// Puts the values back for a command that will run on `origin`. Fails when a placeholder is unknown or belongs to
  /// another host: a secret never travels.
  base::Result<std::string> restore(std::string_view text, std::string_view origin) const;

 private:
  struct Entry {
    std::string value;
    std::vector<std::string> origins;
  };
  static constexpr std::size_t kMaxEntries = 10'000;

  std::unordered_map<std::string, std::string> by_value_;  ///< kind and value, to placeholder.
  std::unordered_map<std::string, Entry> by_placeholder_;
  std::unordered_map<std::string, int> counts_;
  std::string overflow_ = "<secret:masked>";
};

/// What a scan must remember from one line to the next.
struct ScanState {
  bool in_key_block = false;  ///< Between BEGIN and END of a private key.
  int key_lines = 0;
  int data_indent = -1;  ///< Inside `data:` of a Kubernetes object, at this indentation.
};

/// Finds secrets in text. Stateless apart from its patterns; thread of one.
class Redactor {
 public:
  static base::Result<Redactor> create(const RedactorOptions& options = {});
  Redactor(Redactor&&) noexcept;
  Redactor& operator=(Redactor&&) noexcept;
  ~Redactor();

  /// Masks this exact value everywhere, last of all: the client's own API key.
  void add_literal(std::string kind, std::string value);

  /// Secrets in `text`, in order, not overlapping.
  std::vector<SecretSpan> find(std::string_view text) const;
  /// The same with memory across pieces, each of which ends at the end of a line.
  std::vector<SecretSpan> find(std::string_view text, ScanState& state) const;

  /// `text` with each secret replaced by its placeholder. `origin` is the host it came from.
  std::string redact(std::string_view text, SecretBook& book, std::string_view origin = {}) const;

 private:
  struct Patterns;
  explicit Redactor(std::unique_ptr<Patterns> patterns);
  void scan_line(std::string_view line, std::size_t offset, std::vector<SecretSpan>& found) const;
  bool scan_block_line(std::string_view line, std::size_t offset, ScanState& state,
                       std::vector<SecretSpan>& found) const;
  void find_literals(std::string_view text, std::vector<SecretSpan>& found) const;

  std::unique_ptr<Patterns> patterns_;
};

/// `text` with the spans replaced by placeholders.
std::string mask(std::string_view text, const std::vector<SecretSpan>& spans, SecretBook& book,
                 std::string_view origin);

/// A Redactor for text that arrives in pieces: what may still become part of a secret is held back.
class StreamRedactor {
 public:
  StreamRedactor(const Redactor& redactor, SecretBook& book, std::string origin)
      : redactor_(redactor), book_(book), origin_(std::move(origin)) {}

  /// Adds bytes; returns what can be shown now.
  std::string feed(std::string_view bytes);
  /// The rest, when nothing more will come.
  std::string finish();

 private:
  std::string release(std::size_t bytes);
  std::size_t decided() const;

  const Redactor& redactor_;
  SecretBook& book_;
  std::string origin_;
  std::string pending_;
  ScanState state_;
};

}  // namespace safety
