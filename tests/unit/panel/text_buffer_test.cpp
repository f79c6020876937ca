#include "panel/text_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"
#include "terminal/key_decoder.h"

namespace panel {
namespace {

/// Types bytes as the operator's terminal sends them.
void type(TextBuffer& buffer, std::string_view bytes) {
  terminal::KeyDecoder decoder;
  for (const auto& key : decoder.feed(bytes)) buffer.handle_key(key);
}

/// The text with '|' where the cursor stands.
std::string line(const TextBuffer& buffer) {
  std::string text = buffer.text();
  return text.insert(buffer.cursor(), "|");
}

std::string typed(std::string_view bytes) {
  TextBuffer buffer;
  type(buffer, bytes);
  return line(buffer);
}

constexpr std::string_view kLeft = "\x1b[D";
constexpr std::string_view kRight = "\x1b[C";

TEST(TextBuffer, InsertsAtTheCursor) {
  EXPECT_EQ(typed("abc"), "abc|");
  EXPECT_EQ(typed("ac\x1b[Db"), "ab|c");
}

TEST(TextBuffer, MovesByArrowsAndControlLetters) {
  EXPECT_EQ(typed("abc\x1b[D\x1b[D\x1b[C"), "ab|c");
  EXPECT_EQ(typed("abc\x02\x02\x06"), "ab|c");
  EXPECT_EQ(typed("abc\x1b[H"), "|abc");
  EXPECT_EQ(typed("abc\x01"), "|abc");
  EXPECT_EQ(typed("abc\x01\x1b[F"), "abc|");
  EXPECT_EQ(typed("abc\x01\x05"), "abc|");
  EXPECT_EQ(typed("\x1b[D\x1b[C"), "|");
}

TEST(TextBuffer, MovesOverWholeCharactersAsAReaderSeesThem) {
  for (const char* one : {"中", "e\u0301", "👨‍👩‍👧", "🇩🇪", "👍🏽", "한"}) {
    SCOPED_TRACE(one);
    TextBuffer buffer;
    type(buffer, std::string("a") + one + "b");
    type(buffer, kLeft);
    type(buffer, kLeft);
    EXPECT_EQ(line(buffer), std::string("a|") + one + "b");
    type(buffer, kRight);
    EXPECT_EQ(line(buffer), std::string("a") + one + "|b");
    type(buffer, "\x7f");
    EXPECT_EQ(line(buffer), "a|b");
  }
}

TEST(TextBuffer, KeepsTheCursorOffTheInsideOfACharacterThatGrew) {
  TextBuffer buffer;
  type(buffer, "\u0301");
  type(buffer,
       "\x01"
       "e");
  EXPECT_EQ(line(buffer), "e\u0301|");
}

TEST(TextBuffer, DeletesBothWays) {
  EXPECT_EQ(typed("abc\x7f"), "ab|");
  EXPECT_EQ(typed("abc\x08"), "ab|");
  EXPECT_EQ(typed("abc\x01\x1b[3~"), "|bc");
  EXPECT_EQ(typed("abc\x01\x04"), "|bc");
  EXPECT_EQ(typed("\x7f\x04\x1b[3~"), "|");
}

TEST(TextBuffer, MovesByWords) {
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

TEST(TextBuffer, CutsAndPutsBack) {
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

TEST(TextBuffer, KeepsTheLineBreaksOfAShortPaste) {
  TextBuffer buffer;
  type(buffer, "\x1b[200~one\r\ntwo\tx\x1b[201~");
  EXPECT_EQ(buffer.text(), "one\ntwo\tx");
}

TEST(TextBuffer, LeavesKeysItDoesNotKnowToItsOwner) {
  TextBuffer buffer;
  for (const char* bytes : {"\r", "\t", "\x1b[A", "\x1b[5~", "\x03", "\x1bx", "\x1b[15~", "\x1b[97;9u", "\x1b[I"}) {
    terminal::KeyDecoder decoder;
    for (const auto& key : decoder.feed(bytes)) EXPECT_FALSE(buffer.handle_key(key)) << bytes;
  }
  EXPECT_TRUE(buffer.empty());
}

/// A paste of this text, as the key decoder gives it.
terminal::Key paste_of(std::string text) {
  terminal::Key paste = terminal::Key::of(terminal::KeyKind::paste);
  paste.text = std::move(text);
  return paste;
}

std::string folded(const TextBuffer& buffer) {
  return buffer.folded([](const std::string& content) { return "<" + std::to_string(content.size()) + ">"; });
}

TEST(TextBuffer, MovesAndCutsWithinTheLineOfManyLines) {
  TextBuffer buffer;
  type(buffer, "\x1b[200~one\ntwo\x1b[201~");
  type(buffer, "\x01");
  EXPECT_EQ(line(buffer), "one\n|two");
  type(buffer, "\x0b");
  EXPECT_EQ(line(buffer), "one\n|");
  type(buffer, "\x1b[D\x01");
  EXPECT_EQ(line(buffer), "|one\n");
  type(buffer, "\x05");
  EXPECT_EQ(line(buffer), "one|\n");
  type(buffer, "\x0b");
  EXPECT_EQ(line(buffer), "one|") << "at the end of a line its break goes";
}

TEST(TextBuffer, UndoesWordByWordAndDoesItAgain) {
  TextBuffer buffer;
  type(buffer, "restart nginx now");
  type(buffer, "\x1a");
  EXPECT_EQ(line(buffer), "restart nginx |");
  type(buffer, "\x1f");
  EXPECT_EQ(line(buffer), "restart |");
  type(buffer, "\x1bz");
  EXPECT_EQ(line(buffer), "restart nginx |");
  type(buffer, "x\x1bz");
  EXPECT_EQ(line(buffer), "restart nginx x|") << "what is typed anew ends the way forward";
  type(buffer, "\x15\x1a");
  EXPECT_EQ(line(buffer), "restart nginx x|") << "a cut comes back";
  for (int i = 0; i < 20; ++i) type(buffer, "\x1a");
  EXPECT_EQ(line(buffer), "|");
}

TEST(TextBuffer, PutsOlderCutsBackInTurn) {
  TextBuffer buffer;
  type(buffer, "one\x15two\x15three\x15\x19");
  EXPECT_EQ(line(buffer), "three|");
  type(buffer, "\x1by");
  EXPECT_EQ(line(buffer), "two|");
  type(buffer, "\x1by");
  EXPECT_EQ(line(buffer), "one|");
  type(buffer, "\x1by");
  EXPECT_EQ(line(buffer), "three|");
}

TEST(TextBuffer, FoldsALargePasteToOneCharacterThatMovesAndGoesAsOne) {
  TextBuffer buffer;
  const std::string log = "first line\nsecond\nthird\nfourth\n";
  type(buffer, "see ");
  buffer.handle_key(paste_of(log));
  type(buffer, " please");
  EXPECT_EQ(folded(buffer), "see <31> please");
  EXPECT_EQ(buffer.expanded(), "see " + log + " please");
  for (int i = 0; i < 7; ++i) type(buffer, kLeft);
  type(buffer, "\x7f");
  EXPECT_EQ(buffer.expanded(), "see  please");
  type(buffer, "\x1a");
  EXPECT_EQ(buffer.expanded(), "see " + log + " please") << "undo brings the chip back whole";
  type(buffer, "\x15\x19\x19");
  EXPECT_EQ(folded(buffer), "see <31>see <31> please") << "a chip can be cut and put back twice";
}

TEST(TextBuffer, LetsNobodyTypeAChip) {
  TextBuffer buffer;
  buffer.insert("a\U00100000b\U0010FFFDc");
  EXPECT_EQ(buffer.expanded(), "a\uFFFDb\uFFFDc");
}

TEST(TextBuffer, HoldsABoundedAmountAndTellsWhatDidNotFit) {
  TextBuffer buffer;
  std::string large;
  for (int i = 0; i < 500'000; ++i) large += "中";
  buffer.handle_key(paste_of(large));
  EXPECT_LE(buffer.expanded().size(), TextBuffer::kLimit);
  EXPECT_EQ(buffer.expanded().size() % 3, 0u);
  EXPECT_EQ(buffer.expanded().size() + buffer.take_dropped(), 1'500'000u);
  EXPECT_EQ(buffer.take_dropped(), 0u);
  type(buffer, "\x15\x19\x19");
  EXPECT_LE(buffer.expanded().size(), TextBuffer::kLimit + 4);
  for (int i = 0; i < 200; ++i) buffer.insert(std::string(400, 'x'));
  EXPECT_LE(buffer.text().size(), TextBuffer::kTypedLimit);
}

TEST(TextBuffer, GivesItsTextAwayOnce) {
  TextBuffer buffer;
  type(buffer, "abc");
  EXPECT_EQ(buffer.take(), "abc");
  EXPECT_EQ(line(buffer), "|");
}

}  // namespace
}  // namespace panel
