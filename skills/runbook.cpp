#include "skills/runbook.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "base/words.h"
#include "model/json.h"

namespace skills {
namespace {

using base::take_line;
using base::trimmed;
using Kind = Expectation::Kind;
using Compare = Expectation::Compare;
using Verdict = Judgement::Verdict;

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text = trimmed(text.substr(word.size()));
  return true;
}

/// "0,75" is how half of the world writes it; three digits behind a comma may be thousands.
std::string with_point(std::string_view word) {
  std::string out(word);
  const auto comma = word.find(',');
  const bool decimal = comma != std::string_view::npos && word.find('.') == std::string_view::npos &&
                       word.size() - comma >= 2 && word.size() - comma <= 3;
  if (decimal) out[comma] = '.';
  return out;
}

std::optional<double> number_in(std::string_view written) {
  if (written.ends_with('%')) written.remove_suffix(1);
  const std::string word = with_point(written);
  double value = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;  // "inf" and "nan" are words.
  return value;
}

/// An exit code, the number of a column: nobody means more than this.
std::optional<int> whole_number_in(std::string_view word) {
  static constexpr double kMost = 1'000'000;
  const auto number = number_in(word);
  if (!number || std::abs(*number) > kMost || *number != std::trunc(*number)) return std::nullopt;
  return static_cast<int>(*number);
}

/// "< 90" and its like; false when it is something else.
bool take_comparison(std::string_view text, Expectation& into) {
  if (take(text, "<="))
    into.compare = Compare::less_equal;
  else if (take(text, ">="))
    into.compare = Compare::greater_equal;
  else if (take(text, "<"))
    into.compare = Compare::less;
  else if (take(text, ">"))
    into.compare = Compare::greater;
  else if (take(text, "="))
    into.compare = Compare::equal;
  else
    return false;
  const auto number = number_in(text);
  into.number = number.value_or(0);
  return number.has_value();
}

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

bool holds(const Expectation& expectation, double value) {
  switch (expectation.compare) {
    case Compare::less:
      return value < expectation.number;
    case Compare::less_equal:
      return value <= expectation.number;
    case Compare::greater:
      return value > expectation.number;
    case Compare::greater_equal:
      return value >= expectation.number;
    case Compare::equal:
      return value == expectation.number;
  }
  return false;
}

std::string first_line(std::string_view text) {
  return model::one_line(take_line(text), 120);
}

Judgement judge_contains(const Expectation& expectation, std::string_view output) {
  const auto at = output.find(expectation.words);
  const bool found = at != std::string_view::npos;
  if (found == (expectation.kind == Kind::contains)) return {Verdict::held, {}};
  if (!found) return {Verdict::failed, "it does not appear"};
  const auto line_break = output.rfind('\n', at);
  return {Verdict::failed, first_line(output.substr(line_break == std::string_view::npos ? 0 : line_break + 1))};
}

/// Judges the number in one column of each line; column 0 is the first number anywhere.
Judgement judge_numbers(const Expectation& expectation, std::string_view output) {
  bool any = false;
  while (!output.empty()) {
    const auto line = take_line(output);
    std::istringstream words{std::string(line)};
    int column = 0;
    for (std::string word; words >> word;) {
      ++column;
      if (expectation.kind == Kind::column && column != expectation.column) continue;
      const auto number = number_in(word);
      if (!number) continue;
      if (!holds(expectation, *number)) return {Verdict::failed, model::one_line(line, 120)};
      any = true;
      if (expectation.kind == Kind::value) return {Verdict::held, {}};
    }
  }
  return {any ? Verdict::held : Verdict::unknown, any ? "" : "there is no number to judge"};
}

/// "3. Large log files" without its number: steps are counted by whoever shows them.
std::string without_number(std::string title) {
  const std::size_t digits = title.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || title.compare(digits, 2, ". ") != 0) return title;
  return title.substr(digits + 2);
}

}  // namespace

Expectation parse_expectation(std::string_view text) {
  Expectation out;
  text = trimmed(text);
  if (const auto at = text.find("otherwise:"); at != std::string_view::npos) {
    out.otherwise = trimmed(text.substr(at + 10));
    text = trimmed(text.substr(0, at));
  }
  out.text = text;
  if (text == "output") {
    out.kind = Kind::output;
  } else if (text == "no output") {
    out.kind = Kind::no_output;
  } else if (take(text, "exit ")) {
    const auto code = whole_number_in(text);
    if (code) out.kind = Kind::exit_code;
    out.number = code.value_or(0);
  } else if (take(text, "contains ")) {
    out.kind = Kind::contains;
    out.words = unquoted(text);
  } else if (take(text, "lacks ")) {
    out.kind = Kind::lacks;
    out.words = unquoted(text);
  } else if (take(text, "value ")) {
    if (take_comparison(text, out)) out.kind = Kind::value;
  } else if (take(text, "column ")) {
    const auto space = text.find(' ');
    const auto column = whole_number_in(text.substr(0, space));
    if (column && space != std::string_view::npos && take_comparison(trimmed(text.substr(space)), out)) {
      out.kind = Kind::column;
      out.column = *column;
    }
  }
  return out;
}

Judgement judge(const Expectation& expectation, const agent::CommandText& command) {
  const std::string_view output = command.output;
  const bool blank = trimmed(output).empty();
  switch (expectation.kind) {
    case Kind::exit_code:
      if (!command.exit_code) return {Verdict::unknown, "the exit code is not known"};
      if (*command.exit_code == static_cast<int>(expectation.number)) return {Verdict::held, {}};
      return {Verdict::failed, "exit " + std::to_string(*command.exit_code)};
    case Kind::output:
      return {blank ? Verdict::failed : Verdict::held, blank ? "there is no output" : ""};
    case Kind::no_output:
      // Silence of a command that may not have finished proves nothing.
      if (blank)
        return {command.exit_code ? Verdict::held : Verdict::unknown,
                command.exit_code ? "" : "it may not have finished"};
      return {Verdict::failed, first_line(output)};
    case Kind::contains:
    case Kind::lacks:
      return judge_contains(expectation, output);
    case Kind::value:
    case Kind::column:
      return judge_numbers(expectation, output);
    case Kind::unknown:
      return {Verdict::unknown, "only a person can judge this"};
  }
  return {};
}

std::vector<Step> parse_runbook(std::string_view body) {
  std::vector<Step> steps;
  std::string title;
  bool after_step = false;
  while (!body.empty()) {
    auto line = trimmed(take_line(body));
    if (line == "```bash" || line == "```sh") {
      Step step;
      step.title = title;
      while (!body.empty()) {
        const auto code = take_line(body);
        if (trimmed(code) == "```") break;
        step.command.append(step.command.empty() ? "" : "\n").append(code);
      }
      after_step = !trimmed(step.command).empty();
      if (after_step) steps.push_back(std::move(step));
    } else if (line.starts_with("```")) {  // Some other block: its lines are not ours.
      while (!body.empty() && trimmed(take_line(body)) != "```") {
      }
      after_step = false;
    } else if (line.starts_with('#')) {
      title = without_number(std::string(trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size())))));
      after_step = false;
    } else if (after_step && (take(line, "- expect:") || take(line, "expect:"))) {
      steps.back().expectations.push_back(parse_expectation(line));
    }
  }
  return steps;
}

}  // namespace skills
