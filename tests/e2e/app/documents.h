#pragma once

#include <string>
#include <vector>

/// README, CONTRIBUTING, docs/ and the manuals, for the tests that hold them against the program.
namespace app::documents {

struct Document {
  std::string name;  ///< Its path in the source tree.
  std::string text;  ///< Of a manual: without the letters that change the font.

  bool is_manual() const { return name.starts_with("docs/man/"); }
};
std::vector<Document> all();
Document named(const std::string& name);

/// A command that is shown to be typed.
struct Shown {
  std::string place;    ///< "README.md:42"
  std::string exports;  ///< The `export` lines above it in the same block.
  std::string command;
  int code = 0;  ///< What `# exit N` behind it says.
};
/// Lines after `$ ` in blocks marked ```console, and lines between .nf and .fi of a manual. Lines of output stand there
/// for the reader and are not compared.
std::vector<Shown> shown_commands(const Document& document);
/// Commands in blocks that nothing runs: these must not be.
std::vector<std::string> commands_out_of_sight(const Document& document);

/// What stands in `backticks` outside blocks, in one line each; of a manual, nothing.
std::vector<std::string> code_in_text(const Document& document);

}  // namespace app::documents
