#include "skills/skill_match.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/utf8.h"

namespace skills {
namespace {

using Words = std::set<std::string>;

constexpr double kNameWeight = 3;
constexpr double kLeast = 1.2;
constexpr std::size_t kMostText = 4'000;
constexpr std::array<std::string_view, 62> kIgnored = {
    "a",     "an",    "and",  "are",   "at",   "be",     "been", "by",      "can",    "cannot", "check",
    "could", "do",    "does", "find",  "for",  "from",   "has",  "have",    "host",   "how",    "i",
    "if",    "in",    "is",   "it",    "its",  "know",   "look", "machine", "me",     "my",     "no",
    "not",   "of",    "on",   "or",    "out",  "please", "see",  "server",  "should", "so",     "soon",
    "tell",  "that",  "the",  "there", "this", "to",     "up",   "use",     "was",    "what",   "when",
    "where", "which", "why",  "will",  "with", "you",    "your"};

/// "services", "serving", "served" -> "serv": enough to compare, not to read.
std::string stem(std::string word) {
  for (const std::string_view ending : {"ing", "ies", "es", "ed", "s", "e"}) {
    if (word.size() < ending.size() + 3 || !word.ends_with(ending)) continue;
    word.resize(word.size() - ending.size());
    break;
  }
  return word;
}

void add_word(std::string& word, Words& words) {
  const bool figure = word.find_first_not_of("0123456789") == std::string::npos;
  if (word.size() > 1 && !figure && std::find(kIgnored.begin(), kIgnored.end(), word) == kIgnored.end())
    words.insert(stem(word));
  word.clear();
}

Words words_of(std::string_view text) {
  Words words;
  std::string word, previous;
  text = base::cut_utf8(text, kMostText);
  while (!text.empty()) {
    const auto character = base::decode_utf8(text);
    const std::string bytes(text.substr(0, character.bytes));
    text.remove_prefix(character.bytes);
    const char32_t c = character.code;
    const bool chinese = c >= 0x4E00 && c <= 0x9FFF;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      word += bytes;
    else if (c >= 'A' && c <= 'Z')
      word += static_cast<char>(c - 'A' + 'a');
    else
      add_word(word, words);
    if (chinese && !previous.empty()) words.insert(previous + bytes);
    previous = chinese ? bytes : std::string();
  }
  add_word(word, words);
  return words;
}

}  // namespace

const Skill* best_match(const SkillIndex& index, std::string_view question) {
  const Words asked = words_of(question);
  struct Entry {
    const Skill* skill;
    Words name, description;
  };
  std::vector<Entry> entries;
  std::map<std::string, int> spread;  // In how many skills a word appears: common words say little.
  for (const auto& skill : index.skills()) {
    if (skill.front.hidden_from_model) continue;
    entries.push_back({&skill, words_of(skill.name), words_of(skill.front.description)});
    Words all = entries.back().description;
    all.insert(entries.back().name.begin(), entries.back().name.end());
    for (const auto& word : all) ++spread[word];
    if (question.find(skill.name) != std::string_view::npos && skill.name.find('-') != std::string::npos) return &skill;
  }
  const Skill* best = nullptr;
  double best_score = kLeast;
  for (const auto& entry : entries) {
    double score = 0;
    for (const auto& word : asked) {
      const auto found = spread.find(word);
      if (found == spread.end()) continue;
      const double rarity = std::log(1.0 + static_cast<double>(entries.size()) / found->second);
      if (entry.name.count(word))
        score += kNameWeight * rarity;
      else if (entry.description.count(word))
        score += rarity;
    }
    if (score <= best_score) continue;
    best = entry.skill;
    best_score = score;
  }
  return best;
}

}  // namespace skills
