#pragma once

#include <string>
#include <vector>

// What koko says in the terminal about commands and sessions, in its eight languages, as its message catalogues have
// it.
namespace test_server {

struct KokoTexts {
  std::string code;         ///< Of the language, as in the cookie django_language.
  std::string forbidden;    ///< %s: the part of the command that a rule matched.
  std::string review;       ///< %s: the command. Ends in a question.
  std::string risky;        ///< notify_and_warn; ends in a question.
  std::string ticket;       ///< First line of the green block after `y`.
  std::string reviewers;    ///< %s: names.
  std::string copy_url;     ///< %s: address.
  std::string please_wait;  ///< %s: the command.
  std::string approved;     ///< %s: who.
  std::string rejected;     ///< %s: who.
  std::string idle;         ///< %s: minutes.
  std::string longest;
};

const std::vector<KokoTexts>& koko_languages();
/// English when there is no such language.
const KokoTexts& koko_texts(const std::string& code);

/// `text` with the first %s replaced.
std::string filled(std::string text, const std::string& word);

// As koko colours what it says: red ends its line, green does not.
std::string in_red(const std::string& text);
std::string in_green(const std::string& text);

}  // namespace test_server
