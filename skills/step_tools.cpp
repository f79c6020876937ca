#include "skills/step_tools.h"

#include <algorithm>

#include "base/words.h"
#include "shell/parser.h"

namespace skills {
namespace {

using shell::Node;
using shell::NodeKind;

constexpr std::size_t kLongestCheck = 400;  // BusyBox takes no line over 510 bytes.

/// They say or decide something and look at nothing: no step consists of them.
bool is_shell_word(std::string_view name) {
  return base::is_one_of(
      name, {"echo",   "printf", "test",  "[",        "[[",    "true",   "false",  ":",       "cd",      "read",
             "export", "set",    "unset", "local",    "shift", "exit",   "return", "eval",    "trap",    "break",
             "wait",   "umask",  ".",     "continue", "let",   "source", "exec",   "builtin", "command", "time"});
}

/// A name that can be typed as it is: everything else is no program's.
bool is_plain(std::string_view name) {
  const auto plain = [](char c) {
    const char letter = base::lower_case(c);
    return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.+/").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), plain);
}

std::string word_of(const Node& node, std::size_t at) {
  return at < node.words.size() ? node.words[at].literal().value_or("") : "";
}

/// It only asks whether a program is there.
bool only_asks(const Node& node) {
  const auto name = word_of(node, 0);
  return base::is_one_of(name, {"type", "which", "hash"}) || (name == "command" && word_of(node, 1).starts_with("-"));
}

/// What a simple command runs: itself, and what it was given to run. Where options come first this ends: which of
/// them take a value is known to each program alone.
std::vector<std::string> programs_of(const Node& node) {
  std::vector<std::string> programs;
  for (std::size_t at = 0; at < node.words.size();) {
    const auto name = word_of(node, at++);
    programs.push_back(name);
    if (!base::is_one_of(name, {"timeout", "nice", "nohup", "sudo", "time", "command", "exec"})) break;
    if (name == "timeout" && !word_of(node, at).starts_with('-')) ++at;
    if (word_of(node, at).starts_with('-')) break;
  }
  return programs;
}

class ToolWalk {
 public:
  ToolWalk(std::string_view text, const std::set<std::string>& absent) : text_(text), absent_(absent) {}

  StepTools visit(const Node& node) {
    switch (node.kind) {
      case NodeKind::Simple:
        return visit_simple(node);
      case NodeKind::Pipeline:
        return visit_pipeline(node);
      case NodeKind::AndOr:
        return visit_chain(node);
      case NodeKind::If:
        return visit_if(node);
      case NodeKind::Case:
        return best_of(node.children);
      case NodeKind::Function:
        own_.insert(node.name);
        return {{}, false};
      default:
        return visit_all(node);
    }
  }

  const std::vector<std::string>& named() const { return named_; }

 private:
  static StepTools both(StepTools one, const StepTools& other) {
    for (const auto& tool : other.lacking)
      if (std::find(one.lacking.begin(), one.lacking.end(), tool) == one.lacking.end()) one.lacking.push_back(tool);
    one.works = one.works || other.works;
    return one;
  }

  StepTools visit_all(const Node& node) {
    StepTools out{{}, false};
    for (const auto& child : node.children) out = both(std::move(out), visit(child));
    return out;
  }

  /// One missing program stops all of a pipe: what comes out at its end says nothing.
  StepTools visit_pipeline(const Node& node) {
    StepTools out = visit_all(node);
    if (!out.lacking.empty()) out.works = false;
    return out;
  }

  /// After `||` stands another way, unless it only says something.
  StepTools visit_chain(const Node& node) {
    StepTools out = visit(node.children.front());
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const auto gap = node.children[i - 1].span.end;
      const bool other_way = text_.substr(gap, node.children[i].span.begin - gap).find("||") != std::string_view::npos;
      const StepTools next = visit(node.children[i]);
      if (!other_way)
        out = both(std::move(out), next);
      else if (!out.lacking.empty())
        out = next.works && next.lacking.empty() ? next : both(std::move(out), next);
    }
    return out;
  }

  /// Conditions and what follows each, in turns; an `else` at the end. What each branch says is another way.
  StepTools visit_if(const Node& node) {
    StepTools conditions{{}, false};
    StepTools branches{{}, false};
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const bool condition = i % 2 == 0 && i + 1 < node.children.size();
      if (condition)
        conditions = both(std::move(conditions), visit(node.children[i]));
      else
        branches = i < 2 ? visit(node.children[i]) : better(std::move(branches), visit(node.children[i]));
    }
    return both(std::move(branches), {std::move(conditions.lacking), false});
  }

  StepTools best_of(const std::vector<Node>& ways) {
    StepTools out{{}, false};
    for (std::size_t i = 0; i < ways.size(); ++i)
      out = i == 0 ? visit(ways[i]) : better(std::move(out), visit(ways[i]));
    return out;
  }

  static StepTools better(StepTools one, StepTools other) {
    const auto whole = [](const StepTools& tools) { return tools.works && tools.lacking.empty(); };
    if (whole(one)) return one;
    if (whole(other)) return other;
    return both(std::move(one), other);
  }

  StepTools visit_simple(const Node& node) {
    StepTools out{{}, only_asks(node)};
    for (const auto& assignment : node.assignments) out = both(std::move(out), inside(assignment.value.parts));
    for (const auto& word : node.words) out = both(std::move(out), inside(word.parts));
    for (const auto& redirect : node.redirects) out = both(std::move(out), inside(redirect.target.parts));
    if (only_asks(node)) return out;
    for (const auto& program : programs_of(node)) out = both(std::move(out), use(program));
    if (!out.lacking.empty()) out.works = false;
    return out;
  }

  StepTools use(const std::string& name) {
    if (!is_plain(name) || is_shell_word(name) || own_.contains(name)) return {{}, false};
    if (std::find(named_.begin(), named_.end(), name) == named_.end()) named_.push_back(name);
    return absent_.contains(name) ? StepTools{{name}, false} : StepTools{{}, true};
  }

  StepTools inside(const std::vector<shell::WordPart>& parts) {
    StepTools out{{}, false};
    for (const auto& part : parts) {
      // The words between backquotes have places in a text of their own.
      if (part.script && part.kind != shell::PartKind::Backquote) out = both(std::move(out), visit(*part.script));
      out = both(std::move(out), inside(part.nested));
    }
    return out;
  }

  std::string_view text_;
  const std::set<std::string>& absent_;
  std::vector<std::string> named_;
  std::set<std::string> own_;  ///< Functions of the step itself.
};

bool shows(std::string_view line, const std::string& tool) {
  return line == tool || line.ends_with("/" + tool) || line.starts_with("alias " + tool + "=");
}

}  // namespace

std::vector<std::string> tools_of(std::string_view command) {
  const auto parsed = shell::parse(command);
  const std::set<std::string> none;
  ToolWalk walk(command, none);
  walk.visit(parsed.script);
  return walk.named();
}

StepTools tools_without(std::string_view command, const std::set<std::string>& absent) {
  const auto parsed = shell::parse(command);
  if (parsed.state != shell::Completeness::Complete) return {};
  StepTools out = ToolWalk(command, absent).visit(parsed.script);
  if (out.lacking.empty()) out.works = true;
  return out;
}

std::vector<std::string> tool_checks(const std::vector<std::string>& tools) {
  std::vector<std::string> checks;
  for (const auto& tool : tools) {
    if (tool.size() > kLongestCheck / 2) continue;
    const std::string one = "command -v " + tool + "; ";
    if (checks.empty() || checks.back().size() + one.size() > kLongestCheck) checks.emplace_back();
    checks.back() += one;
  }
  // Missing ones are an answer here, not a failure.
  for (auto& check : checks) check += "true";
  return checks;
}

std::set<std::string> absent_tools(const std::vector<std::string>& tools, std::string_view shown) {
  std::set<std::string> absent(tools.begin(), tools.end());
  while (!shown.empty()) {
    const auto line = base::trimmed(base::take_line(shown));
    std::erase_if(absent, [&](const std::string& tool) { return shows(line, tool); });
  }
  if (absent.size() == tools.size()) absent.clear();
  return absent;
}

}  // namespace skills
