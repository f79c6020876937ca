#include "panel/completion.h"

#include <algorithm>
#include <array>

#include "panel/fuzzy.h"

namespace panel {
namespace {

struct Attachment {
  std::string_view name;
  Message about;
};
constexpr std::array<Attachment, 3> kAttachments = {
    {{"@last", Message::attach_last}, {"@screen", Message::attach_screen}, {"@sel", Message::attach_selection}}};
constexpr std::size_t kRecent = 200;

bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n';
}

std::size_t word_begin(std::string_view text, std::size_t cursor) {
  while (cursor > 0 && !is_blank(text[cursor - 1])) --cursor;
  return cursor;
}

/// Those that fit, the best first; equal ones keep their order.
std::vector<Candidate> fitting(std::string_view pattern, const std::vector<Candidate>& all) {
  std::vector<std::pair<int, const Candidate*>> scored;
  for (const auto& candidate : all)
    if (const auto score = fuzzy_score(pattern, candidate.text)) scored.emplace_back(*score, &candidate);
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Candidate> result;
  for (const auto& [score, candidate] : scored)
    if (result.size() < Completer::kMost) result.push_back(*candidate);
  return result;
}

std::optional<Completion> completion(std::size_t from, std::size_t to, std::string_view pattern,
                                     const std::vector<Candidate>& all) {
  Completion found{from, to, fitting(pattern, all)};
  const bool done = found.candidates.size() == 1 && found.candidates[0].text == pattern;
  if (found.candidates.empty() || done) return std::nullopt;
  return found;
}

}  // namespace

std::optional<Completion> Completer::suggest(std::string_view text, std::size_t cursor) const {
  if (auto found = command(text, cursor)) return found;
  if (auto found = argument(text, cursor)) return found;
  return attachment(text, cursor);
}

std::optional<Completion> Completer::complete(std::string_view text, std::size_t cursor,
                                              const InputHistory& history) const {
  if (auto found = suggest(text, cursor)) return found;
  if (text.starts_with('/')) return std::nullopt;
  std::vector<Candidate> questions;
  for (auto& entry : history.recent(kRecent))
    if (entry != text) questions.push_back({std::move(entry), say(Message::asked_before)});
  return completion(0, text.size(), text, questions);
}

std::optional<Completion> Completer::command(std::string_view text, std::size_t cursor) const {
  if (!text.starts_with('/') || cursor == 0) return std::nullopt;
  const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  if (cursor > end || text.substr(1, end - 1).find('/') != std::string_view::npos) return std::nullopt;
  std::vector<Candidate> all;
  for (const auto& row : slash_commands()) all.push_back({"/" + std::string(row.name), say(row.help)});
  auto found = completion(0, end, text.substr(0, cursor), all);
  // What is there already can only be gone on with.
  if (found && found->candidates[0].text == text.substr(0, end)) {
    const auto begins = [&](const Candidate& one) { return one.text.starts_with(text.substr(0, end)); };
    if (std::count_if(found->candidates.begin(), found->candidates.end(), begins) == 1) return std::nullopt;
  }
  return found;
}

std::optional<Completion> Completer::argument(std::string_view text, std::size_t cursor) const {
  if (!text.starts_with('/')) return std::nullopt;
  const std::size_t end = text.find(' ');
  if (end == std::string_view::npos || cursor <= end) return std::nullopt;
  const auto rows = slash_commands();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.name == text.substr(1, end - 1); });
  if (row == rows.end() || row->takes == Argument::none) return std::nullopt;
  std::vector<Candidate> all;
  for (const auto word : fixed_choices(row->takes)) all.push_back({std::string(word), {}});
  if (const auto known = choices_.find(row->takes); known != choices_.end()) all = known->second();
  return completion(end + 1, text.size(), text.substr(end + 1), all);
}

std::optional<Completion> Completer::attachment(std::string_view text, std::size_t cursor) const {
  const std::size_t from = word_begin(text, cursor);
  if (from >= text.size() || text[from] != '@' || from == cursor) return std::nullopt;
  std::vector<Candidate> all;
  for (const auto& one : kAttachments)
    if (one.name.starts_with(text.substr(from, cursor - from))) all.push_back({std::string(one.name), say(one.about)});
  return completion(from, cursor, text.substr(from, cursor - from), all);
}

std::vector<std::string> attachments_in(std::string_view text) {
  std::vector<std::string> found;
  for (const auto& one : kAttachments) {
    for (std::size_t at = text.find(one.name); at != std::string_view::npos; at = text.find(one.name, at + 1)) {
      const std::size_t end = at + one.name.size();
      const bool begins = at == 0 || is_blank(text[at - 1]);
      const bool ends = end == text.size() || is_blank(text[end]) ||
                        std::string_view(",.;:?!)").find(text[end]) != std::string_view::npos;
      if (!begins || !ends) continue;
      found.emplace_back(one.name);
      break;
    }
  }
  return found;
}

}  // namespace panel
