#include "remote_exec/wrap_command.h"

#include <gtest/gtest.h>

namespace remote_exec {
namespace {

const Nonce kOne(1);
const std::string kStartText = "'\\033]7717;0000000000000001;s;%s\\007'; ";
const std::string kEndText = " '\\033]7717;0000000000000001;e;%s\\007' ";

std::string line_for(Shell shell, std::string_view command) {
  const auto wrapped = wrap_command({shell, true}, command, kOne);
  return wrapped ? wrapped->line : "refused: " + wrapped.error().message;
}

TEST(WrapCommand, IsOneReadableLineWithTheCommandInClear) {
  EXPECT_EQ(line_for(Shell::bash, "ls -l /tmp"),
            " command printf " + kStartText + "ls -l /tmp; command printf" + kEndText + "\"$?\"");
  EXPECT_EQ(line_for(Shell::zsh, "ls"), " builtin printf " + kStartText + "ls; builtin printf" + kEndText + "\"$?\"");
  EXPECT_EQ(line_for(Shell::fish, "ls"), " builtin printf " + kStartText + "ls; builtin printf" + kEndText + "$status");
  EXPECT_EQ(line_for(Shell::csh, "ls"), " \\printf " + kStartText + "ls; \\printf" + kEndText + "$status");
}

TEST(WrapCommand, JoinsByWhatTheCommandEndsWith) {
  EXPECT_NE(line_for(Shell::bash, "sleep 1 &").find("sleep 1 & command printf"), std::string::npos);
  EXPECT_NE(line_for(Shell::bash, "ls;").find("ls; command printf"), std::string::npos);
  EXPECT_NE(line_for(Shell::bash, "ls # why").find("; ls; command printf"), std::string::npos);
  EXPECT_NE(line_for(Shell::bash, "  ls  \n").find("; ls; command printf"), std::string::npos);
}

TEST(WrapCommand, QuotesWhatAnInteractiveShellWouldExpandOrReadTwice) {
  EXPECT_NE(line_for(Shell::bash, "echo \"a!b\"").find("; command eval 'echo \"a!b\"'; "), std::string::npos);
  EXPECT_NE(line_for(Shell::bash, "echo 'it'\nls")
                .find(R"x(command eval "$(command printf '%s\n' 'echo '\''it'\''' 'ls')"; )x"),
            std::string::npos);
  EXPECT_NE(line_for(Shell::csh, "echo a!b").find("; echo a\\!b; "), std::string::npos);
  // A bastion's rule for the word must still match: no letter of an escape stands in front of it.
  EXPECT_NE(line_for(Shell::dash, "true\n\trm -rf x").find("'\"$t\"'rm -rf x'"), std::string::npos);
}

TEST(WrapCommand, RefusesWhatWouldHangOrEndTheSession) {
  for (const char* command : {"echo 'x", "echo $(", "echo \\", "ls |", "cat <<E\nx", "exit", "exec ls", "set -e", "",
                              "  ", "a\tb\033c", "x\x7f", "\xff"}) {
    EXPECT_TRUE(line_for(Shell::bash, command).starts_with("refused: ")) << command;
  }
  EXPECT_FALSE(line_for(Shell::bash, "(exit 3)").starts_with("refused: "));
  EXPECT_TRUE(wrap_command({Shell::bash, true}, "exit 3", kOne, SessionEnd::agreed));
}

TEST(WrapCommand, RefusesWhatDoesNotFitTheShellsLine) {
  const std::string longish = "echo " + std::string(450, 'x');
  EXPECT_TRUE(line_for(Shell::ash, longish).starts_with("refused: "));
  EXPECT_FALSE(line_for(Shell::dash, longish).starts_with("refused: "));
  EXPECT_TRUE(line_for(Shell::dash, "echo " + std::string(4090, 'x')).starts_with("refused: "));
  EXPECT_FALSE(line_for(Shell::bash, "echo " + std::string(9000, 'x')).starts_with("refused: "));
  EXPECT_TRUE(line_for(Shell::bash, "echo " + std::string(17000, 'x')).starts_with("refused: "));
}

TEST(Dialect, IsReadFromTheProbes) {
  EXPECT_EQ(family_of("\\\\;\\"), Shell::posix);
  EXPECT_EQ(family_of("\\;\\"), Shell::fish);
  EXPECT_EQ(family_of("\\\\;\\\\"), Shell::csh);
  EXPECT_EQ(family_of("%s"), std::nullopt);
  EXPECT_EQ(variant_of("5.2.15(1)-release;;;r;bash"), Shell::bash);
  EXPECT_EQ(variant_of(";5.9;;r;zsh"), Shell::zsh);
  EXPECT_EQ(variant_of(";;@(#)MIRBSD KSH R59;r;mksh"), Shell::ksh);
  EXPECT_EQ(variant_of(";;;;dash"), Shell::dash);
  EXPECT_EQ(variant_of(";;;;sh"), Shell::posix);
  EXPECT_EQ(variant_of(";;;r;sh"), Shell::ash);
  EXPECT_EQ(variant_of(";;;;-ash"), Shell::ash);
}

}  // namespace
}  // namespace remote_exec
