#include "panel/plain_view.h"

#include <gtest/gtest.h>

namespace panel {
namespace {

TEST(PlainView, PrintsAnAnswerLineByLineAndNothingTwice) {
  Panel panel({.target = "web1", .has_assistant = true});
  PlainView view;
  panel.set_activity("thinking");
  panel.append(Speaker::assistant, "first line\nsecond");
  EXPECT_EQ(view.update(panel), "first line\n");
  EXPECT_EQ(view.update(panel), "");
  panel.append(Speaker::assistant, " line\nthird");
  EXPECT_EQ(view.update(panel), "second line\n");
  panel.set_activity("");
  EXPECT_EQ(view.update(panel), "third\n");
  EXPECT_EQ(view.update(panel), "");
}

TEST(PlainView, TellsACallWhenItBeginsAndWhenItEnds) {
  Panel panel({.target = "web1", .has_assistant = true});
  PlainView view;
  Card& card = panel.conversation().begin_card("1", Card::Place::remote, "df -h");
  EXPECT_EQ(view.update(panel), "[df -h] running\n");
  EXPECT_EQ(view.update(panel), "");
  Card::End end;
  end.exit_code = 1;
  end.output = "no such disk\n";
  card.finish(end);
  EXPECT_EQ(view.update(panel), "[df -h] x exit 1\nno such disk\n");
}

TEST(PlainView, EchoesOneLetterAsOneLetter) {
  PlainView view;
  EXPECT_EQ(view.echo("", "jms> "), "jms> ");
  EXPECT_EQ(view.echo("d", "jms> "), "d");
  EXPECT_EQ(view.echo("df", "jms> "), "f");
  EXPECT_EQ(view.echo("d", "jms> "), "\b \b");
  EXPECT_EQ(view.echo("other", "jms> "), "\r\njms> other");
  view.forget_line();
  EXPECT_EQ(view.echo("other", "jms> "), "jms> other");
}

}  // namespace
}  // namespace panel
