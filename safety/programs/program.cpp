#include "safety/programs/program.h"

#include <algorithm>
#include <unordered_map>

#include "base/words.h"
#include "safety/credentials.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

using Table = std::unordered_map<std::string_view, const Program*>;

Table make_table() {
  Table table;
  for (const auto programs : all_programs()) {
    for (const auto& program : programs) {
      for (const auto name : base::split(program.names, ' ')) table.emplace(name, &program);
    }
  }
  return table;
}

enum class Takes { Unknown, Nothing, Value, Attached };

Takes short_option(std::string_view shorts, char letter) {
  const auto at = letter == ':' ? std::string_view::npos : shorts.find(letter);
  if (at == std::string_view::npos) return Takes::Unknown;
  if (shorts.substr(at + 1).starts_with("::")) return Takes::Attached;
  return shorts.substr(at + 1).starts_with(':') ? Takes::Value : Takes::Nothing;
}

Takes long_option(std::string_view longs, std::string_view name) {
  auto takes = Takes::Unknown;
  for (auto row : base::split(longs, ' ')) {
    const bool value = row.ends_with('=');
    const bool attached = row.ends_with('?');
    if (value || attached) row.remove_suffix(1);
    if (row == name) takes = value ? Takes::Value : attached ? Takes::Attached : Takes::Nothing;
  }
  return takes;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Reads options one argument after the other.
class OptionReader {
 public:
  OptionReader(std::span<const Argument> args, std::string_view shorts, std::string_view longs, unsigned traits)
      : args_(args), shorts_(shorts), longs_(longs), traits_(traits) {
    result_.first_operand = args.size();
  }

  Options read() {
    for (at_ = 0; at_ < args_.size() && result_.problem.empty(); ++at_) {
      const auto& arg = args_[at_];
      if (only_operands_ || !looks_like_option(arg)) {
        add_operand(arg);
      } else if (arg.text == "--" && arg.known) {
        only_operands_ = true;
        if (traits_ & kOperandEnds) result_.first_operand = std::min(result_.first_operand, at_ + 1);
      } else if (arg.text.starts_with("--") || (traits_ & kOneDash)) {
        read_long(arg);
      } else {
        read_shorts(arg);
      }
    }
    return std::move(result_);
  }

 private:
  bool any() const { return traits_ & kAnyOption; }

  bool looks_like_option(const Argument& arg) const {
    if (arg.text.size() < 2 || arg.text[0] != '-')
      return (traits_ & kNumbers) && arg.text.starts_with('+') && arg.known;
    return true;
  }

  void fail(const std::string& problem) {
    if (!any()) result_.problem = problem;
  }

  void add_operand(const Argument& arg) {
    if (!only_operands_ && arg.may_be_option()) {
      fail(arg.known ? "the file names that " + arg.text + " stands for could be options"
                     : "a computed argument could be an option");
    }
    if (arg.splits || arg.glob) result_.unbounded = true;
    result_.operands.push_back(&arg);
    result_.first_operand = std::min(result_.first_operand, at_);
    if (traits_ & kOperandEnds) only_operands_ = true;
  }

  void take_value(Option option) {
    if (at_ + 1 < args_.size()) {
      const auto& value = args_[++at_];
      if (value.splits || value.glob) {
        // `-n $x` may become `-n a --other`.
        if (value.splits) fail("a computed argument could bring options of its own");
      }
      option.value = value.text;
      option.value_known = value.known;
    }
    result_.options.push_back(std::move(option));
  }

  void read_long(const Argument& arg) {
    const auto equals = arg.text.find('=');
    const auto dashes = (traits_ & kOneDash) && !arg.text.starts_with("--") ? 1u : 2u;
    const auto name = std::string_view(arg.text).substr(dashes, equals == std::string::npos ? equals : equals - dashes);
    Option option{arg.text.substr(0, equals), {}, arg.known};
    if (arg.splits) return fail("a computed argument could bring options of its own");
    if (!arg.known && equals == std::string::npos) return fail("an option is computed");
    auto takes = long_option(longs_, name);
    if (takes == Takes::Unknown && any()) takes = Takes::Attached;
    if (takes == Takes::Unknown) return fail("the option " + option.name + " is not one of those known to be harmless");
    if (equals != std::string::npos) {
      if (takes == Takes::Nothing) return fail("the option " + option.name + " takes no value");
      option.value = arg.text.substr(equals + 1);
      result_.options.push_back(std::move(option));
    } else if (takes == Takes::Value) {
      take_value(std::move(option));
    } else {
      result_.options.push_back(std::move(option));
    }
  }

  void read_shorts(const Argument& arg) {
    const std::string_view letters = std::string_view(arg.text).substr(1);
    if ((traits_ & kNumbers) && is_number(letters) && arg.known) {
      result_.options.push_back({"#", std::string(letters)});
      return;
    }
    if (arg.splits) return fail("a computed argument could bring options of its own");
    for (std::size_t i = 0; i < letters.size(); ++i) {
      Option option{std::string(1, letters[i]), {}, arg.known};
      auto takes = short_option(shorts_, letters[i]);
      if (takes == Takes::Unknown && any()) takes = Takes::Nothing;
      if (takes == Takes::Unknown)
        return fail("the option -" + option.name + " is not one of those known to be harmless");
      if (takes == Takes::Nothing) {
        result_.options.push_back(std::move(option));
        continue;
      }
      if (i + 1 < letters.size() || !arg.known || takes == Takes::Attached) {
        option.value = letters.substr(i + 1);
        result_.options.push_back(std::move(option));
      } else {
        take_value(std::move(option));
      }
      return;
    }
    if (!arg.known) fail("an option is computed");
  }

  std::span<const Argument> args_;
  std::string_view shorts_, longs_;
  unsigned traits_;
  std::size_t at_ = 0;
  bool only_operands_ = false;
  Options result_;
};

/// How many leading words of `operands` the row matches; 0 when it does not.
std::size_t matched_words(std::string_view row, const std::vector<const Argument*>& operands) {
  std::size_t best = 0;
  for (const auto words : base::split(row)) {
    std::size_t count = 0;
    bool all = true;
    for (const auto word : base::split(words, ' ')) {
      all = all && count < operands.size() && operands[count]->known && operands[count]->text == word;
      ++count;
    }
    if (all) best = std::max(best, count);
  }
  return best;
}

bool has_needed(std::string_view needs, const Options& options) {
  const auto names = base::split(needs, ' ');
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return options.has(name); });
}

}  // namespace

Judgement at_least_changes(Judgement inner, std::string reason) {
  return inner.cls == CommandClass::ReadOnly ? changes(std::move(reason)) : inner;
}

const Program* find_program(std::string_view name) {
  static const Table table = make_table();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

bool Options::has(std::string_view name) const {
  return find(name) != nullptr;
}

const Option* Options::find(std::string_view name) const {
  const auto it =
      std::find_if(options.begin(), options.end(), [&](const Option& option) { return option.name == name; });
  return it == options.end() ? nullptr : &*it;
}

Options read_options(std::span<const Argument> args, std::string_view shorts, std::string_view longs, unsigned traits) {
  return OptionReader(args, shorts, longs, traits).read();
}

bool only_asks_about_itself(std::span<const Argument> args) {
  return args.size() == 1 && args[0].known && !args[0].glob &&
         (args[0].text == "--version" || args[0].text == "--help");
}

bool mentions(std::span<const Argument> args, std::string_view text) {
  return std::any_of(args.begin(), args.end(), [&](const Argument& arg) { return arg.known && arg.text == text; });
}

Judgement judge_by_row(const Program& program, const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads("asks about the program itself");
  if (!program.sub.empty()) return judge_subcommand(program, call);
  if (program.cls != CommandClass::ReadOnly) return {program.cls, std::string(program.reason)};
  const auto options = read_options(call.args, program.shorts, program.longs, program.traits);
  if (!options.problem.empty()) return changes(options.problem);
  if (!program.needs.empty() && !has_needed(program.needs, options)) {
    return changes(std::string(call.name) + " without " + std::string(program.needs) + " is not known to only read");
  }
  if (program.max_operands >= 0) {
    if (options.unbounded || options.operands.size() > static_cast<std::size_t>(program.max_operands)) {
      return changes("with a further operand " + std::string(call.name) + " writes or sets something");
    }
  }
  if (program.traits & kPrints) {
    if (auto found = credential_among(call.args); !found.empty()) return changes(found);
  }
  if (program.traits & kSends) {
    const bool computed = std::any_of(call.args.begin(), call.args.end(),
                                      [](const Argument& arg) { return !arg.known && !arg.operand_only; });
    if (computed)
      return changes("a computed argument of " + std::string(call.name) + " would carry data to another host");
  }
  return reads(std::string(program.reason));
}

Judgement judge_subcommand(const Program& program, const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads("asks about the program itself");
  const std::string name(call.name);
  const auto globals = read_options(call.args, program.shorts, program.longs, program.traits | kOperandEnds);
  if (!globals.problem.empty()) return changes(globals.problem);
  if (globals.operands.empty()) {
    if (program.bare.empty()) return changes(name + " without a sub-command is not known to only read");
    return reads(std::string(program.bare));
  }
  const auto rest = call.args.subspan(globals.first_operand);
  const SubCommand* best = nullptr;
  std::size_t best_words = 0;
  for (const auto& row : program.sub) {
    // `kubectl -n x get` and `kubectl get -n x` are both usual; sub-commands of two words stand together.
    const auto count = matched_words(row.words, globals.operands);
    if (count > best_words) {
      best = &row;
      best_words = count;
    }
  }
  const auto shown = rest[0].known ? name + " " + rest[0].text : name;
  if (best == nullptr) return changes(shown + " is not known to only read");
  if (best->cls != CommandClass::ReadOnly) return {best->cls, std::string(best->reason)};
  const auto arguments = rest.subspan(best_words);
  const auto options = read_options(arguments, best->shorts, best->longs, best->traits);
  if (!options.problem.empty()) return changes(options.problem);
  if (best->max_operands >= 0 &&
      (options.unbounded || options.operands.size() > static_cast<std::size_t>(best->max_operands))) {
    return changes(shown + " with a further operand sets something");
  }
  if (best->traits & kPrints) {
    if (auto found = credential_among(arguments); !found.empty()) return changes(found);
  }
  return reads(std::string(best->reason));
}

}  // namespace safety
