#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "safety/command_class.h"
#include "safety/programs/program.h"
#include "shell/parser.h"

namespace safety {

/// Goes through a parsed text and judges every simple command in it, wherever it stands.
///
/// The findings of nested texts (`sh -c '…'`) are added to the same lists.
class CommandWalk : public Nested {
 public:
  static constexpr int kMaxDepth = 8;

  /// Adds to the parts and runs of `findings`, nothing else.
  CommandWalk(std::string_view source, Verdict& findings, int depth = 0)
      : source_(source), findings_(findings), depth_(depth) {}

  /// Judges a whole script; the worst finding is the result.
  Judgement walk(const shell::Node& script);
  /// Zsh without interactive comments: `#` is then a command of its own, which does not exist.
  void ignore_hash_commands() { hash_is_nothing_ = true; }
  std::size_t count() const { return count_; }
  /// Something outside of the parts made the result worse.
  bool beyond_parts() const { return beyond_parts_; }

  Judgement judge_command(std::span<const Argument> words) override;
  Judgement judge_script(std::string_view text) override;
  Judgement judge_assignment(std::string_view name, const Argument& value) override;

 private:
  /// Whether what is visited is sure to run, once and in the session's shell.
  enum class Flow : bool { Straight, Maybe };

  void visit(const shell::Node& node, Surroundings around, Flow flow);
  void visit_children(const shell::Node& node, Surroundings around, Flow flow);
  void visit_simple(const shell::Node& node, Surroundings around, Flow flow);
  void visit_pipeline(const shell::Node& node, Surroundings around);
  void visit_for(const shell::Node& node, Surroundings around);
  void visit_condition(const shell::Node& node);
  void visit_parts(const std::vector<shell::WordPart>& parts, bool assigned = false);
  void visit_part(const shell::WordPart& part);
  void visit_parameter(const shell::WordPart& part);
  void visit_script(const shell::WordPart& part);
  Judgement judge_redirect(const shell::Redirect& redirect);
  Judgement judge_bare_assignment(const shell::Assignment& assignment, Flow flow);
  Judgement judge_here_input(const shell::Node& node, std::string_view program);
  void count_assignments(const shell::Node& node);
  void count_in_parts(const std::vector<shell::WordPart>& parts);
  Judgement judge_program(std::span<const Argument> words);
  void note(std::string_view command, Judgement judgement);
  void add_run(std::span<const Argument> words, CommandClass cls, bool nested);
  void worsen_beyond_parts(const Judgement& judgement);

  std::string_view source_;
  Verdict& findings_;
  int depth_ = 0;
  int wrappers_ = 0;
  bool hash_is_nothing_ = false;
  bool unknowable_ = false;  ///< eval or source may set any variable.
  bool beyond_parts_ = false;
  std::size_t count_ = 0;
  Surroundings around_;
  Judgement worst_;
  Variables variables_;
  std::map<std::string, int, std::less<>> assigned_;
};

}  // namespace safety
