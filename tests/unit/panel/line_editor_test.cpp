#include "panel/line_editor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "terminal/key_decoder.h"

namespace panel {
namespace {

/// Types bytes as the operator's terminal sends them.
void type(LineEditor& editor, std::string_view bytes) {
  terminal::KeyDecoder decoder;
  for (const auto& key : decoder.feed(bytes)) editor.handle_key(key);
}

/// The text with '|' where the cursor stands.
std::string line(const LineEditor& editor) {
  std::string text = editor.text();
  return text.insert(editor.cursor(), "|");
}

std::string typed(std::string_view bytes) {
  LineEditor editor;
  type(editor, bytes);
  return line(editor);
}

constexpr std::string_view kLeft = "\x1b[D";
constexpr std::string_view kRight = "\x1b[C";

TEST(LineEditor, InsertsAtTheCursor) {
  EXPECT_EQ(typed("abc"), "abc|");
  EXPECT_EQ(typed("ac\x1b[Db"), "ab|c");
}

TEST(LineEditor, MovesByArrowsAndControlLetters) {
  EXPECT_EQ(typed("abc\x1b[D\x1b[D\x1b[C"), "ab|c");
  EXPECT_EQ(typed("abc\x02\x02\x06"), "ab|c");
  EXPECT_EQ(typed("abc\x1b[H"), "|abc");
  EXPECT_EQ(typed("abc\x01"), "|abc");
  EXPECT_EQ(typed("abc\x01\x1b[F"), "abc|");
  EXPECT_EQ(typed("abc\x01\x05"), "abc|");
  EXPECT_EQ(typed("\x1b[D\x1b[C"), "|");
}

TEST(LineEditor, MovesOverWholeCharactersAsAReaderSeesThem) {
  for (const char* one : {"中", "e\u0301", "👨‍👩‍👧", "🇩🇪", "👍🏽", "한"}) {
    SCOPED_TRACE(one);
    LineEditor editor;
    type(editor, std::string("a") + one + "b");
    type(editor, kLeft);
    type(editor, kLeft);
    EXPECT_EQ(line(editor), std::string("a|") + one + "b");
    type(editor, kRight);
    EXPECT_EQ(line(editor), std::string("a") + one + "|b");
    type(editor, "\x7f");
    EXPECT_EQ(line(editor), "a|b");
  }
}

TEST(LineEditor, KeepsTheCursorOffTheInsideOfACharacterThatGrew) {
  LineEditor editor;
  type(editor, "\u0301");
  type(editor,
       "\x01"
       "e");
  EXPECT_EQ(line(editor), "e\u0301|");
}

TEST(LineEditor, DeletesBothWays) {
  EXPECT_EQ(typed("abc\x7f"), "ab|");
  EXPECT_EQ(typed("abc\x08"), "ab|");
  EXPECT_EQ(typed("abc\x01\x1b[3~"), "|bc");
  EXPECT_EQ(typed("abc\x01\x04"), "|bc");
  EXPECT_EQ(typed("\x7f\x04\x1b[3~"), "|");
}

TEST(LineEditor, MovesByWords) {
  EXPECT_EQ(typed("ls /var/log\x1b"
                  "b"),
            "ls /var/|log");
  EXPECT_EQ(typed("ls /var/log\x1b"
                  "b\x1b"
                  "b\x1b"
                  "f"),
            "ls /var|/log");
  EXPECT_EQ(typed("one two\x1b[1;5D"), "one |two");
  EXPECT_EQ(typed("one two\x01\x1b[1;5C"), "one| two");
  EXPECT_EQ(typed("中文。日本\x1b"
                  "b"),
            "中文。|日本");
}

TEST(LineEditor, CutsAndPutsBack) {
  EXPECT_EQ(typed("one two\x1b"
                  "b\x15"),
            "|two");
  EXPECT_EQ(typed("one two\x1b"
                  "b\x0b"),
            "one |");
  EXPECT_EQ(typed("ls /var/log \x17"), "ls |");
  EXPECT_EQ(typed("ls /var/log\x1b\x7f"), "ls /var/|");
  EXPECT_EQ(typed("one two\x01\x1b"
                  "d"),
            "| two");
  EXPECT_EQ(typed("one two\x15\x19\x19"), "one twoone two|");
  EXPECT_EQ(typed("a b c\x17\x17\x19"), "a b c|") << "cuts in a row come back together";
  EXPECT_EQ(typed("a b\x17x\x17\x19"), "a x|") << "a key between begins a new cut";
}

TEST(LineEditor, KeepsPastedLineBreaksAndShowsThemAsMarks) {
  LineEditor editor;
  type(editor, "\x1b[200~one\r\ntwo\tx\x1b[201~");
  EXPECT_EQ(editor.text(), "one\ntwo\tx");
  const auto view = editor.view(40, "⏎");
  EXPECT_EQ(view.before, "one⏎two x");
}

TEST(LineEditor, LeavesKeysItDoesNotKnowToItsOwner) {
  LineEditor editor;
  for (const char* bytes : {"\r", "\t", "\x1b[A", "\x1b[5~", "\x03", "\x1bz", "\x1b[15~", "\x1b[97;9u", "\x1b[I"}) {
    terminal::KeyDecoder decoder;
    for (const auto& key : decoder.feed(bytes)) EXPECT_FALSE(editor.handle_key(key)) << bytes;
  }
  EXPECT_TRUE(editor.empty());
}

TEST(LineEditor, ShowsShortTextWhole) {
  LineEditor editor;
  type(editor, "hello\x1b[D");
  const auto view = editor.view(10, "|");
  EXPECT_EQ(view.before + "^" + view.after, "hell^o");
  EXPECT_FALSE(view.more_left || view.more_right);
}

TEST(LineEditor, ScrollsOnlyWhenTheCursorWouldLeaveTheField) {
  LineEditor editor;
  type(editor, "0123456789");
  auto view = editor.view(5, "|");
  EXPECT_EQ(view.before + "^" + view.after, "6789^");
  EXPECT_TRUE(view.more_left);
  EXPECT_FALSE(view.more_right);
  for (int i = 0; i < 4; ++i) type(editor, kLeft);
  view = editor.view(5, "|");
  EXPECT_EQ(view.before + "^" + view.after, "^6789") << "still the same part";
  type(editor, kLeft);
  view = editor.view(5, "|");
  EXPECT_EQ(view.before + "^" + view.after, "^56789");
  type(editor, "\x01");
  view = editor.view(5, "|");
  EXPECT_EQ(view.before + "^" + view.after, "^01234");
  EXPECT_TRUE(view.more_right);
}

TEST(LineEditor, UsesTheWholeFieldAgainAfterADeletion) {
  LineEditor editor;
  type(editor, "0123456789");
  editor.view(5, "|");
  type(editor, "\x7f\x7f\x7f\x7f\x7f\x7f\x7f");
  const auto view = editor.view(5, "|");
  EXPECT_EQ(view.before, "012");
  EXPECT_FALSE(view.more_left);
}

TEST(LineEditor, NeverCutsAWideCharacterAtTheEdgeOfTheField) {
  LineEditor editor;
  type(editor, "中文日本語");
  for (int width = 1; width < 14; ++width) {
    SCOPED_TRACE(width);
    for (const char* key : {"\x05", "\x1b[D", "\x1b[D", "\x01", "\x1b[C"}) {
      type(editor, key);
      const auto view = editor.view(width, "|");
      EXPECT_LE(base::text_width(view.before + view.after), std::max(width, 2));
      EXPECT_EQ(base::text_width(view.before) % 2, 0);
    }
  }
}

TEST(LineEditor, HoldsABoundedAmountAndTellsWhatDidNotFit) {
  LineEditor editor;
  terminal::Key paste = terminal::Key::of(terminal::KeyKind::paste);
  for (int i = 0; i < 30'000; ++i) paste.text += "中";
  editor.handle_key(paste);
  EXPECT_LE(editor.text().size(), LineEditor::kLimit);
  EXPECT_EQ(editor.text().size() % 3, 0u);
  EXPECT_EQ(editor.text().size() + editor.take_dropped(), 90'000u);
  EXPECT_EQ(editor.take_dropped(), 0u);
  type(editor, "\x15\x19\x19");
  EXPECT_LE(editor.text().size(), LineEditor::kLimit);
}

TEST(LineEditor, GivesItsTextAwayOnce) {
  LineEditor editor;
  type(editor, "abc");
  EXPECT_EQ(editor.take(), "abc");
  EXPECT_EQ(line(editor), "|");
}

}  // namespace
}  // namespace panel
