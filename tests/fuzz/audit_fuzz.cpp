// An audit log that somebody else wrote in: read, checked and reported without harm; and a log that is whole stays
// whole when a record is added. With an odd first byte, the rest is a file that was set aside.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "safety/audit_log.h"
#include "tests/fuzz/input_dir.h"
#include "tests/fuzz/known_good.h"

namespace {

constexpr const char* kCurrent = "audit.jsonl";
constexpr const char* kSetAside = "audit.000001.jsonl";

const fuzz::InputDir& dir() {
  static const fuzz::InputDir made;
  return made;
}

base::Result<void> add_record() {
  auto log = safety::AuditLog::open({.directory = dir().path(), .now = [] { return "2026-01-06T08:30:00.000Z"; }});
  if (!log) return base::fail(log.error());
  return log->append({.event = "start", .target = "db1", .command = "df"});
}

}  // namespace

bool fuzz::takes_known_good() {
  if (!add_record() || !add_record()) return false;
  const auto check = safety::verify_audit(dir().path());
  const bool whole = check && check->records == 2;
  dir().remove(kCurrent);
  return whole;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool set_aside = (data[0] & 1) != 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  dir().remove(kCurrent);
  dir().remove(kSetAside);
  dir().write(set_aside ? kSetAside : kCurrent, bytes);
  const auto records = safety::read_audit(dir().path());
  const auto before = safety::verify_audit(dir().path());
  safety::export_audit_markdown(dir().path());
  if (before && (!records || records->size() != before->records)) std::abort();
  const auto added = add_record();
  if (!before || (!bytes.empty() && !bytes.ends_with('\n'))) return 0;  // A torn line is cut off before the record.
  if (!added) std::abort();
  const auto after = safety::verify_audit(dir().path());
  if (!after || after->records != before->records + 1) std::abort();
  return 0;
}
