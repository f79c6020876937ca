// Scripts, paths, settings and variables: what the documents name is there.

#include <unistd.h>

#include <filesystem>
#include <regex>
#include <set>

#include "app/config/config.h"
#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/documents.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), {}};
}

class DocumentedFiles : public CommandTest {
 protected:
  /// A script runs at all: an interpreter reads it to its end.
  void expect_runnable(const std::string& script) const {
    ASSERT_EQ(access(script.c_str(), X_OK), 0) << script;
    const bool python = support::read_text(script).starts_with("#!/usr/bin/env python3");
    const Words argv = python ? Words{"python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", script}
                              : Words{"bash", "-n", script};
    const auto read = support::run_command({.argv = argv, .environment = env_.variables()});
    EXPECT_EQ(read.code, 0) << script << ": " << read.err;
  }

  /// What the config says about one key that is certainly of the wrong kind.
  std::string complaint(const std::string& toml) const {
    const auto config = load_config(env_.home().write("key.toml", toml));
    return config ? "" : config.error().message;
  }
};

TEST_F(DocumentedFiles, ScriptsRunAndKnowTheirOptions) {
  static const std::regex mention("(?:^|[ (])(?:\\./)?(scripts/[a-z-]+)((?: [^`]*)?)$"), option("--?[a-z][a-z-]*");
  std::set<std::string> seen;
  for (const auto& document : documents::all()) {
    Words code = documents::code_in_text(document);
    for (const auto& shown : documents::shown_commands(document))
      code.push_back(shown.command.substr(0, shown.command.find(" #")));
    for (const auto& text : code) {
      std::smatch match;
      if (!std::regex_search(text, match, mention)) continue;
      const std::string script = JMS_SOURCE_DIR "/" + match[1].str();
      if (seen.insert(script).second) expect_runnable(script);
      // What follows `test` is ctest's.
      if (match[1] == "scripts/test") continue;
      const std::string arguments = match[2];
      for (const auto& wanted : matches(arguments, option))
        EXPECT_NE(support::read_text(script).find(wanted.str()), std::string::npos) << document.name << ": " << text;
    }
  }
  EXPECT_GE(seen.size(), 8u);
}

TEST_F(DocumentedFiles, PathsOfTheSourceTreeExist) {
  static const std::regex path("(?:\\./)?([a-z_]+/[\\w./-]*)");
  int count = 0;
  for (const auto& document : documents::all())
    for (const auto& text : documents::code_in_text(document)) {
      std::smatch match;
      if (!std::regex_match(text, match, path)) continue;
      const std::string full = JMS_SOURCE_DIR "/" + match[1].str();
      const std::string folder = full.substr(0, full.find('/', sizeof JMS_SOURCE_DIR));
      if (!fs::is_directory(folder) || folder.ends_with("/build")) continue;
      ++count;
      EXPECT_TRUE(fs::exists(full) || fs::exists(full + ".h") || fs::exists(full + ".cpp"))
          << document.name << ": " << text;
    }
  EXPECT_GE(count, 40);
}

/// "base event" of a room's jms_room(… USES base event …).
std::set<std::string> rooms_used_by(const std::string& room) {
  static const std::regex uses(" USES ((?:[a-z_]+ ?)+)"), name("[a-z_]+");
  const std::string cmake = support::read_text(JMS_SOURCE_DIR "/" + room + "/CMakeLists.txt");
  std::set<std::string> rooms;
  std::smatch match;
  if (!std::regex_search(cmake, match, uses)) return rooms;
  const std::string list = match[1];
  for (const auto& one : matches(list, name)) rooms.insert(one.str());
  return rooms;
}

TEST_F(DocumentedFiles, RoomsKnowWhatTheTablesSay) {
  static const std::regex row("\\| `([a-z_]+)/?` \\|[^\n]*\\| ([a-z_, ]+) \\|\n"), name("[a-z_]+");
  int count = 0;
  for (const char* document : {"CONTRIBUTING.md", "docs/architecture.md"}) {
    const std::string text = documents::named(document).text;
    for (const auto& match : matches(text, row)) {
      const std::string known = match[2];
      if (known == "all" || known == "everything" || known == "the standard library") continue;
      std::set<std::string> listed;
      for (const auto& one : matches(known, name)) listed.insert(one.str());
      ++count;
      EXPECT_EQ(listed, rooms_used_by(match[1])) << document << ": " << match[1];
    }
  }
  EXPECT_GE(count, 20);
}

TEST_F(DocumentedFiles, LinksLeadSomewhere) {
  static const std::regex link("\\]\\(([^)#:]+)[^)]*\\)");
  for (const auto& document : documents::all()) {
    if (document.is_manual()) continue;
    const fs::path folder = fs::path(JMS_SOURCE_DIR "/" + document.name).parent_path();
    for (const auto& match : matches(document.text, link))
      EXPECT_TRUE(fs::exists(folder / match[1].str())) << document.name << ": " << match[1];
  }
}

TEST_F(DocumentedFiles, VariablesAreReadByTheProgram) {
  static const std::regex variable("\\b((?:JMS|ANTHROPIC|OPENAI|XDG)_[A-Z_]+)\\b");
  const std::string binary = support::read_text(JMS_BINARY);
  std::set<std::string> names;
  for (const char* document : {"README.md", "docs/security.md", "docs/man/jms.1", "docs/man/jms-config.5"}) {
    const std::string text = documents::named(document).text;
    for (const auto& match : matches(text, variable)) names.insert(match[1]);
  }
  EXPECT_GE(names.size(), 14u);
  const std::string manual = documents::named("docs/man/jms.1").text;
  for (const auto& name : names) {
    EXPECT_NE(binary.find(name), std::string::npos) << name;
    EXPECT_NE(manual.find(name), std::string::npos) << name << " is not in jms(1)";
  }
}

TEST_F(DocumentedFiles, TheReadmesConfigIsOne) {
  static const std::regex block("```toml\n([^`]*)```"), quoted("\"([^\"]+)\"");
  const std::string text = documents::named("README.md").text;
  const auto blocks = matches(text, block);
  ASSERT_EQ(blocks.size(), 1u);
  const std::string config = blocks[0][1];
  const auto checked = run({"--config", env_.home().write("readme.toml", config), "policy", "check", "ls"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  const std::string hotkeys = config.substr(0, config.find('\n'));
  EXPECT_GE(matches(hotkeys, quoted).size(), 4u);
  for (const auto& key : matches(hotkeys, quoted)) EXPECT_EQ(complaint("hotkey = " + key.str() + "\n"), "");
}

/// The words that a line of a manual sets in bold: all of .B, every other one of .BR.
Words bold_words(const std::string& line) {
  static const std::regex word("\"((?:[^\"]|\"\")*)\"|([^ \"]+)");
  const bool every_other = line.starts_with(".BR ");
  if (!every_other && !line.starts_with(".B ")) return {};
  const std::string arguments = line.substr(line.find(' '));
  Words bold;
  std::size_t index = 0;
  for (const auto& match : matches(arguments, word))
    if (index++ % 2 == 0 || !every_other) bold.push_back(match.str());
  return bold;
}

/// Unit tests hold the other half: every key stands in the manual and in the example.
TEST_F(DocumentedFiles, KeysOfTheManualExist) {
  static const std::regex key("[a-z][a-z_]+");
  std::istringstream manual(documents::named("docs/man/jms-config.5").text);
  std::string table, before;
  int count = 0;
  for (std::string line; std::getline(manual, line); before = line) {
    if (line.starts_with(".SH")) table = line.starts_with(".SH [") ? line.substr(4, line.find(' ', 4) - 4) : "";
    if (before != ".TP") continue;
    std::string within = table;
    for (const auto& name : bold_words(line)) {
      if (name.starts_with("[[")) within = name;
      if (!std::regex_match(name, key)) continue;
      ++count;
      EXPECT_EQ(complaint(within + "\n" + name + " = 1979-05-27\n").find("unknown key"), std::string::npos)
          << within << " " << name;
    }
  }
  EXPECT_GE(count, 50);
  EXPECT_NE(complaint("[model]\nnane = 1979-05-27\n").find("unknown key"), std::string::npos);
}

}  // namespace
}  // namespace app
