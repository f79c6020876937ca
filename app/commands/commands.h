#pragma once

#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace app {

struct TargetOptions;
struct TargetFacts;
struct ModelChoice;

/// What a command leaves for main to return.
struct Outcome {
  int exit_code = 0;
};

/// Options that every command understands.
struct CommonOptions {
  std::string config_path;
};

/// The options that say how to reach a target, the same for every command that takes one.
void add_target_options(CLI::App& command, TargetOptions& target);

/// --provider and --model.
void add_model_options(CLI::App& command, ModelChoice& choice);

// Each adds one command with its options; parsing the command line then runs the command named.
void add_open_target(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_exec(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_ask(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_skills(CLI::App& jms, Outcome& outcome);
void add_sessions(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_login(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_logout(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_assets(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_policy(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_redact(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_audit(CLI::App& jms, Outcome& outcome);
void add_doctor(CLI::App& jms, const CommonOptions& common, Outcome& outcome);
void add_about(CLI::App& jms, Outcome& outcome);
void add_debug(CLI::App& jms, Outcome& outcome);

/// Prints "jms: …" on standard error and returns `exit_code`.
int complain(const std::string& sentence, int exit_code);

/// What a command does when connect_to() has failed: says why, or dies by the signal that came meanwhile.
int complain_or_die(const base::Error& error, const TargetOptions& target, const TargetFacts& facts);

/// Lets a signal that was caught end the process after all, so that whoever waits for jms sees the truth.
[[noreturn]] void die_by(int signal_number);

}  // namespace app
