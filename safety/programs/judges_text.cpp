// Small languages inside arguments: awk and sed programs are read far enough to know that they only print.
#include <array>

#include "safety/credentials.h"
#include "safety/programs/judges.h"

namespace safety {
namespace {

bool is_awk_word_char(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Walks an awk program and stops at the first thing that writes, runs or reads elsewhere.
class AwkReader {
 public:
  explicit AwkReader(std::string_view text) : text_(text) {}

  /// Empty when the program only prints.
  std::string problem() {
    while (at_ < text_.size() && problem_.empty()) step();
    return problem_;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"') return skip_string();
    if (c == '#') return skip_comment();
    if (c == '/' && regex_may_start()) return skip_regex();
    if (is_awk_word_char(c)) return read_word();
    if (c == '(') ++depth_;
    if (c == ')') --depth_;
    if (c == ';' || c == '\n' || c == '}' || c == '{') printing_ = false;
    if (c == '@') problem_ = "awk loads code or calls a function by name";
    if (c == '>' && printing_ && depth_ <= print_depth_) return read_redirection();
    if (c == '|') {
      if (text_.substr(at_).starts_with("||")) {
        ++at_;
      } else {
        problem_ = "awk pipes to or from a command";
      }
    }
    if (c != ' ' && c != '\t') previous_ = c;
    ++at_;
  }

  /// After a value a slash divides; anywhere else it opens a pattern.
  bool regex_may_start() const {
    return after_keyword_ || !(is_awk_word_char(previous_) || previous_ == ')' || previous_ == ']' || previous_ == '$');
  }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    if (at_ >= text_.size()) problem_ = "the awk program has an open string";
    ++at_;
    previous_ = ')';
    after_keyword_ = false;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_regex() {
    bool in_class = false;
    for (++at_; at_ < text_.size() && (in_class || text_[at_] != '/'); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '[') {
        // awks differ about a slash inside brackets, so such a pattern is not trusted.
        in_class = true;
      } else if (text_[at_] == ']') {
        in_class = false;
      } else if (in_class && text_[at_] == '/') {
        problem_ = "awks disagree about the slash in this pattern";
      }
    }
    if (at_ >= text_.size()) problem_ = "the awk program has an open pattern";
    ++at_;
    previous_ = ')';
    after_keyword_ = false;
  }

  void read_word() {
    const auto begin = at_;
    while (at_ < text_.size() && is_awk_word_char(text_[at_])) ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    static constexpr std::array kKeywords = {"print", "printf", "return", "in", "case", "else", "do", "exit", "delete"};
    after_keyword_ = false;
    for (const std::string_view keyword : kKeywords) after_keyword_ = after_keyword_ || keyword == word;
    if (word == "system") problem_ = "awk runs shell commands";
    if (word == "getline") problem_ = "awk reads other files or commands";
    if (word == "length" && text_.substr(at_).find_first_not_of(" \t") != std::string_view::npos &&
        text_[text_.find_first_not_of(" \t", at_)] == '/') {
      problem_ = "the awk program is ambiguous";
    }
    if (word == "print" || word == "printf") {
      printing_ = true;
      print_depth_ = depth_;
    }
    previous_ = 'a';
  }

  void read_redirection() {
    auto target = text_.substr(at_);
    target.remove_prefix(std::min(target.find_first_not_of("> \t"), target.size()));
    if (!target.starts_with("\"/dev/stderr\"") && !target.starts_with("\"/dev/stdout\"")) {
      problem_ = "awk writes a file";
    }
    ++at_;
    previous_ = '>';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int print_depth_ = 0;
  bool printing_ = false;
  bool after_keyword_ = false;
  char previous_ = '\n';
  std::string problem_;
};

/// Reads a sed script by its grammar; anything outside the part that only edits the stream is a problem.
class SedReader {
 public:
  explicit SedReader(std::string_view text) : text_(text) {}

  std::string problem() {
    while (problem_.empty()) {
      skip(" \t\n;");
      if (at_end()) break;
      read_addresses();
      if (problem_.empty()) read_command();
    }
    return problem_;
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void skip(std::string_view set) { at_ = std::min(text_.find_first_not_of(set, at_), text_.size()); }
  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  void read_addresses() {
    for (;;) {
      const char c = peek();
      if ((c >= '0' && c <= '9') || c == '$' || c == '~' || c == '+') {
        skip("0123456789$~+");
      } else if (c == '/') {
        ++at_;
        read_until('/');
        skip("IM");
      } else if (c == '\\' && at_ + 1 < text_.size()) {
        const char mark = text_[at_ + 1];
        at_ += 2;
        read_until(mark);
        skip("IM");
      } else {
        break;
      }
      skip(" \t");
      if (peek() != ',') break;
      ++at_;
      skip(" \t");
    }
    skip(" \t!");
  }

  void read_until(char mark) {
    bool in_class = false;
    for (; !at_end() && text_[at_] != mark; ++at_) {
      if (text_[at_] == '\n') return fail("the sed program is not understood");
      if (text_[at_] == '\\') ++at_;
      if (!at_end() && text_[at_] == '[') in_class = true;
      if (!at_end() && text_[at_] == ']') in_class = false;
    }
    if (at_end() || in_class) return fail("the sed program is not understood");
    ++at_;
  }

  void read_command() {
    const char c = peek();
    ++at_;
    switch (c) {
      case '{':
      case '}':
        return;
      case 'p':
      case 'd':
      case 'D':
      case 'P':
      case '=':
      case 'n':
      case 'N':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'x':
      case 'z':
      case 'F':
        return end_command();
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        skip(" 0123456789");
        return end_command();
      case 'b':
      case 't':
      case 'T':
      case ':':
        at_ = std::min(text_.find_first_of(";\n}", at_), text_.size());
        return;
      case 'a':
      case 'i':
      case 'c':
        at_ = text_.size();  // the text runs to the end of the line; a script goes no further in one argument
        if (text_.find('\n') != std::string_view::npos) fail("the sed program is not understood");
        return;
      case 'y':
      case 's':
        return read_substitution(c == 's');
      case 'w':
      case 'W':
        return fail("sed writes a file");
      case 'e':
        return fail("sed runs a command");
      case 'r':
      case 'R':
        return fail("sed reads another file");
      default:
        return fail("the sed program is not understood");
    }
  }

  void end_command() {
    skip(" \t");
    if (!at_end() && std::string_view(";}\n#").find(peek()) == std::string_view::npos)
      fail("the sed program is not understood");
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }

  void read_substitution(bool flags) {
    const char mark = peek();
    if (mark == '\0' || mark == '\n' || mark == '\\') return fail("the sed program is not understood");
    ++at_;
    read_until(mark);
    if (!problem_.empty()) return;
    read_until(mark);
    if (!problem_.empty()) return;
    if (flags) {
      const auto begin = at_;
      at_ = std::min(text_.find_first_not_of("gpiIwemM0123456789", at_), text_.size());
      const auto given = text_.substr(begin, at_ - begin);
      if (given.find('w') != std::string_view::npos) return fail("sed writes a file");
      if (given.find('e') != std::string_view::npos) return fail("sed runs a command");
    }
    end_command();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
};

}  // namespace

Judgement judge_awk(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(call.args, "F:v:e:bcPtO",
                                    "field-separator= assign= source= posix re-interval traditional", kOperandEnds);
  if (!options.problem.empty()) return changes(options.problem);
  std::vector<std::string> programs;
  for (const auto& option : options.options) {
    if (!option.value_known) {
      if (option.name == "v" || option.name == "F" || option.name == "--assign")
        continue;  // data, however it comes about
      return changes("the awk program is computed");
    }
    if (option.name == "e" || option.name == "--source") programs.push_back(option.value);
  }
  std::size_t files = 0;
  if (programs.empty()) {
    if (options.operands.empty()) return changes("awk without a program");
    if (!options.operands[0]->known) return changes("the awk program is computed");
    programs.push_back(options.operands[0]->text);
    files = 1;
  }
  for (const auto& program : programs) {
    auto problem = AwkReader(program).problem();
    if (problem == "awk runs shell commands") return destroys(problem);
    if (!problem.empty()) return changes(problem);
  }
  for (; files < options.operands.size(); ++files) {
    const auto& file = *options.operands[files];
    if (const auto found = credential_among({&file, 1}); !found.empty()) return changes(found);
  }
  return reads("prints what an awk program selects");
}

Judgement judge_sed(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options =
      read_options(call.args, "nErsuze:l:",
                   "quiet silent regexp-extended separate unbuffered null-data expression= posix line-length= sandbox");
  if (!options.problem.empty()) {
    const bool in_place =
        options.problem.find("-i ") != std::string::npos || options.problem.find("--in-place") != std::string::npos;
    return changes(in_place ? "sed edits files in place" : options.problem);
  }
  std::string script;
  std::size_t files = 0;
  for (const auto& option : options.options) {
    if (option.name != "e" && option.name != "--expression") continue;
    if (!option.value_known) return changes("the sed program is computed");
    script += option.value + "\n";
  }
  if (script.empty()) {
    if (options.operands.empty()) return changes("sed without a program");
    if (!options.operands[0]->known) return changes("the sed program is computed");
    script = options.operands[0]->text;
    files = 1;
  }
  if (auto problem = SedReader(script).problem(); !problem.empty()) return changes(problem);
  for (; files < options.operands.size(); ++files) {
    if (const auto found = credential_among({options.operands[files], 1}); !found.empty()) return changes(found);
  }
  return reads("prints an edited copy");
}

Judgement judge_pager(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  if (!call.around.in_terminal) {
    const bool plain = read_options(call.args, "RSFXNinr", "").problem.empty();
    const auto found = credential_among(call.args);
    if (plain && found.empty()) return reads("passes text through");
  }
  return changes("opens a pager, from which commands can be run; use cat, head or tail");
}

}  // namespace safety
