// `jms sessions`: the conversations that are kept.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "agent/session_store.h"
#include "app/command_line.h"
#include "app/commands/ask.h"
#include "app/config/state_dir.h"
#include "safety/sanitizer.h"

namespace app {
namespace {

std::string sessions_dir() {
  return state_dir_path() + "/sessions";
}

int list_sessions() {
  const auto sessions = agent::list_sessions(sessions_dir());
  if (!sessions) return complain(sessions.error().message, kFailed);
  for (const auto& session : *sessions)
    std::cout << session.id << "  " << session.created << "  " << session.target << "  "
              << safety::sanitize(session.title) << "\n";
  return kDone;
}

int show_session(const std::string& id) {
  const auto session = agent::load_session(sessions_dir(), id);
  if (!session) return complain(session.error().message, kFailed);
  std::cout << safety::sanitize(agent::describe_session(*session));
  return kDone;
}

int resume_session(AskOptions options, const CommonOptions& common) {
  const auto session = agent::load_session(sessions_dir(), options.resume_id);
  if (!session) return complain(session.error().message, kFailed);
  options.target.target = session->info.target;
  options.resume_id = session->info.id;
  return ask(options, common);
}

}  // namespace

void add_sessions(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* sessions = jms.add_subcommand("sessions", "Kept conversations");
  sessions->require_subcommand(1);
  auto options = std::make_shared<AskOptions>();
  sessions->add_subcommand("list", "All of them, newest first")->callback([&outcome] {
    outcome.exit_code = list_sessions();
  });
  CLI::App* show = sessions->add_subcommand("show", "Questions and answers of one");
  show->add_option("ID", options->resume_id)->required();
  show->callback([options, &outcome] { outcome.exit_code = show_session(options->resume_id); });
  CLI::App* resume = sessions->add_subcommand("resume", "Go on with one: ask a further question on its target");
  resume->add_option("ID", options->resume_id)->required();
  resume->add_option("QUESTION", options->question)->required();
  add_ask_options(*resume, *options);
  add_target_options(*resume, options->target);
  resume->callback([options, &common, &outcome] { outcome.exit_code = resume_session(*options, common); });
}

}  // namespace app
