#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <string>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/json_line.h"
#include "app/config/state_dir.h"
#include "base/result.h"
#include "safety/audit_log.h"

namespace app {
namespace {

std::string audit_dir() {
  return state_dir_path() + "/audit";
}

/// Tells apart a log that was never begun and one that cannot be read.
base::Result<void> audit_begun() {
  if (std::filesystem::exists(audit_dir())) return {};
  return base::fail("there is no audit log in " + audit_dir() + "; the first command of the agent begins it");
}

int audit_list() {
  if (const auto begun = audit_begun(); !begun) return complain(begun.error().message, kFailed);
  const auto records = safety::read_audit(audit_dir());
  if (!records) return complain(records.error().message, kFailed);
  for (const auto& record : *records) std::cout << as_line(record);
  return kDone;
}

int audit_verify() {
  if (const auto begun = audit_begun(); !begun) return complain(begun.error().message, kFailed);
  const auto check = safety::verify_audit(audit_dir());
  if (!check) return complain(check.error().message, kFailed);
  std::cout << check->records << " records, chain intact, last hash " << check->last_hash << "\n";
  return kDone;
}

int audit_export() {
  if (const auto begun = audit_begun(); !begun) return complain(begun.error().message, kFailed);
  const auto text = safety::export_audit_markdown(audit_dir());
  if (!text) return complain(text.error().message, kFailed);
  std::cout << *text;
  return kDone;
}

}  // namespace

void add_audit(CLI::App& jms, Outcome& outcome) {
  CLI::App* audit = jms.add_subcommand("audit", "What was run, by whom, approved how");
  audit->require_subcommand(1);
  audit->add_subcommand("list", "All records, as JSON lines")->callback([&outcome] {
    outcome.exit_code = audit_list();
  });
  audit->add_subcommand("verify", "Check the chain of hashes")->callback([&outcome] {
    outcome.exit_code = audit_verify();
  });
  CLI::App* report = audit->add_subcommand("export", "A report for an incident");
  report->add_flag("--markdown")->description("As Markdown (the only format)");
  report->callback([&outcome] { outcome.exit_code = audit_export(); });
}

}  // namespace app
