#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/assistant/assistant.h"
#include "app/assistant/safety_bridge.h"
#include "local_exec/hook_process.h"
#include "safety/redactor.h"

namespace app {

/// What the agent stands on, in the order in which it is torn down backwards.
struct Assistant::Parts {
  Parts(event::EventLoop& loop, std::vector<skills::Root> roots, std::vector<agent::Hook> configured)
      : clock(loop), skills(std::move(roots)), hook_process(loop), hooks(std::move(configured), hook_process) {}

  std::optional<safety::Redactor> redactor;
  safety::SecretBook secrets;
  agent::LoopClock clock;
  skills::SkillIndex skills;
  local_exec::HookProcess hook_process;
  agent::Hooks hooks;
  std::unique_ptr<RulesPolicy> policy;
  std::unique_ptr<AuditBridge> audit;
  std::unique_ptr<agent::SessionStore> store;
  std::unique_ptr<model::ModelClient> client;
  std::vector<std::unique_ptr<agent::Tool>> tools;
  std::unique_ptr<agent::Conversation> conversation = std::make_unique<agent::Conversation>();
  std::vector<agent::ShellRecord> records;  ///< For the next question.
  std::vector<agent::Attachment> attachments;
  std::unique_ptr<agent::Clock::Alarm> notice;
  agent::Observer* listener = nullptr;            ///< Of the question under way.
  std::unique_ptr<agent::Clock::Alarm> not_kept;  ///< Tells it, outside of the call that failed.
  bool skills_told = false;                       ///< Broken ones are one line at the start.
  std::string created;

  std::string redact(std::string_view text, std::string_view origin) { return redactor->redact(text, secrets, origin); }
};

/// The time as people write it.
std::string time_now();

}  // namespace app
