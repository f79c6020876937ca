#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace agent {

/// What a reminder is about, most important first.
enum class ReminderKind { mode_change, budget, context_warning, skill_change, tool_hint };

/// Facts that change and therefore must not stand in the system prompt. They travel in the newest user message: each
/// kind when it is new, and again only after its cadence.
class Reminders {
 public:
  /// Says this from now on, until it is replaced or withdrawn (empty text).
  void set(ReminderKind kind, std::string text);

  /// What the message that is being written should carry, as one text; empty when nothing is due. Counts the message.
  std::string take_due();

  /// Everything is due again: the earlier messages are gone (compaction, roll-back).
  void repeat_all();

 private:
  struct Entry {
    std::string text;
    int messages_since = -1;  ///< -1: never said.
  };
  std::map<ReminderKind, Entry> entries_;
};

}  // namespace agent
