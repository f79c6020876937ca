#include "app/assistant/secret_commands.h"

#include <algorithm>

namespace app {
namespace {

constexpr std::string_view kOpening = "<secret:";

enum class Quote { none, single_quote, double_quote };

/// Follows the quotes of a command from left to right. `unsure` once shells disagree: fish reads \\ and \' as escapes
/// between single quotes too.
class QuoteState {
 public:
  void take(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (quote_ == Quote::single_quote) {
      unsure_ = unsure_ || (previous_ == '\\' && (c == '\'' || c == '\\'));
      if (c == '\'') quote_ = Quote::none;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      quote_ = quote_ == Quote::double_quote ? Quote::none : Quote::double_quote;
    } else if (c == '\'' && quote_ == Quote::none) {
      quote_ = Quote::single_quote;
      c = '\0';  // What stands before the quote is no part of the quoted text.
    }
    previous_ = c;
  }
  Quote quote() const { return quote_; }
  bool unsure() const { return unsure_ || (quote_ == Quote::single_quote && previous_ == '\\'); }

 private:
  Quote quote_ = Quote::none;
  bool escaped_ = false;
  bool unsure_ = false;
  char previous_ = '\0';
};

/// The value between single quotes, apart from three characters that stand outside of them, each behind a backslash: a
/// quote, a backslash (fish) and an exclamation mark (csh). All shells read that in one way; of double quotes they have
/// several opinions, so these are closed before it.
std::string quoted_for(Quote place, std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool outside = c == '\'' || c == '\\' || c == '!';
    out += outside ? std::string("'\\") + c + "'" : std::string(1, c);
  }
  if (place == Quote::single_quote) return out;
  out = "'" + out + "'";
  return place == Quote::none ? out : "\"" + out + "\"";
}

}  // namespace

bool names_secret(std::string_view command) {
  return command.find(kOpening) != std::string_view::npos;
}

base::Result<std::string> with_secrets(std::string_view command, const safety::SecretBook& book,
                                       std::string_view origin) {
  if (!names_secret(command)) return std::string(command);
  for (const auto hard : {"$'", "<<", "`", "$("})
    if (command.find(hard) != std::string_view::npos)
      return base::fail("a secret can only be put into a plain command, without substitutions or here-documents");
  std::string out;
  QuoteState state;
  while (!command.empty()) {
    const auto end = command.starts_with(kOpening) ? command.find('>') : std::string_view::npos;
    if (end == std::string_view::npos) {
      state.take(command.front());
      out += command.front();
      command.remove_prefix(1);
      continue;
    }
    const auto value = book.restore(command.substr(0, end + 1), origin);
    if (!value) return base::fail(value.error());
    if (std::any_of(value->begin(), value->end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      return base::fail("the secret holds control characters and cannot be typed");
    if (state.unsure())
      return base::fail("put the placeholder where no backslash stands between single quotes before it");
    // History expansion works inside double quotes.
    if (state.quote() == Quote::double_quote && value->find('!') != std::string::npos)
      return base::fail("put the placeholder in single quotes");
    out += quoted_for(state.quote(), *value);
    command.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace app
