#pragma once

#include <string>

#include "app/assistant/model_settings.h"
#include "app/commands/commands.h"
#include "app/target/target.h"

namespace app {

/// A question without a panel: `jms ask`, and `jms sessions resume`.
struct AskOptions {
  TargetOptions target;
  ModelChoice model;
  std::string question;
  std::string mode;
  std::string resume_id;
  bool json = false;
  bool yes_changes = false;
};

void add_ask_options(CLI::App& command, AskOptions& options);
/// Asks, prints the answer, and returns the exit code.
int ask(AskOptions options, const CommonOptions& common);

}  // namespace app
