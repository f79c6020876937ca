#include "model/sse_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace model {
namespace {

using std::string_literals::operator""s;

struct Seen {
  std::vector<std::string> data, types, ids;
  std::optional<long> retry;
  bool failed = false;

  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen parse(const std::vector<std::string>& pieces, std::size_t max_event = SseParser::kMaxEvent) {
  Seen seen;
  SseParser* self = nullptr;
  SseParser parser(
      [&](const SseEvent& event) {
        seen.data.emplace_back(event.data);
        seen.types.emplace_back(event.type);
        seen.ids.push_back(self->last_id());
      },
      max_event);
  self = &parser;
  for (const auto& piece : pieces)
    if (!parser.feed(piece)) seen.failed = true;
  seen.retry = parser.retry();
  return seen;
}

std::vector<std::string> in_bytes(const std::string& text) {
  std::vector<std::string> bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  return bytes;
}

struct Vector {
  const char* name;
  std::string input;
  std::vector<std::string> data;
  std::vector<std::string> types = {};
  std::vector<std::string> ids = {};
  std::optional<long> retry = {};
};

const std::string kBom = "\xEF\xBB\xBF";

// The WPT eventsource suite, reduced to parser input.
const std::vector<Vector> kVectors = {
    {"bom", kBom + "data:1\n\n" + kBom + "data:2\n\ndata:3\n\n", {"1", "3"}},
    {"bom-2", kBom + kBom + "data:1\n\ndata:2\n\n", {"2"}},
    {"half a bom",
     "\xEF\xBB"
     "data:1\n\ndata:2\n\n",
     {"2"}},
    {"comments", "data:1\r:\0\n:\r\ndata:2\n:xxxxxxxx\rdata:3\n:data:fail\r:xxxx\ndata:4\n\n"s, {"1\n2\n3\n4"}},
    {"data before EOF", "retry:1000\ndata:test1\n\nid:test\ndata:test2", {"test1"}, {}, {""}, 1000},
    {"field data", "data:\n\ndata\ndata\n\ndata:test\n\n", {"", "\n", "test"}},
    {"event empty", "event: \ndata:data\n\n", {"data"}, {"message"}},
    {"event", "event:test\ndata:x\n\ndata:x\n\n", {"x", "x"}, {"test", "message"}},
    {"event without data", "event:test\n\ndata:x\n\n", {"x"}, {"message"}},
    {"id persists",
     "id: 1\ndata: 1\n\ndata: 2\n\nid: 2\ndata:3\n\ndata:4\n\n",
     {"1", "2", "3", "4"},
     {},
     {"1", "1", "2", "2"}},
    {"id resets", "id: 1\ndata: 1\n\nid\ndata:2\n\ndata:3\n\n", {"1", "2", "3"}, {}, {"1", "", ""}},
    {"id resets with colon", "id: 1\ndata: 1\n\nid:\ndata:2\n\ndata:3\n\n", {"1", "2", "3"}, {}, {"1", "", ""}},
    {"id null", "id: x\0\ndata: hello\n\n"s, {"hello"}, {}, {""}},
    {"field parsing",
     "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n"s,
     {"\0\n 2\n1\n3\n\n4"s}},
    {"retry bogus", "retry:3000\nretry:1000x\ndata:x\n\n", {"x"}, {}, {}, 3000},
    {"retry zero", "retry:03000\ndata:x\n\n", {"x"}, {}, {}, 3000},
    {"retry empty", "retry\ndata:test\n\n", {"test"}},
    {"unknown field",
     "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
     {"test\n\ntest"}},
    {"leading space", "data:\ttest\rdata: \ndata:test\n\n", {"\ttest\n\ntest"}},
    {"newlines", "data:test\r\ndata\ndata:test\r\n\r\n", {"test\n\ntest"}},
    {"null char", "data:\0\n\n"s, {"\0"s}},
    {"event data",
     "data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n",
     {"msg\nmsg", "", "end"}},
    {"no other line ends",
     "data:a\xE2\x80\xA8"
     "b\vc\fd\xC2\x85"
     "e\n\n",
     {"a\xE2\x80\xA8"
      "b\vc\fd\xC2\x85"
      "e"}},
    {"only CR", "data:1\r\rdata:2\r\r", {"1", "2"}},
    {"emoji", "data: \xF0\x9F\x98\x80\n\n", {"\xF0\x9F\x98\x80"}},
    {"done", "data:[DONE]\n\n", {"[DONE]"}},
    {"malformed UTF-8", "data: a\xE2\x82z\xFF\xC0\xAF\n\n", {"a\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}},
};

TEST(SseParser, FollowsTheWebPlatformTestsHoweverTheBytesAreCut) {
  for (const auto& vector : kVectors) {
    SCOPED_TRACE(vector.name);
    const Seen whole = parse({vector.input});
    EXPECT_EQ(whole.data, vector.data);
    if (!vector.types.empty()) {
      EXPECT_EQ(whole.types, vector.types);
    }
    if (!vector.ids.empty()) {
      EXPECT_EQ(whole.ids, vector.ids);
    }
    if (vector.retry) {
      EXPECT_EQ(whole.retry, vector.retry);
    }
    EXPECT_EQ(parse(in_bytes(vector.input)), whole) << "one byte at a time";
    for (std::size_t cut = 0; cut <= vector.input.size(); ++cut)
      EXPECT_EQ(parse({vector.input.substr(0, cut), vector.input.substr(cut)}), whole) << "cut at " << cut;
  }
}

TEST(SseParser, TakesCarriageReturnAndLineFeedInDifferentReadsAsOneLineEnd) {
  EXPECT_EQ(parse({"data: a\r", "\n\r", "\n"}).data, std::vector<std::string>{"a"});
}

TEST(SseParser, DeliversTenThousandEventsOfOneRead) {
  std::string input;
  for (int i = 0; i < 10'000; ++i) input += "data: x\n\n";
  EXPECT_EQ(parse({input}).data.size(), 10'000u);
}

TEST(SseParser, AssemblesALargeEventFromSmallReads) {
  const std::string data(2 << 20, 'x');
  const std::string input = "data: " + data + "\n\n";
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < input.size(); at += 4096) pieces.push_back(input.substr(at, 4096));
  EXPECT_EQ(parse(pieces, 16 << 20).data, std::vector<std::string>{data});
}

TEST(SseParser, GivesUpOnAnEventAboveTheLimitAndSaysSo) {
  const std::string input = "data: " + std::string(SseParser::kMaxEvent + 1, 'x') + "\n\ndata: after\n\n";
  EXPECT_TRUE(parse({input}).failed);
  EXPECT_TRUE(parse({input}).data.empty());
  std::string lines;
  while (lines.size() < (2u << 20)) lines += "data: 0123456789\n";
  EXPECT_TRUE(parse({lines}).failed) << "many small lines of one event count together";
  SseParser parser([](const SseEvent&) {});
  const auto fed = parser.feed(input);
  ASSERT_FALSE(fed);
  EXPECT_EQ(fed.error().message, "the server sent one event of more than 1048576 bytes; the response was given up");
  EXPECT_FALSE(parser.feed("data: x\n\n")) << "a stream that failed stays failed";
}

TEST(SseParser, KeepsNothingOfAnEndlessComment) {
  std::vector<std::string> pieces = {":"};
  for (int i = 0; i < 64; ++i) pieces.emplace_back(64 * 1024, 'x');
  pieces.emplace_back("\ndata: still here\n\n");
  const Seen seen = parse(pieces);
  EXPECT_FALSE(seen.failed);
  EXPECT_EQ(seen.data, std::vector<std::string>{"still here"});
}

}  // namespace
}  // namespace model
