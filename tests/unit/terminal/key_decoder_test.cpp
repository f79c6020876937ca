#include "terminal/key_decoder.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace terminal {
namespace {

/// A key as a test reads it: "a", "C-a", "S-Up", "F5", "paste(x)", "wheel_up@3,4".
std::string name(const Key& key) {
  static const std::vector<std::string> names = {
      "",     "Enter", "Tab",    "Backspace", "Esc", "Up",    "Down",  "Left", "Right", "Home",  "End",
      "PgUp", "PgDn",  "Insert", "Delete",    "F",   "paste", "mouse", "in",   "out",   "reply", "unknown"};
  std::string text;
  if (key.modifiers & kCtrl) text += "C-";
  if (key.modifiers & kAlt) text += "A-";
  if (key.modifiers & kShift) text += "S-";
  if (key.modifiers & kSuper) text += "W-";
  text += names.at(static_cast<std::size_t>(key.kind));
  if (key.kind == KeyKind::character) base::append_utf8(text, key.character);
  if (key.kind == KeyKind::function) text += std::to_string(key.number);
  if (key.kind == KeyKind::paste || key.kind == KeyKind::reply) text += "(" + key.text + ")";
  if (key.kind == KeyKind::paste && !key.last) text += "…";
  if (key.kind == KeyKind::mouse) {
    static const std::vector<std::string> actions = {"press", "release", "drag", "move", "wheel_up", "wheel_down"};
    text += ":" + actions.at(static_cast<std::size_t>(key.mouse.action)) + std::to_string(key.mouse.button) + "@" +
            std::to_string(key.mouse.row) + "," + std::to_string(key.mouse.col);
  }
  return text;
}

void add(std::string& out, const std::vector<Key>& keys) {
  for (const Key& key : keys) out += (out.empty() ? "" : " ") + name(key);
}

/// The keys of these bytes, after checking that every cut in two, and single bytes, give the same.
std::string keys(const std::string& bytes) {
  KeyDecoder whole;
  std::string wanted;
  add(wanted, whole.feed(bytes));
  add(wanted, whole.flush());
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    KeyDecoder decoder;
    std::string got;
    add(got, decoder.feed(bytes.substr(0, cut)));
    add(got, decoder.feed(bytes.substr(cut)));
    add(got, decoder.flush());
    EXPECT_EQ(got, wanted) << "cut at " << cut;
  }
  KeyDecoder decoder;
  std::string got;
  for (const char byte : bytes) add(got, decoder.feed(std::string(1, byte)));
  add(got, decoder.flush());
  EXPECT_EQ(got, wanted) << "byte by byte";
  return wanted;
}

TEST(KeyDecoder, ReadsTextInUtf8) {
  EXPECT_EQ(keys("aZ 中é😀"), "a Z   中 é 😀");
  EXPECT_EQ(keys("e\u0301"), "e \u0301");
}

TEST(KeyDecoder, ReplacesBrokenCharactersAndLosesNoneAfterThem) {
  EXPECT_EQ(keys("\xe4\xb8x"), "\uFFFD x");
  EXPECT_EQ(keys("\xff\xc0y\x80z"), "\uFFFD \uFFFD y \uFFFD z");
  EXPECT_EQ(keys("\xe4\x1b[A"), "\uFFFD Up");
  EXPECT_EQ(keys("\xc2\x9b"
                 "A"),
            "unknown A")
      << "a C1 control is no introducer in UTF-8";
}

TEST(KeyDecoder, ReadsControlKeys) {
  EXPECT_EQ(keys("\r\t\x7f\x08"), "Enter Tab Backspace Backspace");
  EXPECT_EQ(keys("\x01\x05\x0a\x1a\x1c\x1d\x1e\x1f"), "C-a C-e C-j C-z C-\\ C-] C-^ C-_");
  EXPECT_EQ(keys(std::string(1, '\0')), "C- ");
}

TEST(KeyDecoder, ReadsMotionKeysInCsiAndSs3) {
  EXPECT_EQ(keys("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F"), "Up Down Right Left Home End");
  EXPECT_EQ(keys("\x1bOA\x1bOB\x1bOC\x1bOD\x1bOH\x1bOF"), "Up Down Right Left Home End");
  EXPECT_EQ(keys("\x1b[1~\x1b[2~\x1b[3~\x1b[4~\x1b[5~\x1b[6~\x1b[7~\x1b[8~"),
            "Home Insert Delete End PgUp PgDn Home End");
  EXPECT_EQ(keys("\x1b[Z"), "S-Tab");
  EXPECT_EQ(keys("\x1bOM\x1bOp\x1bOy\x1bOk"), "Enter 0 9 +");
}

TEST(KeyDecoder, ReadsFunctionKeysOfEveryTerminal) {
  EXPECT_EQ(keys("\x1bOP\x1bOQ\x1bOR\x1bOS"), "F1 F2 F3 F4");
  EXPECT_EQ(keys("\x1b[11~\x1b[12~\x1b[13~\x1b[14~\x1b[15~\x1b[17~\x1b[18~"), "F1 F2 F3 F4 F5 F6 F7");
  EXPECT_EQ(keys("\x1b[19~\x1b[20~\x1b[21~\x1b[23~\x1b[24~"), "F8 F9 F10 F11 F12");
  EXPECT_EQ(keys("\x1b[[A\x1b[[E"), "F1 F5");
  EXPECT_EQ(keys("\x1b[P\x1b[1;5S"), "F1 C-F4");
}

TEST(KeyDecoder, ReadsModifiers) {
  EXPECT_EQ(keys("\x1b[1;5C\x1b[1;3D\x1b[1;2A\x1b[1;6B"), "C-Right A-Left S-Up C-S-Down");
  EXPECT_EQ(keys("\x1b[3;5~\x1b[5;2~\x1b[24;3~"), "C-Delete S-PgUp A-F12");
  EXPECT_EQ(keys("\x1b[1;69C\x1b[1;129H"), "C-Right Home") << "Caps Lock and Num Lock do not count";
  EXPECT_EQ(keys("\x1bO5C\x1bO1;5P"), "C-Right C-F1");
}

TEST(KeyDecoder, ReadsAltAsAnEscBefore) {
  EXPECT_EQ(keys("\x1b"
                 "b\x1b"
                 "中\x1b\x7f\x1b\r\x1b\x01"),
            "A-b A-中 A-Backspace A-Enter C-A-a");
}

TEST(KeyDecoder, ReadsCsiUAndModifyOtherKeys) {
  EXPECT_EQ(keys("\x1b[97;5u\x1b[93;5u\x1b[13u\x1b[27u\x1b[127;3u\x1b[9;2u"), "C-a C-] Enter Esc A-Backspace S-Tab");
  EXPECT_EQ(keys("\x1b[27;5;97~\x1b[27;2;13~\x1b[27;6;65~\x1b[27;2;65~"), "C-a S-Enter C-S-a A");
  EXPECT_EQ(keys("\x1b[97;2u\x1b[97:65;2u\x1b[20013u\x1b[0;;20013u"), "A A 中 unknown");
  EXPECT_EQ(keys("\x1b[97;;228u"), "ä") << "the text it makes, when told";
  EXPECT_EQ(keys("\x1b[1089::99;5u"), "C-c") << "Ctrl+C on a Cyrillic layout";
  EXPECT_EQ(keys("\x1b[57400u\x1b[57419;5u\x1b[57414u"), "1 C-Up Enter");
}

TEST(KeyDecoder, IgnoresReleasesAndLoneModifiers) {
  EXPECT_EQ(keys("\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u"), "a a");
  EXPECT_EQ(keys("\x1b[93;5:3u\x1b[1;1:3A"), "");
  EXPECT_EQ(keys("\x1b[57442;5u"), "C-unknown");
}

TEST(KeyDecoder, TakesALoneEscAsTheKeyOnlyAfterAFlush) {
  KeyDecoder decoder;
  EXPECT_TRUE(decoder.feed("\x1b").empty());
  EXPECT_TRUE(decoder.pending());
  std::string got;
  add(got, decoder.flush());
  EXPECT_EQ(got, "Esc");
  EXPECT_FALSE(decoder.pending());
  EXPECT_TRUE(decoder.flush().empty());
  EXPECT_EQ(keys("\x1b\x1b"), "Esc Esc");
  EXPECT_EQ(keys("\x1b\x1b[A"), "Esc Up");
}

TEST(KeyDecoder, TakesAnIntroducerAloneAsAltWithItsCharacter) {
  EXPECT_EQ(keys("\x1b["), "A-[");
  EXPECT_EQ(keys("\x1bO"), "A-O");
  EXPECT_EQ(keys("\x1b]"), "A-]");
  EXPECT_EQ(keys("\x1bP"), "A-P");
}

TEST(KeyDecoder, WaitsForTheRestOfASequenceThatASlowLineCut) {
  KeyDecoder decoder;
  EXPECT_TRUE(decoder.feed("\x1b[1;").empty());
  EXPECT_FALSE(decoder.pending()) << "no timer is needed: nothing else begins like this";
  EXPECT_TRUE(decoder.flush().empty());
  std::string got;
  add(got, decoder.feed("5C"));
  EXPECT_EQ(got, "C-Right");
}

TEST(KeyDecoder, ReadsAPasteAsOneEvent) {
  EXPECT_EQ(keys("a\x1b[200~ls -l\r\ncd\t/\rx\ny\x1b[201~b"), "a paste(ls -l\ncd\t/\nx\ny) b");
  EXPECT_EQ(keys("\x1b[200~\x1b[201~"), "paste()");
}

TEST(KeyDecoder, CleansAPasteOfEscapesControlsAndBrokenCharacters) {
  EXPECT_EQ(keys("\x1b[200~a\x1d\x03\x1b[31m\xc2\x9b\x7f\xff中\xe4\x1b[201~x"), "paste(a[31m\uFFFD中\uFFFD) x");
  EXPECT_EQ(keys("\x1b[200~\x1b[201\x1b[20\x1b\x1b[201~."), "paste([201[20) .");
}

TEST(KeyDecoder, CutsALongPasteIntoPiecesBetweenCharacters) {
  std::string content;
  for (int i = 0; i < 3000; ++i) content += "中";
  KeyDecoder decoder;
  std::string together;
  std::size_t pieces = 0;
  for (const Key& key : decoder.feed("\x1b[200~" + content + "\x1b[201~")) {
    ASSERT_EQ(key.kind, KeyKind::paste);
    EXPECT_LT(key.text.size(), KeyDecoder::kPastePiece + 8);
    EXPECT_EQ(key.last, ++pieces == 3);
    together += key.text;
  }
  EXPECT_EQ(together, content);
}

TEST(KeyDecoder, GivesUpOnAPasteThatNeverEndsWhenTold) {
  KeyDecoder decoder;
  EXPECT_TRUE(decoder.feed("\x1b[200~abc").empty());
  EXPECT_TRUE(decoder.in_paste());
  std::string got;
  add(got, decoder.end_paste());
  add(got, decoder.feed("x"));
  EXPECT_EQ(got, "paste(abc) x");
}

TEST(KeyDecoder, ReadsTheMouse) {
  EXPECT_EQ(keys("\x1b[<64;5;4M\x1b[<65;5;4M"), "mouse:wheel_up0@3,4 mouse:wheel_down0@3,4");
  EXPECT_EQ(keys("\x1b[<0;1;1M\x1b[<32;9;1M\x1b[<0;9;1m"), "mouse:press0@0,0 mouse:drag0@0,8 mouse:release0@0,8");
  EXPECT_EQ(keys("\x1b[<35;2;2M\x1b[<20;300;200M"), "mouse:move3@1,1 C-S-mouse:press0@199,299");
  EXPECT_EQ(keys("\x1b[32;5;6M"), "mouse:press0@5,4") << "urxvt's encoding";
  EXPECT_EQ(keys("\x1b[M !!x"), "unknown x") << "the oldest encoding is passed over whole";
}

TEST(KeyDecoder, ReadsFocus) {
  EXPECT_EQ(keys("\x1b[I\x1b[O"), "in out");
}

TEST(KeyDecoder, KeepsRepliesOfTheTerminalOutOfTheText) {
  EXPECT_EQ(keys("a\x1b[?62;22cb"), "a reply([?62;22c) b");
  EXPECT_EQ(keys("\x1b[>41;354;0c\x1b[24;80R\x1b[?24;80R\x1b[0n"),
            "reply([>41;354;0c) reply([24;80R) reply([?24;80R) reply([0n)");
  EXPECT_EQ(keys("\x1b[?2026;2$y\x1b[4;1$y\x1b[?1u\x1b[8;24;80t"),
            "reply([?2026;2$y) reply([4;1$y) reply([?1u) reply([8;24;80t)");
  EXPECT_EQ(keys("\x1b]11;rgb:0/0/0\x1b\\x\x1b]11;rgb:0/0/0\x07y"), "reply(]11;rgb:0/0/0) x reply(]11;rgb:0/0/0) y");
  EXPECT_EQ(keys("\x1bP>|xterm(379)\x1b\\\x1b_Gi=1;OK\x1b\\."), "reply(P>|xterm(379)) reply(_Gi=1;OK) .");
  EXPECT_EQ(keys("\x1b[1;1R"), "reply([1;1R)") << "a cursor report, not F3";
}

TEST(KeyDecoder, LetsTheOperatorOutOfAStringThatNeverEnds) {
  EXPECT_EQ(keys("\x1b]11;rgb\x1d"), "reply(]11;rgb) C-]");
  EXPECT_EQ(keys("\x1b]11;rgb\r"), "reply(]11;rgb) Enter");
  EXPECT_EQ(keys("\x1bPabc\x1b[A"), "reply(Pabc) Up");
  EXPECT_EQ(keys("\x1bPabc\x1b"), "Esc");
  EXPECT_EQ(keys("\x1b[12\x1d"), "unknown C-]");
}

TEST(KeyDecoder, KeepsOnlyTheBeginningOfAnEndlessString) {
  KeyDecoder decoder;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(decoder.feed((i ? "" : "\x1b]52;c;") + std::string(10'000, 'A')).empty());
  const auto got = decoder.feed("\x07");
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].kind, KeyKind::reply);
  EXPECT_LE(got[0].text.size(), KeyDecoder::kLongestReply + 1);
  EXPECT_EQ(keys("\x1b[" + std::string(500, '1') + "~x"), "unknown x");
}

TEST(KeyDecoder, StopsAfterAKeyAndLeavesTheRestOfTheBytes) {
  const std::string bytes = "ab\x1dls\r";
  KeyDecoder decoder;
  const auto used = decoder.feed(bytes, [](const Key& key) { return !key.is(U']', kCtrl); });
  EXPECT_EQ(bytes.substr(used), "ls\r");

  const std::string escapes = "\x1b\x1b[A";
  const auto before = decoder.feed(escapes, [](const Key& key) { return !key.is(KeyKind::escape); });
  EXPECT_EQ(escapes.substr(before), "\x1b[A");
  EXPECT_FALSE(decoder.pending());
}

}  // namespace
}  // namespace terminal
