#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace remote_exec {

/// What output passes on its way to anyone and anything: `app` masks secrets here. It may hold back what is undecided.
class OutputFilter {
 public:
  virtual ~OutputFilter() = default;
  virtual std::string feed(std::string_view text) = 0;
  /// What is still held back; more may follow.
  virtual std::string finish() = 0;
};

/// What is kept of one command's output: all of it when it is short, else its head and tail here and the whole, up to
/// a cap, in a private file. Memory does not grow with the output.
class OutputStore {
 public:
  struct Options {
    std::size_t budget = 30'000;           ///< Bytes of text kept here, half as head, half as tail.
    std::uint64_t file_cap = 64ull << 20;  ///< Bytes kept in the file; 0: no file.
    std::string directory;                 ///< Where files go (0700); empty: no file.
  };

  explicit OutputStore(const Options& options);

  void append(std::string_view text);

  std::uint64_t total_bytes() const { return total_; }
  bool truncated() const { return total_ > options_.budget; }
  /// The text, or head and tail with a line between them that says what is missing and where it is.
  std::string text() const;
  /// Names the file for read_output; empty while nothing is kept in one.
  std::string file_id() const { return in_file_ > 0 ? file_id_ : std::string(); }
  std::uint64_t kept_bytes() const { return in_file_; }

 private:
  void open_file();
  void write_file(std::string_view text);
  std::string tail() const;

  Options options_;
  std::string head_;
  std::string tail_;  ///< A ring of budget/2 bytes once it is full.
  std::size_t tail_start_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t in_file_ = 0;
  std::string file_id_;
  base::UniqueFd file_;
};

/// A part of a kept output.
struct OutputPart {
  std::string text;
  std::uint64_t size = 0;  ///< Of the whole file.
  bool more = false;       ///< There is text (or are matches) behind this part.
};

/// Reads `limit` bytes from `offset` of a kept output. `id` is checked: it never leaves `directory`.
base::Result<OutputPart> read_output(const std::string& directory, const std::string& id, std::uint64_t offset,
                                     std::size_t limit);

/// Removes kept outputs that nothing has written to for so long. Other files in the directory stay.
void forget_old_outputs(const std::string& directory, std::chrono::hours age);

/// The lines of a kept output that contain `needle`, each with its number in front, at most `limit` bytes.
base::Result<OutputPart> grep_output(const std::string& directory, const std::string& id, std::string_view needle,
                                     std::size_t limit);

}  // namespace remote_exec
