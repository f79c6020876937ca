#include "panel/input_box.h"

#include <gtest/gtest.h>

#include "terminal/key_decoder.h"

namespace panel {
namespace {

using Took = InputBox::Took;

/// Types bytes as the operator's terminal sends them; what became of the last key.
Took type(InputBox& box, std::string_view bytes) {
  terminal::KeyDecoder decoder;
  auto keys = decoder.feed(bytes);
  for (const auto& key : decoder.flush()) keys.push_back(key);
  Took last = Took::no;
  for (const auto& key : keys) last = box.handle_key(key);
  return last;
}

/// Types a text and sends it.
InputBox::Submission send(InputBox& box, std::string_view bytes) {
  EXPECT_EQ(type(box, std::string(bytes) + "\r"), Took::submit);
  return box.submit();
}

/// What it draws in a field of this size, signs included; the cursor as '_' in its own line at the end.
std::vector<std::string> drawn(InputBox& box, base::Size field, terminal::Cursor* cursor = nullptr) {
  terminal::Frame frame({field.rows, field.cols + 2});
  box.draw(frame, {0, 2, field}, make_theme({}));
  if (cursor) *cursor = frame.cursor;
  std::vector<std::string> lines;
  for (const auto& row : frame.rows) lines.push_back(terminal::row_text(row));
  return lines;
}

std::vector<std::string> popup(InputBox& box, base::Size field) {
  terminal::Frame frame(field);
  box.draw_popup(frame, {0, 0, field}, make_theme({}));
  std::vector<std::string> lines;
  for (const auto& row : frame.rows)
    if (!terminal::row_text(row).empty()) lines.push_back(terminal::row_text(row));
  return lines;
}

constexpr std::string_view kUp = "\x1b[A";
constexpr std::string_view kDown = "\x1b[B";
constexpr std::string_view kAltEnter = "\x1b\r";

std::string paste(std::string_view text) {
  return "\x1b[200~" + std::string(text) + "\x1b[201~";
}

TEST(InputBox, SendsOnEnterAndIsEmptyAfterwards) {
  InputBox box;
  EXPECT_EQ(send(box, "why is it slow?").text, "why is it slow?");
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(type(box, "  \r"), Took::yes) << "blanks are nothing to send";
}

TEST(InputBox, BreaksTheLineOnAltEnterAndAfterABackslash) {
  InputBox box;
  type(box, "one" + std::string(kAltEnter) + "two\\\rthree");
  EXPECT_EQ(box.text(), "one\ntwo\nthree");
  EXPECT_EQ(type(box, "\\\\\r"), Took::submit) << "an escaped backslash ends nothing";
  InputBox fresh;
  EXPECT_EQ(type(fresh, kAltEnter), Took::no) << "in an empty input the key is the panel's";
}

TEST(InputBox, GrowsWithItsTextAndScrollsWhereItMayNotGrow) {
  InputBox box;
  EXPECT_EQ(box.rows(20, 10), 1);
  type(box, "one" + std::string(kAltEnter) + "two" + std::string(kAltEnter) + "three");
  EXPECT_EQ(box.rows(20, 10), 3);
  EXPECT_EQ(box.rows(20, 2), 2);
  EXPECT_EQ(drawn(box, {3, 20}), (std::vector<std::string>{"› one", "  two", "  three"}));
  terminal::Cursor cursor;
  EXPECT_EQ(drawn(box, {2, 20}, &cursor), (std::vector<std::string>{"… two", "  three"}));
  EXPECT_EQ(cursor.row, 1);
  EXPECT_EQ(cursor.col, 7);
  type(box, std::string(kUp) + std::string(kUp));
  EXPECT_EQ(drawn(box, {2, 20}, &cursor), (std::vector<std::string>{"› one", " …two"}));
  EXPECT_EQ(cursor.row, 0);
}

TEST(InputBox, WrapsAtSpacesAndBetweenWideCharacters) {
  InputBox box;
  type(box, "restart the service");
  EXPECT_EQ(drawn(box, {2, 13}), (std::vector<std::string>{"› restart the", "  service"}));
  box.set_text("检查磁盘空间");
  terminal::Cursor cursor;
  EXPECT_EQ(drawn(box, {3, 5}, &cursor), (std::vector<std::string>{"› 检查", "  磁盘", "  空间"}));
  EXPECT_EQ(cursor.col, 6);
}

TEST(InputBox, MovesBetweenRowsBeforeItTurnsToTheHistory) {
  InputBox box;
  send(box, "before");
  type(box, "one" + std::string(kAltEnter) + "two");
  drawn(box, {2, 20});
  type(box, std::string(kUp) + "X");
  EXPECT_EQ(box.text(), "oneX\ntwo");
  type(box, kUp);
  EXPECT_EQ(box.text(), "before");
  type(box, kDown);
  EXPECT_EQ(box.text(), "oneX\ntwo") << "the draft is still there";
}

TEST(InputBox, WalksThroughTheHistory) {
  InputBox box;
  for (const char* question : {"first", "second", "second", "third"}) send(box, question);
  type(box, kUp);
  EXPECT_EQ(box.text(), "third");
  type(box, kUp);
  type(box, kUp);
  EXPECT_EQ(box.text(), "first") << "the same twice in a row is one entry";
  type(box, kUp);
  EXPECT_EQ(box.text(), "first");
  type(box, kDown);
  type(box, "!");
  EXPECT_EQ(box.text(), "second!");
  EXPECT_EQ(send(box, "").text, "second!");
  type(box, kUp);
  EXPECT_EQ(box.text(), "second!");
}

TEST(InputBox, SearchesTheHistory) {
  InputBox box;
  for (const char* question : {"check nginx logs", "disk full?", "restart NGINX"}) send(box, question);
  type(box, "draft\x12nginx");
  EXPECT_TRUE(box.searching());
  EXPECT_EQ(drawn(box, {2, 40}), (std::vector<std::string>{"› search: nginx", "  restart NGINX"}));
  type(box, "\x12");
  EXPECT_EQ(drawn(box, {2, 40})[1], "  check nginx logs");
  type(box, "\x12");
  EXPECT_EQ(drawn(box, {2, 40})[1], "  check nginx logs") << "the oldest stays";
  EXPECT_EQ(type(box, "\r"), Took::yes) << "taken, not sent";
  EXPECT_EQ(box.text(), "check nginx logs");
  type(box, "\x12zebra");
  EXPECT_EQ(drawn(box, {2, 60})[1], "  nothing like “zebra” was asked before");
  EXPECT_EQ(type(box, "\x1b"), Took::yes) << "Esc ends the search, not the panel";
  EXPECT_EQ(box.text(), "check nginx logs");
}

TEST(InputBox, FoldsALargePasteAndSendsItWhole) {
  InputBox box;
  const std::string log = "a\nb\nc\nd\ne";
  type(box, "look: " + paste(log));
  EXPECT_EQ(drawn(box, {1, 60})[0], "› look: [pasted 5 lines, 9 B]");
  const auto sent = send(box, "");
  EXPECT_EQ(sent.text, "look: " + log);
  EXPECT_EQ(sent.shown, "look: [pasted 5 lines, 9 B]");
  type(box, paste(std::string(5000, 'x')));
  EXPECT_EQ(drawn(box, {1, 60})[0], "› [pasted 4.8 KB]");
  type(box, "\x7f");
  EXPECT_TRUE(box.empty()) << "it goes as one";
}

TEST(InputBox, PutsThePiecesOfAPasteTogether) {
  InputBox box;
  terminal::Key piece = terminal::Key::of(terminal::KeyKind::paste);
  piece.text = std::string(400, 'x');
  piece.last = false;
  box.handle_key(piece);
  piece.last = true;
  box.handle_key(piece);
  EXPECT_EQ(drawn(box, {1, 60})[0], "› [pasted 800 B]");
}

TEST(InputBox, OffersCommandsAsSoonAsASlashIsTyped) {
  InputBox box;
  type(box, "/co");
  ASSERT_TRUE(box.popup_open());
  const auto list = popup(box, {10, 60});
  ASSERT_GE(list.size(), 3u);
  EXPECT_EQ(list[0], "/compact  summarise the conversation to make room");
  type(box, "\t");
  EXPECT_EQ(box.text(), "/compact ");
  EXPECT_EQ(type(box, "\r"), Took::submit);
}

TEST(InputBox, CompletesTheArgumentsOfACommand) {
  InputBox box;
  box.completer().set_choices(Argument::skill, [] {
    return std::vector<Candidate>{{"disk-full", "Disk is full"}, {"high-load", "Load is high"}};
  });
  type(box, "/skill ");
  EXPECT_EQ(popup(box, {5, 60}).size(), 2u);
  type(box, "lo\t");
  EXPECT_EQ(box.text(), "/skill high-load");
  box.set_text("");
  type(box, "/mode \x1b[B\x1b[B\r");
  EXPECT_EQ(box.text(), "/mode auto") << "chosen with the arrows, taken with Enter";
}

TEST(InputBox, CompletesAttachmentsAndQuestionsOfBefore) {
  InputBox box;
  type(box, "explain @sc\t");
  EXPECT_EQ(box.text(), "explain @screen ");
  box.take();
  send(box, "why is the disk full?");
  type(box, "disk\t");
  EXPECT_EQ(box.text(), "why is the disk full?");
}

TEST(InputBox, ClosesTheListOnEscAndLeavesTheNextEscToThePanel) {
  InputBox box;
  type(box, "/he");
  EXPECT_EQ(type(box, "\x1b"), Took::yes);
  EXPECT_FALSE(box.popup_open());
  EXPECT_EQ(type(box, "\x1b"), Took::no);
}

TEST(InputBox, IsAShellFromTheExclamationMarkUntilItIsDeleted) {
  InputBox box;
  type(box, "!");
  EXPECT_TRUE(box.shell_mode());
  EXPECT_EQ(drawn(box, {1, 20})[0], "$ !");
  EXPECT_EQ(box.hints()[0].key, "Enter");
  EXPECT_EQ(box.hints()[0].does, "run");
  type(box, "\x7f");
  EXPECT_FALSE(box.shell_mode());
  type(box, "!ls\x01\x04");
  EXPECT_EQ(box.text(), "ls");
  EXPECT_FALSE(box.shell_mode());
  type(box, "\x01!");
  EXPECT_EQ(type(box, "\x1b"), Took::yes) << "Esc drops the command";
  EXPECT_TRUE(box.empty());
}

TEST(InputBox, DropsTheTextOnCtrlCAndUndoBringsItBack) {
  InputBox box;
  type(box, "long thought");
  EXPECT_EQ(type(box, "\x03"), Took::yes);
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(type(box, "\x03"), Took::no);
  type(box, "\x1a");
  EXPECT_EQ(box.text(), "long thought");
}

TEST(InputBox, ShowsWhatWaitsAndGivesItBackOnUp) {
  InputBox box;
  box.set_queue({"first", "and then\nthe other"});
  EXPECT_EQ(box.rows(30, 6), 3);
  EXPECT_EQ(drawn(box, {3, 30}), (std::vector<std::string>{"  queued: first", "  queued: and then⏎the other", "›"}));
  EXPECT_EQ(type(box, kUp), Took::take_back);
  type(box, "x");
  EXPECT_EQ(type(box, kUp), Took::yes) << "not while something is typed";
  box.set_queue({"1", "2", "3"});
  EXPECT_EQ(drawn(box, {3, 30})[0], "  +1 queued: 2");
}

TEST(InputBox, LeavesHomeAndEndOfAnEmptyInputToTheConversation) {
  InputBox box;
  EXPECT_EQ(type(box, "\x1b[H"), Took::no);
  type(box, "ab");
  EXPECT_EQ(type(box, "\x1b[H"), Took::yes);
}

TEST(InputBox, DrawsInsideItsFieldAtAnySize) {
  InputBox box;
  type(box,
       "中文 and " + paste(std::string(900, 'y')) + " e\u0301 👨‍👩‍👧" + std::string(kAltEnter) + "more");
  box.set_queue({"waits"});
  for (int rows = 1; rows < 6; ++rows)
    for (int cols = 1; cols < 30; ++cols) {
      terminal::Frame frame({rows + 2, cols + 4});
      for (int row = 0; row < rows + 2; ++row) frame.put_text(row, 0, std::string(cols + 4, '.'), {}, cols + 4);
      box.draw(frame, {1, 2, {rows, cols}}, make_theme({}));
      EXPECT_EQ(terminal::row_text(frame.rows.front()), std::string(cols + 4, '.'));
      EXPECT_EQ(terminal::row_text(frame.rows.back()), std::string(cols + 4, '.'));
      EXPECT_GE(frame.cursor.row, 1);
      EXPECT_LE(frame.cursor.row, rows);
      EXPECT_LT(frame.cursor.col, cols + 4);
    }
}

}  // namespace
}  // namespace panel
