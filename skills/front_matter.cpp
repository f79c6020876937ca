#include "skills/front_matter.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "base/words.h"
#include "model/json.h"
#include "model/utf8_clean.h"

namespace skills {
namespace {

using base::take_line;

constexpr std::size_t kMostDescription = 1024;
constexpr std::size_t kMostName = 64;
constexpr std::array<std::string_view, 15> kKnown = {
    "name",           "description",   "license", "compatibility", "metadata", "allowed-tools",
    "version",        "author",        "tags",    "model",         "context",  "disable-model-invocation",
    "user-invocable", "argument-hint", "hooks"};

bool is_rule(std::string_view line) {
  return line.starts_with("---") && line.find_first_not_of(" \t", 3) == std::string_view::npos;
}

std::string in_quotes(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// Authors write `description: Use when: …` without quotes, which is no YAML. The same text with such values quoted.
std::string with_quoted_values(std::string_view yaml) {
  std::string out;
  while (!yaml.empty()) {
    const auto line = take_line(yaml);
    const auto colon = line.find(": ");
    const auto begin = colon == std::string_view::npos ? colon : line.find_first_not_of(' ', colon + 2);
    const bool plain = begin != std::string_view::npos && line[0] != ' ' && line[0] != '#' && line[0] != '-' &&
                       std::string_view("\"'|>[{&*!").find(line[begin]) == std::string_view::npos;
    if (!plain) {
      out.append(line).append("\n");
      continue;
    }
    std::string value(line.substr(begin));
    while (yaml.starts_with(' ') || yaml.starts_with('\t')) {  // A plain value that goes on in the next lines.
      auto more = take_line(yaml);
      more.remove_prefix(std::min(more.find_first_not_of(" \t"), more.size()));
      value.append(" ").append(more);
    }
    out.append(line.substr(0, colon + 2)).append(in_quotes(value)).append("\n");
  }
  return out;
}

std::string scalar(const YAML::Node& node) {
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

/// YAML may come back as a node that throws when it is touched; everything is inside one try.
std::optional<FrontMatter> read_yaml(const std::string& yaml, std::string& problem) {
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsMap()) {
      problem = "the front matter is not a list of `key: value`";
      return std::nullopt;
    }
    FrontMatter front;
    front.name = scalar(root["name"]);
    front.description = scalar(root["description"]);
    front.license = scalar(root["license"]);
    front.compatibility = scalar(root["compatibility"]);
    front.hidden_from_model = scalar(root["disable-model-invocation"]) == "true";
    if (const auto tools = root["allowed-tools"]; tools && tools.IsSequence()) {
      for (const auto& tool : tools) front.allowed_tools.push_back(scalar(tool));
    } else {
      std::istringstream words(scalar(tools));
      for (std::string word; words >> word;) front.allowed_tools.push_back(word);
    }
    if (const auto metadata = root["metadata"]; metadata && metadata.IsMap())
      for (const auto& entry : metadata) front.metadata.emplace_back(scalar(entry.first), scalar(entry.second));
    for (const auto& entry : root)
      if (const auto key = scalar(entry.first); std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end())
        front.warnings.push_back("unknown field `" + model::one_line(key, 40) + "`");
    return front;
  } catch (const YAML::Exception& error) {
    problem = "the front matter is not valid YAML: " + model::one_line(error.what(), 160);
    return std::nullopt;
  }
}

std::string trimmed(std::string text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  text.erase(last == std::string::npos ? 0 : last + 1);
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

}  // namespace

std::string name_problem(std::string_view name) {
  if (name.empty()) return "the name is missing";
  if (name.size() > kMostName) return "the name is longer than 64 characters";
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  if (!plain) return "the name has characters other than a-z, 0-9 and hyphen";
  if (name.front() == '-' || name.back() == '-' || name.find("--") != std::string_view::npos)
    return "the name has a hyphen at an end or two in a row";
  return {};
}

base::Result<SkillText> parse_skill(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!is_rule(take_line(text))) return base::fail("it does not begin with a `---` line");
  std::string yaml;
  bool closed = false;
  while (!text.empty() && yaml.size() <= kMostFrontMatter) {
    const auto line = take_line(text);
    closed = is_rule(line);
    if (closed) break;
    yaml.append(line).append("\n");
  }
  if (!closed) return base::fail("the front matter is not closed by a `---` line");
  std::string scratch;
  yaml = model::valid_utf8(yaml, scratch);
  std::string problem;
  auto front = read_yaml(yaml, problem);
  if (!front) {
    std::string second;
    front = read_yaml(with_quoted_values(yaml), second);
    if (!front) return base::fail(problem);
    front->warnings.push_back("a value with `: ` in it must be quoted");
  }
  front->name = trimmed(front->name);
  front->description = trimmed(front->description);
  if (front->description.empty()) return base::fail("it has no description");
  if (front->description.size() > kMostDescription)
    front->warnings.push_back("the description is longer than 1024 characters");
  return SkillText{std::move(*front), std::string(text)};
}

}  // namespace skills
