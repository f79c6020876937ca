#include "shell/lexer.h"

#include <gtest/gtest.h>

#include "shell/inspect.h"
#include "shell/parser.h"
#include "tests/support/linear_time.h"

namespace shell {
namespace {

Open open_in(std::string_view text) {
  const auto parsed = parse(text);
  EXPECT_EQ(parsed.state, Completeness::Incomplete) << text << ": " << parsed.problem.message;
  return parsed.problem.open;
}

Completeness state(std::string_view text) {
  return parse(text).state;
}

TEST(Lexer, SaysWhatIsStillOpen) {
  EXPECT_EQ(open_in("echo 'a"), Open::SingleQuote);
  EXPECT_EQ(open_in("echo \"a"), Open::DoubleQuote);
  EXPECT_EQ(open_in("echo \"a $(ls \""), Open::DoubleQuote);
  EXPECT_EQ(open_in("echo $'a\\'"), Open::DollarQuote);
  EXPECT_EQ(open_in("echo `ls"), Open::Backquote);
  EXPECT_EQ(open_in("echo $(ls"), Open::CommandSubstitution);
  EXPECT_EQ(open_in("echo ${x"), Open::Parameter);
  EXPECT_EQ(open_in("cat <<EOF\nhello\n"), Open::HereDoc);
  EXPECT_EQ(open_in("cat <<EOF"), Open::HereDoc);
  EXPECT_EQ(open_in("ls \\"), Open::Backslash);
  EXPECT_EQ(open_in("ls |"), Open::Operator);
  EXPECT_EQ(open_in("ls &&"), Open::Operator);
  EXPECT_EQ(open_in("ls ||\n"), Open::Operator);
  EXPECT_EQ(open_in("if true; then"), Open::Compound);
  EXPECT_EQ(open_in("for i in 1 2; do echo $i"), Open::Compound);
  EXPECT_EQ(open_in("case x in a) ls;;"), Open::Compound);
  EXPECT_EQ(open_in("f() {"), Open::Compound);
  EXPECT_EQ(open_in("(ls"), Open::Compound);
  EXPECT_EQ(open_in("a=(1 2"), Open::Array);
  EXPECT_EQ(parse("cat <<END\nx").problem.message, "the here-document needs its closing line END");
}

TEST(Lexer, RefusesWhatNoFurtherTextCanMend) {
  for (const char* text : {"ls )", "; ls", "ls ;; ls", "fi", "echo (a)", "ls >", "ls > ; ls", "if ; then ls; fi", "{ }",
                           "()", "then ls", "| ls", "ls & ; ls", "for 1 2", "case x in", "done", "ls && && ls", "}"}) {
    if (std::string_view(text) == "case x in") continue;
    EXPECT_EQ(state(text), Completeness::Error) << text;
  }
}

TEST(Lexer, KeepsQuotesCommentsAndSubstitutionsApart) {
  for (const char* text : {"echo 'a b' \"c d\" e\\ f",
                           "echo it\\'s",
                           "echo a#b # don't",
                           "# don't",
                           "",
                           "\n\n",
                           "echo $((1 + (2 * 3)))",
                           "echo $( (ls) )",
                           "echo $((ls) | wc)",
                           "diff <(ls a) <(ls b)",
                           "cat <<A <<-'B'\na\nA\n\tb $(\n\tB",
                           "cat <<< \"x y\"",
                           "echo \"a $(echo \"b $(echo 'c)')\")\"",
                           "echo ${x:-$(ls)} ${x//a/b} ${#x} ${!x} ${x[1]} ${x@Q}",
                           "a=(1 2 'x y')",
                           "echo `echo \\`date\\``",
                           "echo $(case x in a) echo 1;; (b) echo 2;; esac)",
                           "ls 2>&1 >/dev/null &",
                           "x=1 y=2 ls",
                           "ls \\\n -l",
                           "l\\\ns",
                           "ls &\\\n& ls",
                           "[[ a =~ ^(b|c)$ && -f /x ]]",
                           "((a = 1 > 2))",
                           "for ((i=0; i<3; i++)); do ls; done",
                           "f() { ls; }",
                           "function g { ls; }",
                           "while read -r l; do echo \"$l\"; done < f",
                           "time ls",
                           "! ls",
                           "cat <<EOF\n$(ls)\nEOF",
                           "declare -a x=(1 2)",
                           "echo {a,b}{1..3} ~/x ~root",
                           "cat <<EOF | wc\na\nEOF\nls",
                           "echo $\"hi\" $'a\\nb'",
                           "a[1 + 2]=3",
                           "{fd}>/tmp/x ls",
                           "echo a=b",
                           "case $x in (a|b) ;; *) esac"}) {
    const auto parsed = parse(text);
    EXPECT_EQ(parsed.state, Completeness::Complete) << text << ": " << parsed.problem.message;
  }
}

TEST(Lexer, GivesTheByteRangeOfEveryToken) {
  const std::string_view text = "ls -l 'a b' | wc >x # end";
  std::vector<std::string_view> seen;
  for (const auto& lexeme : parse(text).lexemes) seen.push_back(lexeme.span.of(text));
  EXPECT_EQ(seen, (std::vector<std::string_view>{"ls", "-l", "'a b'", "|", "wc", ">", "x", "# end"}));
}

TEST(Lexer, DecodesAnsiCQuotes) {
  const auto parsed = parse("$'\\x72\\155' $'a\\tb\\u00e9' $'it\\'s'");
  ASSERT_EQ(parsed.script.children.size(), 1u);
  const auto& words = parsed.script.children[0].words;
  EXPECT_EQ(words[0].literal(), "rm");
  EXPECT_EQ(words[1].literal(), "a\tbé");
  EXPECT_EQ(words[2].literal(), "it's");
  EXPECT_FALSE(parsed.hazard.empty()) << "dash would end the last string at the escaped quote";
}

TEST(Lexer, SeesThroughQuotesAndBackslashesInsideAName) {
  for (const char* text : {"r'm' x", "\"rm\" x", "r\\m x", "\\rm x", "$'rm' x", "r\"\"m x", "r\\\nm x"}) {
    const auto parsed = parse(text);
    ASSERT_EQ(parsed.script.children.size(), 1u) << text;
    EXPECT_EQ(parsed.script.children[0].words[0].literal(), "rm") << text;
  }
}

TEST(Lexer, StopsAtABoundedDepth) {
  for (const char* piece : {"$(", "(", "{ ", "\"${x:-", "$((", "<(", "if ", "! ", "a=(", "[[ (", "${x[", "$["}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += piece;
    EXPECT_NE(state(text), Completeness::Complete) << piece;
  }
}

TEST(Lexer, TakesTimeByLengthWhateverIsRepeated) {
  for (const char* piece : {"echo a b; ", "$( (", "a[ ", "x ", "'a' ", "\"$x\" ", "$((1)) ", "((", "$((",
                            "cat <<E\nE\n", "`a` ", "{ls;} ", "a|", "\\\n", "$'\\'' ", "[[ a ", "${x:-"})
    support::expect_linear(piece, 100'000, [](const std::string& text) { parse(text); });
}

TEST(Lexer, ReportsANulByte) {
  EXPECT_EQ(state(std::string_view("ls\0rm", 5)), Completeness::Error);
}

TEST(Inspect, TellsHowALineEnds) {
  EXPECT_EQ(inspect("sleep 9 &").ending, Ending::Ampersand);
  EXPECT_EQ(inspect("sleep 9 & # later").ending, Ending::Ampersand);
  EXPECT_EQ(inspect("ls;").ending, Ending::Semicolon);
  EXPECT_EQ(inspect("ls \\;").ending, Ending::Plain);
  EXPECT_EQ(inspect("ls '&'").ending, Ending::Plain);
  EXPECT_EQ(inspect("echo $(sleep 1 &)").ending, Ending::Plain);
  EXPECT_EQ(inspect("ls 2>&1").ending, Ending::Plain);
}

TEST(Inspect, SeesTheEndOfAnArithmeticCommand) {
  EXPECT_EQ(inspect("((1+1))").code_end, 7u);
  EXPECT_EQ(inspect("true && (( x > (1) )) # note").code_end, 21u);
}

TEST(Inspect, TellsWhatReadsTheTerminal) {
  for (const char* text :
       {"cat", "cat -", "cat -n", "cat > file", "sort | uniq", "read x", "grep pattern", "tr a b", "cat 2>/dev/null; "})
    EXPECT_TRUE(inspect(text).reads_terminal) << text;
  for (const char* text :
       {"cat file", "cat < file", "cat <<E\nx\nE", "cat <<< x", "echo x | cat", "sleep 9; cat", "cat &",
        "grep -r pattern", "grep pattern file", "sed -f script", "ls", "head -n 3 file", "(cat)"})
    EXPECT_FALSE(inspect(text).reads_terminal) << text;
}

TEST(Inspect, FindsATrailingCommentAndWhereTheCodeEnds) {
  const auto with = inspect("ls -l  # all of it");
  ASSERT_TRUE(with.trailing_comment);
  EXPECT_EQ(*with.trailing_comment, (Span{7, 18}));
  EXPECT_EQ(with.code_end, 5u);
  EXPECT_FALSE(inspect("ls a#b '# c'").trailing_comment);
  EXPECT_FALSE(inspect("# first\nls").trailing_comment);
  EXPECT_TRUE(inspect("# only").empty);
  EXPECT_TRUE(inspect("  \n").empty);
}

TEST(Inspect, TellsLinesHereDocumentsAndControlCharacters) {
  EXPECT_FALSE(inspect("ls\n").multi_line);
  EXPECT_TRUE(inspect("ls\nls").multi_line);
  EXPECT_TRUE(inspect("cat <<E\nx\nE").has_here_doc);
  EXPECT_TRUE(inspect("x=$(cat <<E\nx\nE\n)").has_here_doc);
  EXPECT_FALSE(inspect("cat <<< x").has_here_doc);
  EXPECT_EQ(inspect("ls\tx").control_character, 2u);
  EXPECT_EQ(inspect("ls\x1b[A").control_character, 2u);
  EXPECT_EQ(inspect("ls \xC2\x9B").control_character, 3u);
  EXPECT_FALSE(inspect("ls é\n").control_character);
}

TEST(Inspect, FindsHistoryExpansionWhereBashWould) {
  for (const char* text : {"echo \"a!b\"", "echo !!", "!ls", "echo a!b", "^a^b", "echo \"it's !x\""}) {
    EXPECT_TRUE(find_history_expansion(text)) << text;
  }
  for (const char* text : {"echo 'a!b'", "[ ! -f x ]", "[ a != b ]", "echo \\!x", "! ls", "echo $! x", "echo ${!x}",
                           "echo hi!", "awk '!seen[$0]++'", "echo \"hi!\""}) {
    EXPECT_FALSE(find_history_expansion(text)) << text;
  }
}

TEST(Inspect, FindsCommandsThatEndTheSession) {
  for (const char* text : {"exit",
                           "ls; exit 3",
                           "exec bash",
                           "exec >/dev/null",
                           "logout",
                           "set -e",
                           "set -euo pipefail",
                           "set -o errexit",
                           "return 1",
                           "command exit",
                           "false || exit",
                           "if true; then exit; fi",
                           "{ exit; }",
                           "eval 'exit'",
                           "eval ex'it' 1",
                           "\\exit",
                           "e'x'it",
                           "kill -9 $$",
                           "f() { exit; }; f",
                           "trap 'ls' DEBUG",
                           "echo x | exit",
                           "while true; do exit; done"}) {
    EXPECT_FALSE(inspect(text).session_ending.empty()) << text;
  }
  for (const char* text : {"echo exit", "(exit 3)", "x=$(exit 3)", "bash -c 'exit 3'", "exit | cat", "exit &", "set +e",
                           "command -v exit", "grep exit f", "# exit", "set -- a b", "trap -p", "echo `exit`", "set"}) {
    EXPECT_TRUE(inspect(text).session_ending.empty()) << text;
  }
}

}  // namespace
}  // namespace shell
