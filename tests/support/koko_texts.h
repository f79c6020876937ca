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
  std::string expired;     ///< The permission's last day is over.
  std::string terminated;  ///< %s: who.
  std::string connecting;  ///< %s@%s: account and address; the counter follows.
  std::string reused;      ///< %s@%s, %s: instead of the counter, with the number of terminals on the connection.
};

const std::vector<KokoTexts>& koko_languages();
/// Finnish, which koko does not speak: for what must not depend on words.
const KokoTexts& koko_language_to_come();
/// English when there is no such language.
const KokoTexts& koko_texts(const std::string& code);

/// `text` with the first %s replaced.
std::string filled(std::string text, const std::string& word);
std::string filled(std::string text, const std::vector<std::string>& words);

// As koko colours what it says; a warning ends its line within the colour.
std::string in_red(const std::string& text);
std::string as_warning(const std::string& text);
std::string in_green(const std::string& text);

}  // namespace test_server
