#include "terminal/screen_dump.h"

#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

TEST(ScreenDump, WritesThePlainRows) {
  TestScreen screen({.rows = 2, .cols = 5});
  screen.feed("ab  \r\n中");
  EXPECT_EQ(dump_text(screen.screen()), "ab\n中\n");
}

TEST(ScreenDump, WritesTheDocumentedJson) {
  TestScreen screen({.rows = 2, .cols = 4});
  screen.feed("old\r\n\x1b]2;t\"x\x07new\r\nlast\x1b[?25l");
  EXPECT_EQ(dump_json(screen.screen(), false),
            R"({"cols":4,"rows":2,"cursor":{"row":1,"col":3,"visible":false},"alt":false,"title":"t\"x",)"
            R"("lines":["new","last"],"scrollback":["old"]})");
}

TEST(ScreenDump, WritesCellsWithColoursAndAttributes) {
  TestScreen screen({.rows = 1, .cols = 3});
  screen.feed("\x1b[1;4:3;38;5;9;48;2;1;2;255m中");
  EXPECT_EQ(dump_json(screen.screen(), true),
            R"({"cols":3,"rows":1,"cursor":{"row":0,"col":2,"visible":true},"alt":false,"title":"","lines":["中"],)"
            R"("cells":[[{"ch":"中","fg":9,"bg":"#0102ff","attrs":["bold","curly-underline"]},)"
            R"({"ch":"","fg":9,"bg":"#0102ff","attrs":["bold","curly-underline"]},)"
            R"({"ch":" ","fg":null,"bg":null,"attrs":[]}]],"scrollback":[]})");
}

}  // namespace
}  // namespace terminal
