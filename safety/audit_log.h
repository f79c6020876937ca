// What was run, by whom, approved how. One JSON object per line; each holds the hash of the one before, so that a
// line that is changed, removed or put in shows.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace safety {

/// One record, as design section 2 names its fields. Texts must be redacted before they come here.
struct AuditRecord {
  std::string event;  ///< "start", "end", "refused"
  std::string target;
  std::string user;
  std::string command;
  std::string cls;
  std::string decision;    ///< "allowed", "denied"
  std::string decided_by;  ///< "policy", "rule", "operator"
  std::optional<int> exit_code;
  std::optional<std::int64_t> duration_ms;
  std::string output_sha256;
  std::optional<std::int64_t> output_bytes;
  std::string question;
  std::string model;
};

/// Appends records to `audit.jsonl` in a private directory; whole files are set aside when they grow.
///
/// A record that `append` reports as written is on the disk. When it fails, nothing may run. A "start" also takes the
/// room for its "end", so that what ran is not lost when the disk fills up meanwhile.
class AuditLog {
 public:
  struct Options {
    std::string directory;
    std::uint64_t rotate_bytes = 16 * 1024 * 1024;
    /// The time in UTC, "2024-05-06T07:08:09.123Z"; tests give their own.
    std::function<std::string()> now;
  };

  static base::Result<AuditLog> open(Options options);
  base::Result<void> append(const AuditRecord& record);

 private:
  explicit AuditLog(Options options) : options_(std::move(options)) {}
  base::Result<void> open_current();
  base::Result<void> mend_tail();
  base::Result<void> continue_from_set_aside();
  base::Result<void> rotate();
  base::Result<void> write_record(const AuditRecord& record);
  base::Result<void> reserve(std::size_t bytes);

  Options options_;
  base::UniqueFd file_;
  std::string last_hash_;
  std::uint64_t size_ = 0;
  std::uint64_t reserved_ = 0;  ///< Bytes behind the end of the file for the ends of what runs.
  int running_ = 0;             ///< Starts of this session without their end.
};

/// What a check of the chain found.
struct AuditCheck {
  std::size_t records = 0;
  std::string last_hash;  ///< Compare with one noted elsewhere: a cut-off end leaves a whole chain.
};

/// All records, oldest first.
base::Result<std::vector<nlohmann::ordered_json>> read_audit(const std::string& directory);

/// Follows the chain through all files. The error names the file and line of the first record that does not fit.
base::Result<AuditCheck> verify_audit(const std::string& directory);

/// An incident report: the commands and what came of them, as Markdown.
base::Result<std::string> export_audit_markdown(const std::string& directory);

/// SHA-256 as hex.
std::string sha256_hex(std::string_view bytes);

}  // namespace safety
