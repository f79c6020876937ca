#include "agent/reminders.h"

#include <utility>

namespace agent {
namespace {

constexpr int kNever = 1 << 30;
constexpr std::size_t kMostReminders = 4'000;  // A reminder must not crowd out what it reminds of.

/// After how many messages a reminder that still holds is said again.
int cadence(ReminderKind kind) {
  switch (kind) {
    case ReminderKind::mode_change:
      return 10;
    case ReminderKind::budget:
      return 1;
    case ReminderKind::context_warning:
      return 5;
    case ReminderKind::skill_change:
      return kNever;
    case ReminderKind::tool_hint:
      return kNever;
  }
  return kNever;
}

}  // namespace

void Reminders::set(ReminderKind kind, std::string text) {
  auto& entry = entries_[kind];
  if (entry.text == text) return;
  entry = {std::move(text), -1};
}

std::string Reminders::take_due() {
  std::string out;
  for (auto& [kind, entry] : entries_) {  // The map's order is the order of importance.
    if (entry.text.empty()) continue;
    const bool due = entry.messages_since < 0 || entry.messages_since >= cadence(kind);
    if (due && out.size() + entry.text.size() <= kMostReminders) {
      out += (out.empty() ? "" : "\n") + entry.text;
      entry.messages_since = 1;
    } else if (!due && entry.messages_since < kNever) {
      ++entry.messages_since;
    }
  }
  return out.empty() ? out : "<reminder>\n" + out + "\n</reminder>";
}

void Reminders::repeat_all() {
  for (auto& [kind, entry] : entries_) entry.messages_since = -1;
}

}  // namespace agent
