// The other side of the audit log: listing, checking, reporting.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "safety/audit_log.h"
#include "safety/sanitizer.h"

namespace safety {
namespace {

using Json = nlohmann::ordered_json;

/// Set-aside files by number, then the current one.
base::Result<std::vector<std::string>> audit_files(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("audit.") && name.ends_with(".jsonl") && name != "audit.jsonl")
      files.push_back(entry.path().string());
  }
  if (error) return base::fail("reading " + directory + ": " + error.message());
  std::sort(files.begin(), files.end());
  const auto current = directory + "/audit.jsonl";
  if (std::filesystem::exists(current, error)) files.push_back(current);
  return files;
}

/// Records of ours are flat. Nothing for what is nested deeply: writing it out again, to check its hash, recurses.
std::optional<Json> parse_record(const std::string& line) {
  static constexpr int kDeepest = 8;
  bool deep = false;
  auto record = Json::parse(
      line,
      [&deep](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > kDeepest;
        return !deep;
      },
      false);
  if (deep || !record.is_object()) return std::nullopt;
  return record;
}

template <typename Visit>
base::Result<void> each_record(const std::string& directory, Visit visit) {
  const auto files = audit_files(directory);
  if (!files) return base::fail(files.error());
  for (const auto& file : *files) {
    std::ifstream input(file, std::ios::binary);
    if (!input) return base::fail("cannot read " + file);
    std::size_t number = 0;
    for (std::string line; std::getline(input, line);) {
      const auto place = file + " line " + std::to_string(++number);
      auto record = parse_record(line);
      if (!record) return base::fail(place + " is not a record");
      if (auto visited = visit(std::move(*record), place); !visited) return visited;
    }
  }
  return {};
}

std::string text_of(const Json& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

/// A cell of a Markdown table.
std::string cell(const Json& record, const char* key) {
  std::string out;
  for (const char c : sanitize_line(text_of(record, key))) {
    if (c == '|') out += '\\';
    out += c == '`' ? '\'' : c;
  }
  return out;
}

}  // namespace

base::Result<std::vector<Json>> read_audit(const std::string& directory) {
  std::vector<Json> records;
  auto read = each_record(directory, [&](Json record, const std::string&) -> base::Result<void> {
    records.push_back(std::move(record));
    return {};
  });
  if (!read) return base::fail(read.error());
  return records;
}

base::Result<AuditCheck> verify_audit(const std::string& directory) {
  AuditCheck check;
  auto followed = each_record(directory, [&](Json record, const std::string& place) -> base::Result<void> {
    const auto hash = text_of(record, "hash");
    if (text_of(record, "prev") != check.last_hash)
      return base::fail(place + " does not follow the record before it: something was removed, added or reordered");
    record.erase("hash");
    if (sha256_hex(record.dump(-1, ' ', false, Json::error_handler_t::replace)) != hash)
      return base::fail(place + " was changed after it was written");
    check.last_hash = hash;
    ++check.records;
    return {};
  });
  if (!followed) return base::fail(followed.error());
  return check;
}

base::Result<std::string> export_audit_markdown(const std::string& directory) {
  std::string out =
      "# Incident report\n\n| time (UTC) | target | command | class | decided | outcome |\n|---|---|---|---|---|---|\n";
  auto read = each_record(directory, [&](const Json& record, const std::string&) -> base::Result<void> {
    const auto event = text_of(record, "event");
    std::string outcome = event == "refused" ? "refused"
                          : event == "start" ? "started"
                                             : "exit " + cell(record, "exit_code");
    if (event == "end")
      outcome += ", " + cell(record, "duration_ms") + " ms, " + cell(record, "output_bytes") + " bytes";
    out += "| " + cell(record, "time") + " | " + cell(record, "target") + " | `" + cell(record, "command") + "` | " +
           cell(record, "class") + " | " + cell(record, "decision") + " by " + cell(record, "decided_by") + " | " +
           outcome + " |\n";
    return {};
  });
  if (!read) return base::fail(read.error());
  const auto check = verify_audit(directory);
  out += check ? "\nThe chain of " + std::to_string(check->records) + " records is whole; it ends in " +
                     check->last_hash + ".\n"
               : "\n**The chain is broken:** " + check.error().message + "\n";
  return out;
}

}  // namespace safety
