#include "transport/jumpserver/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using transport::jumpserver::read_html;

TEST(HtmlPage, FieldsInAnyOrderAndQuoting) {
  const auto page = read_html(
      "<FORM METHOD=Post action='/x?a=1&amp;b=2'><input value=\"a &quot;b&quot; &#39;c&#x27;\" type = hidden\n "
      "name=one>"
      "<INPUT name='two' /><input name=three type=checkbox checked><input type=submit name=go value=Go></form>");
  ASSERT_EQ(page.forms.size(), 1u);
  EXPECT_EQ(page.forms[0].method, "post");
  EXPECT_EQ(page.forms[0].action, "/x?a=1&b=2");
  EXPECT_THAT(page.forms[0].filled({{"two", "mine"}}),
              ElementsAre(Pair("two", "mine"), Pair("one", "a \"b\" 'c'"), Pair("three", "on")));
}

TEST(HtmlPage, StylesScriptsAndCommentsHoldNoFields) {
  const auto page = read_html(
      "<style>.captcha { content: '<input name=captcha_0>' }</style><form><!-- <input name=captcha_1> -->"
      "<script>if (a < b) document.write('<input name=\"evil\">')</SCRIPT><input name=user></form>");
  ASSERT_EQ(page.forms.size(), 1u);
  EXPECT_EQ(page.forms[0].field("captcha_0"), nullptr);
  EXPECT_EQ(page.form_with("captcha_1"), nullptr);
  EXPECT_EQ(page.form_with("evil"), nullptr);
  EXPECT_NE(page.form_with("user"), nullptr);
}

TEST(HtmlPage, AChoiceIsSentAsTheBrowserShowsIt) {
  const auto page = read_html(
      "<form><select name=\"mfa_type\"><option value=\"face\" disabled> Face </option>\n<option value=otp>OTP<option "
      "value=sms>SMS</select><select name=lang><option value=a>A<option value=b selected>B</select></form>");
  const auto& form = page.forms.at(0);
  EXPECT_THAT(form.filled({}), ElementsAre(Pair("mfa_type", "otp"), Pair("lang", "b")));
  ASSERT_EQ(form.fields[0].options.size(), 3u);
  EXPECT_TRUE(form.fields[0].options[0].disabled);
  EXPECT_EQ(form.fields[0].options[0].text, "Face");
}

TEST(HtmlPage, PicturesAndComplaints) {
  const auto page = read_html(
      "<title> Login\n page </title><p class='help-block red-fonts'>\n * The <b>password</b> is wrong &amp; late.\n</p>"
      "<div class=\"alert alert-danger\" style=\"display: none\"></div><img class=captcha alt=captcha "
      "src=/c/image/1/>");
  EXPECT_EQ(page.title, "Login page");
  ASSERT_EQ(page.complaints.size(), 1u);
  EXPECT_EQ(page.complaint(), "The password is wrong & late.");
  ASSERT_EQ(page.images.size(), 1u);
  EXPECT_EQ(page.images[0].source, "/c/image/1/");
}

TEST(HtmlPage, BrokenPagesEndSomewhere) {
  for (const char* text : {"<", "</", "<a", "<a b", "<a b=", "<a b='", "<!--", "<!x", "<form><select><option", "a<b c",
                           "<title>", "<script>", "<form><textarea name=t>rest", "&#xFFFFFFFF; &", "<form <form <form"})
    read_html(text);
  EXPECT_THAT(read_html("plain text").forms, IsEmpty());
  EXPECT_EQ(read_html("plain text").field_names(), "no fields");
  EXPECT_EQ(read_html("<form><input name=a><input name=b></form>").field_names(), "the fields a, b");
}

TEST(HtmlPage, IsBounded) {
  std::string many = "<form>";
  for (int i = 0; i < 10'000; ++i) many += "<input name=f" + std::to_string(i) + ">";
  EXPECT_LE(read_html(many).forms.at(0).fields.size(), 128u);
  std::string forms;
  for (int i = 0; i < 10'000; ++i) forms += "<form><img src=x></form>";
  const auto page = read_html(forms);
  EXPECT_LE(page.forms.size(), 16u);
  EXPECT_LE(page.images.size(), 64u);
}

}  // namespace
