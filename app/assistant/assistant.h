#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "agent/conversation.h"
#include "agent/session_store.h"
#include "app/assistant/assistant_settings.h"
#include "app/assistant/model_settings.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "remote_exec/execute_command_tool.h"
#include "safety/permission_rules.h"
#include "skills/skill_index.h"
#include "terminal/screen.h"

namespace app {

/// "bash" as far as the shell at the prompt is proven; empty: not yet.
std::string shell_fact(const remote_exec::ShellMemory& memory);

/// The agent with everything it stands on: a model (or the offline engine), tools, skills, permissions, redaction, the
/// audit log and the kept conversation. The same for a session in front of the operator and for one without.
class Assistant {
 public:
  struct Options {
    std::string target;
    AssistantSettings settings;
    bool headless = false;       ///< Nobody can be asked.
    bool allow_changes = false;  ///< --yes-changes
    std::string resume_id;       ///< Goes on with a kept conversation.
    std::string outputs;         ///< Where long outputs are kept.
  };
  /// Where the agent is: how a command runs there, and what the screen shows.
  struct Surroundings {
    remote_exec::ExecuteCommandTool::Runner run;
    std::function<const terminal::Screen&()> screen;
    std::function<std::string()> shell = {};      ///< "bash, framing: line", as far as it is known; may be left out.
    std::function<std::string()> selection = {};  ///< What the operator marked in the terminal; may be left out.
  };

  Assistant(event::EventLoop& loop, Options options, ModelSetup setup, Surroundings surroundings);
  ~Assistant();

  /// Opens the records. Without them nothing runs.
  base::Result<void> open();

  /// Starts answering; everything goes to `observer`, which must outlive the answer. One question at a time.
  void ask(const std::string& question, agent::Observer& observer);
  bool busy() const { return exchange_ && !exchange_->ended(); }
  /// Stops at any point; the observer hears of the end.
  void cancel();
  /// Typed while it works: goes along with the next results.
  void add_input(const std::string& text);

  /// A command the operator ran himself: goes in front of the next question, once.
  void add_shell_record(agent::ShellRecord record);
  /// Text the operator puts beside the next question, as data and not as instructions: @last, @screen, @sel.
  void attach(std::string name, std::string text);

  // What can be looked at and changed between questions, and for the mode also during one. (assistant_control.cpp)

  /// The mode that holds here: the strictest of what was set and what the host's own entry says.
  safety::Mode mode() const;
  /// Sets the mode and gives the one that holds now. The model hears of it with the next message.
  safety::Mode set_mode(safety::Mode mode);
  bool production() const;
  /// More is known about the target: JumpServer's node and labels.
  void set_place(safety::Target where);
  const safety::PermissionRules& permissions() const;

  /// "anthropic claude-…" or "offline", for titles.
  std::string model_name() const;
  base::Result<void> set_model(ModelSetup setup);
  /// Another model of the same provider.
  base::Result<void> set_model(const std::string& name);

  /// What was used so far, and how full the model's window is.
  struct Figures {
    model::Usage usage;
    std::optional<double> cost_usd;
    long context_tokens = 0;
    long context_window = 0;
    std::size_t messages = 0;
    std::size_t questions = 0;
    std::size_t compactions = 0;
  };
  Figures figures() const;

  /// Forgets the conversation and begins a new one; the old one stays in `jms sessions`.
  base::Result<void> clear();
  /// Replaces the history by a summary of the model's, now. As with ask(), the observer hears of the end.
  base::Result<void> compact(agent::Observer& observer);

  enum class ExportFormat { markdown, json };
  std::string export_conversation(ExportFormat format) const;

  /// Why a record could not be written, and commands did not run; nothing while all is well.
  std::optional<std::string> unrecorded() const;
  const std::string& session_id() const;
  base::Result<std::vector<agent::SessionInfo>> sessions() const;
  /// Goes on with a kept conversation; the running one stays kept.
  base::Result<void> resume(const std::string& id);

  const skills::SkillIndex& skills() const;
  const std::vector<agent::Hook>& hooks() const { return options_.settings.hooks; }

 private:
  struct Parts;

  base::Result<void> open_conversation(const std::string& resume_id);
  base::Result<void> must_be_idle() const;
  void make_client();
  void make_tools();
  void make_agent();
  std::unique_ptr<agent::Tool::Run> run_command(remote_exec::ExecRequest request,
                                                std::function<void(remote_exec::CommandResult)> done);
  agent::Question compose(const std::string& question);
  void tell_about_skills(agent::Observer& observer);
  void tell_not_kept(const std::string& why);

  event::EventLoop& loop_;
  Options options_;
  ModelSetup setup_;
  Surroundings surroundings_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<agent::Agent> agent_;
  std::unique_ptr<agent::Exchange> exchange_;
};

}  // namespace app
