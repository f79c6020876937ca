#include "tests/e2e/app/documents.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/support/temp_dir.h"

namespace app::documents {
namespace {

std::string plain(const std::string& roff) {
  static const std::vector<std::pair<std::regex, std::string>> letters = {
      {std::regex("\\\\f[BIR]|\\\\&"), ""},
      {std::regex("\\\\-"), "-"},
      {std::regex("\\\\\\(dq"), "\""},
      {std::regex("\\\\e"), "\\\\"},
  };
  std::string text = roff;
  for (const auto& [letter, meaning] : letters) text = std::regex_replace(text, letter, meaning);
  return text;
}

/// One line of a document and the block it stands in: "" for text, "```" for a block without a language.
struct Line {
  int number;
  std::string block;
  std::string text;
};

std::vector<Line> lines_of(const Document& document) {
  std::vector<Line> lines;
  std::istringstream stream(document.text);
  std::string block;
  int number = 0;
  for (std::string text; std::getline(stream, text);) {
    ++number;
    const bool begins = document.is_manual() ? text == ".nf" : block.empty() && text.starts_with("```");
    const bool ends = document.is_manual() ? text == ".fi" : !block.empty() && text == "```";
    if (begins) block = document.is_manual() ? "```console" : text;
    if (ends) block.clear();
    if (!begins && !ends) lines.push_back({number, block, text});
  }
  return lines;
}

}  // namespace

Document named(const std::string& name) {
  Document document{name, support::read_text(JMS_SOURCE_DIR "/" + name)};
  if (document.is_manual()) document.text = plain(document.text);
  return document;
}

std::vector<Document> all() {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(JMS_SOURCE_DIR "/docs")) {
    const std::string kind = entry.path().extension();
    if (kind == ".md" || kind == ".1" || kind == ".5") names.push_back(fs::relative(entry.path(), JMS_SOURCE_DIR));
  }
  std::sort(names.begin(), names.end());
  // The README first: what it sets up, a sign-in for example, is there for the others.
  names.insert(names.begin(), {"README.md", "CONTRIBUTING.md"});
  std::vector<Document> documents;
  for (const auto& name : names) documents.push_back(named(name));
  return documents;
}

std::vector<Shown> shown_commands(const Document& document) {
  static const std::regex exits("#.*\\bexit (\\d+)");
  std::vector<Shown> found;
  std::string exports;
  for (const auto& [number, block, text] : lines_of(document)) {
    if (block != "```console") exports.clear();
    if (block != "```console" || (!document.is_manual() && !text.starts_with("$ "))) continue;
    Shown shown{document.name + ":" + std::to_string(number), exports, document.is_manual() ? text : text.substr(2)};
    if (std::smatch match; std::regex_search(text, match, exits)) shown.code = std::stoi(match[1]);
    if (shown.command.starts_with("export ")) exports += shown.command + "\n";
    found.push_back(shown);
  }
  return found;
}

std::vector<std::string> commands_out_of_sight(const Document& document) {
  static const std::regex command("^ *(\\$ |\\./|scripts/|export |jms +[^ 0-9]).*");
  std::vector<std::string> found;
  for (const auto& [number, block, text] : lines_of(document))
    if (!block.empty() && block != "```console" && std::regex_match(text, command))
      found.push_back(document.name + ":" + std::to_string(number) + ": " + text);
  return found;
}

std::vector<std::string> code_in_text(const Document& document) {
  if (document.is_manual()) return {};
  std::string text;
  for (const auto& line : lines_of(document)) text += line.block.empty() ? line.text + "\n" : "\n";
  static const std::regex code("`([^`]+)`");
  static const std::regex blank("\\s+");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at)
    found.push_back(std::regex_replace((*at)[1].str(), blank, " "));
  return found;
}

}  // namespace app::documents
