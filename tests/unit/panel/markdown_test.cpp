#include "panel/markdown.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "panel/answer.h"
#include "terminal/cell.h"

namespace panel {
namespace {

std::vector<std::string> texts(const Lines& lines) {
  std::vector<std::string> result;
  for (const auto& line : lines) result.push_back(text_of(line));
  return result;
}

std::vector<std::string> rendered(std::string_view text, int width = 40) {
  return texts(render_markdown(text, width, Signs{}));
}

/// An answer fed in pieces of this size, laid out after each.
std::vector<std::string> streamed(std::string_view text, std::size_t piece, int width = 40) {
  Answer answer;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    answer.append(text.substr(at, piece));
    answer.prepare(width, Signs{});
  }
  return texts(answer.rows());
}

using Rows = std::vector<std::string>;

TEST(Markdown, DrawsParagraphsHeadingsListsAndQuotes) {
  EXPECT_EQ(rendered("# Head\n\nA para\nthat goes on.\n\n- one\n- two\n  - inner\n\n3. three\n4. four\n\n> said"),
            (Rows{"Head", "", "A para that goes on.", "", "• one", "• two", "  • inner", "", "3. three", "4. four", "",
                  "▌ said"}));
}

TEST(Markdown, WrapsListItemsUnderTheirText) {
  EXPECT_EQ(rendered("- some words that are too long", 16), (Rows{"• some words", "  that are too", "  long"}));
}

TEST(Markdown, DrawsTablesInTheWidthThereIs) {
  const auto* table = "| Name | Size |\n|:--|--:|\n| 日志 | 9 |\n| b | 12 |\n";
  EXPECT_EQ(rendered(table), (Rows{"╭──────┬──────╮", "│ Name │ Size │", "├──────┼──────┤", "│ 日志 │    9 │",
                                   "│ b    │   12 │", "╰──────┴──────╯"}));
  for (const auto& row : rendered("| a long head | another |\n|--|--|\n| some words here | more words there |", 30))
    EXPECT_LE(base::text_width(row), 30) << row;
  EXPECT_EQ(rendered("| one | two |\n|--|--|\n| a | b |", 12), (Rows{"one: a", "two: b"}));
}

TEST(Markdown, KeepsTheLooksOfInlineText) {
  const auto lines = render_markdown("**bold** and `code` and *it*", 40, Signs{});
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_GE(lines[0].spans.size(), 4u);
  EXPECT_EQ(lines[0].spans[0], (Span{"bold", Role::text, terminal::kBold}));
  EXPECT_EQ(lines[0].spans[2], (Span{"code", Role::code, 0}));
}

TEST(Markdown, SaysWhereALinkLeadsWhenItsWordsDoNot) {
  EXPECT_EQ(rendered("[docs](http://a.b/c)"), (Rows{"docs (http://a.b/c)"}));
  EXPECT_EQ(rendered("[http://a.b](http://a.b)"), (Rows{"http://a.b"}));
}

TEST(Markdown, BringsInNoControlsThroughEntities) {
  EXPECT_EQ(rendered("a&#27;[2Jb&#7;c&amp;&#x202e;d"), (Rows{"a[2Jbc&d"}));
}

TEST(Markdown, HtmlIsText) {
  EXPECT_EQ(rendered("<b>x</b>"), (Rows{"<b>x</b>"}));
}

TEST(Answer, LooksTheSameHoweverItIsCut) {
  const std::string text =
      "Intro *with* words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. First:\n   ```sh\n   df -h | tail\n   ```\n2. "
      "Second\n\n```\nplain\n\ncode 中文\n```\nAfter.\n\n- x\n\n- y\n\n> quote\n";
  const auto whole = streamed(text, text.size());
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 50u}) EXPECT_EQ(streamed(text, piece), whole) << piece;
}

TEST(Answer, FramesCodeAndNumbersIt) {
  Answer answer;
  answer.number_from(1);
  answer.append("Do:\n\n```sh\ndf -h\n```\n\nThen\n~~~\nx\n~~~\n");
  answer.prepare(20, Signs{});
  EXPECT_EQ(texts(answer.rows()), (Rows{"Do:", "", "╭─ sh ────── Alt+1 ─", "│ df -h", "╰───────────────────", "",
                                        "Then", "╭─────────── Alt+2 ─", "│ x", "╰───────────────────"}));
  ASSERT_EQ(answer.codes()->size(), 2u);
  EXPECT_EQ((*answer.codes())[0].text, "df -h\n");
}

TEST(Answer, ShowsAFenceThatIsStillOpen) {
  EXPECT_EQ(streamed("```\none\ntw", 4, 10), (Rows{"╭─────────", "│ one", "│ tw"}));
}

TEST(Answer, AStarWithinAnAddressClosesNothing) {
  // md4c 0.4.8 reports the end of an emphasis here whose beginning it never told.
  EXPECT_EQ(streamed("see [all](/var/log/*)* files", 40, 60), (Rows{"see all (/var/log/*) files"}));
  EXPECT_EQ(streamed("> [](*)*\n\n# [a](*)* head", 40, 60).back(), "a (*) head");
}

TEST(Answer, KeepsLinesInsideTheirWidth) {
  const std::string text =
      "# 标题标题标题标题标题标题标题\n\n- 🎉🎉🎉🎉🎉🎉🎉🎉 emoji\n\n```\n" + std::string(100, 'x') +
      "\n中文中文中文中文中文中文中文\n```\n> > > > > > > > > > > > deep\n\n| a | b | c | d | e |\n|-|-|-|-|-|\n| "
      "中文中文 | b | c | d | e |\n";
  for (const int width : {1, 4, 5, 8, 13, 20, 36})
    for (const auto& row : streamed(text, 5, width))
      EXPECT_LE(base::text_width(row), std::max(width, 4)) << width << ": " << row;
}

TEST(Answer, HostileNestingEndsSoon) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "> - ";
  for (const std::string& text :
       {deep, std::string(20'000, '*'), std::string(20'000, '['), std::string(20'000, '`') + "x",
        std::string(9'000, '|') + "\n|-|\n", std::string(20'000, '_') + "a"}) {
    const auto begin = std::clock();
    streamed(text, text.size());
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 2.0);
  }
}

}  // namespace
}  // namespace panel
