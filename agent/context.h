#pragma once

// What a request carries besides the words of the question, and how older parts of the history shrink.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/tool.h"
#include "base/size.h"
#include "model/message.h"

namespace agent {

/// What is known about where the operator is. Empty fields are left out.
struct HostFacts {
  std::string target;
  std::string user;
  std::string shell;  ///< "bash, framing: line"
  std::string time;
  base::Size size{0, 0};
};

/// A command the operator ran with `!` in the panel.
struct ShellRecord {
  std::string command;
  std::string output;
  std::optional<int> exit_code;
};

/// Text the operator put beside a question: a selection, the screen, the last command's output.
struct Attachment {
  std::string name;  ///< "@last"
  std::string text;
};

/// A question with everything that goes along.
struct Question {
  std::string text;
  HostFacts facts;
  std::vector<Attachment> attachments;
  std::string terminal;  ///< The text of the terminal, up to its newest line.
  std::vector<ShellRecord> records;
};

/// How much of a question's surroundings is sent.
struct ContextLimits {
  std::size_t terminal_lines = 120;
  std::size_t terminal_bytes = 8 * 1024;
  std::size_t record_bytes = 2'048;
  std::size_t attachment_bytes = 16 * 1024;  ///< Each; head and tail of what is longer.
};

inline constexpr std::string_view kOutputCleared = "[output cleared]";
inline constexpr std::string_view kTerminalCleared = "[terminal context cleared]";
inline constexpr std::string_view kRecordsCleared = "[shell records cleared]";
inline constexpr std::string_view kAttachmentCleared = "[attachment cleared]";
inline constexpr std::size_t kClearAbove = 200;

/// The user message of a question: records, facts and terminal, attachments, reminders, the words. `tag` fences what is
/// not trusted.
model::Message compose_question(const Question& question, std::string_view tag, const std::string& reminders,
                                const ContextLimits& limits = {});

/// The words the operator typed, out of a composed question.
std::string_view question_text(const model::Message& message);
/// Whether a message begins a question (and does not answer calls).
bool begins_question(const model::Message& message);

/// The last lines within both bounds, whole characters only.
std::string_view last_lines(std::string_view text, std::size_t lines, std::size_t bytes);

using KeepsResult = std::function<bool(std::string_view tool)>;

/// Clears old output and terminal content in all `messages`, and with it all thinking (which is bound to an unchanged
/// past). True when something was changed.
bool clear_old_content(std::vector<model::Message>& messages, const KeepsResult& keeps);

/// When the history has grown past `most` questions, all but the first and the last `kept` of them become one line
/// each. True when something was changed.
struct SnipLimits {
  std::size_t most = 16;
  std::size_t kept = 8;
  std::size_t digest_bytes = 4'000;
};
bool snip_middle(std::vector<model::Message>& messages, const SnipLimits& limits = {});

/// Removes thinking from all messages; a message that would be empty keeps a word.
void drop_thinking(std::vector<model::Message>& messages);

}  // namespace agent
