#pragma once

#include <string>

#include "agent/approval_policy.h"

namespace agent {

/// One line of the record of what was run, or was not.
struct AuditEntry {
  enum class Event { start, end, refused };
  Event event = Event::start;
  bool given_up = false;  ///< Event end: jms stopped waiting for it, so that what came of it is unknown.
  std::string tool;
  std::string subject;  ///< The exact command.
  Classification classification;
  DecidedBy by = DecidedBy::policy;
  std::string reason;
  Json details = Json::object();  ///< Event end: what the tool said about its run.
  std::string output;             ///< Event end: for its size and hash.
  std::string question;
};

/// Keeps the record. What cannot be recorded does not run.
class Auditor {
 public:
  virtual ~Auditor() = default;
  virtual base::Result<void> record(const AuditEntry& entry) = 0;
};

}  // namespace agent
