#include "app/assistant/attachments.h"

#include <gtest/gtest.h>

namespace app {
namespace {

/// What an attachment is when the terminal shows these bytes.
std::string of(std::string (*attachment)(const terminal::Screen&), std::string_view bytes) {
  terminal::Screen screen({.size = {8, 40}, .scrollback_lines = 100});
  screen.write(bytes);
  return attachment(screen);
}

TEST(Attachments, TheScreenIsWhatTheTerminalShows) {
  EXPECT_EQ(of(screen_text, ("one\r\ntwo\r\n$ ")), "one\ntwo\n$");
  EXPECT_EQ(of(screen_text, ("main\x1b[?1049h\x1b[Hother")), "other") << "of a full-screen program too";
}

TEST(Attachments, TheLastCommandIsFoundByItsPrompt) {
  const std::string session =
      "root@web1:~# uptime\r\nup 3 days\r\nroot@web1:~# df -h\r\nFilesystem\r\n/dev/sda1 99%\r\nroot@web1:~# ";
  EXPECT_EQ(of(last_command_text, (session)), "root@web1:~# df -h\nFilesystem\n/dev/sda1 99%");
  EXPECT_EQ(of(last_command_text, (session + "\r\nroot@web1:~# ")),
            "root@web1:~# df -h\nFilesystem\n/dev/sda1 99%\nroot@web1:~#")
      << "an Enter in between is no command";
}

TEST(Attachments, TheLastCommandMayReachIntoTheScrollback) {
  std::string session = "$ seq 20\r\n";
  for (int i = 1; i <= 20; ++i) session += std::to_string(i) + "\r\n";
  const std::string text = of(last_command_text, (session + "$ "));
  EXPECT_TRUE(text.starts_with("$ seq 20\n1\n2\n")) << text;
  EXPECT_TRUE(text.ends_with("\n20")) << text;
}

TEST(Attachments, WithoutAPromptTheScreenIsTheLastCommand) {
  EXPECT_EQ(of(last_command_text, ("output\r\nmore\r\n")), "output\nmore");
}

}  // namespace
}  // namespace app
