// The quick ways through both decoders must give exactly what the general way gives, for well-formed and for broken
// input alike. A blank before the JSON changes nothing for a parser and keeps the quick way from being taken.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "model/content_frame.h"
#include "model/debug_stream.h"
#include "model/json_string.h"
#include "model/utf8_clean.h"
#include "tests/support/model_streams.h"

namespace model {
namespace {

using Random = std::mt19937;

std::string pick(Random& random, const std::vector<std::string>& from) {
  return from[random() % from.size()];
}

std::string random_text(Random& random) {
  static const std::vector<std::string> pieces = {"a",       "word ",
                                                  "\\n",     "\\\"",
                                                  "\\\\",    "\\/",
                                                  "\\u00e9", "\\u4e2d",
                                                  "é",       "磁盘",
                                                  "😀",       "\\ud83d\\ude00",
                                                  "\\ud83d", "\\udE00",
                                                  "\\u0000", "\\t",
                                                  "\\q",     "\\u12g4",
                                                  "\x7F",    "{}",
                                                  "}",       "0123456789abcdef0123456789"};
  std::string text;
  for (auto count = random() % 8; count > 0; --count) text += pick(random, pieces);
  return text;
}

void mutate(Random& random, std::string& text) {
  static const std::string bytes = "\"\\{}[]:,0-e \x01\t\xE4\xB8\x80n";
  if (random() % 3 != 0 || text.empty()) return;
  const auto at = random() % text.size();
  switch (random() % 3) {
    case 0:
      text[at] = bytes[random() % bytes.size()];
      break;
    case 1:
      text.erase(at, 1 + random() % 4);
      break;
    default:
      text.insert(at, 1, bytes[random() % bytes.size()]);
  }
}

std::string with_blanks(const std::vector<std::string>& events, bool blanks) {
  std::string body;
  std::size_t count = 0;
  for (const auto& event : events) {
    // A different number each time, so that no frame can be learned either.
    body += "data: " + std::string(blanks ? ++count : 0, ' ') + event + "\n\n";
  }
  return body;
}

TEST(FastPath, EqualsTheGeneralPathForAnthropic) {
  Random random(7);
  for (int round = 0; round < 1500; ++round) {
    std::vector<std::string> events = {
        R"({"type":"message_start","message":{"id":"m","content":[]}})",
        pick(
            random,
            {R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})",
             R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})",
             R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}})"})};
    for (int i = 0; i < 4; ++i) {
      std::string event = R"({"type":"content_block_delta","index":)" +
                          pick(random, {"0", "0", "0", "00", "1", "-0", "0.0", "0e0"}) + R"(,"delta":{"type":")" +
                          pick(random, {R"(text_delta","text":")", R"(thinking_delta","thinking":")",
                                        R"(input_json_delta","partial_json":")"}) +
                          random_text(random) + "\"" +
                          pick(random, {"}}", "} }", "}  }  ", "},\"x\":1}", "},\"index\":1}"});
      mutate(random, event);
      events.push_back(event);
    }
    events.push_back(R"({"type":"content_block_stop","index":0})");
    events.push_back(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}})");
    Json fast = debug_stream(Api::anthropic, with_blanks(events, false));
    Json slow = debug_stream(Api::anthropic, with_blanks(events, true));
    if (!fast["error"].is_null()) fast["error"].erase("message"), slow["error"].erase("message");  // quotes the data
    ASSERT_EQ(fast, slow) << with_blanks(events, false);
  }
}

TEST(FastPath, EqualsTheGeneralPathForOpenAi) {
  Random random(11);
  for (int round = 0; round < 1500; ++round) {
    const std::string head = pick(random, {R"({"id":"c","model":"m","choices":[{"index":0,"delta":{"content":")",
                                           R"({"choices":[{"delta":{"role":"assistant","content":")",
                                           R"({"x":"\"delta\":{\"content\":\"","choices":[{"delta":{"content":")",
                                           R"({"choices":[{"index":1,"delta":{"content":")",
                                           R"({"choices":[{"delta":{"content":"dup","content":")"});
    const std::string tail = pick(
        random, {R"("},"finish_reason":null}]})", R"("},"finish_reason":"stop"}]})", R"(","content":"last"}}]})",
                 R"(","tool_calls":[{"id":"a","function":{"name":"f"}}]}}]})", R"("}}],"usage":{"prompt_tokens":3}})"});
    std::vector<std::string> events;
    for (int i = 0; i < 6; ++i) {
      events.push_back(head + random_text(random) + tail);
      mutate(random, events.back());
    }
    Json fast = debug_stream(Api::openai, with_blanks(events, false));
    Json slow = debug_stream(Api::openai, with_blanks(events, true));
    if (!fast["error"].is_null()) fast["error"].erase("message"), slow["error"].erase("message");
    ASSERT_EQ(fast, slow) << with_blanks(events, false);
  }
}

TEST(FastPath, ReadsStringsExactlyAsTheParserDoes) {
  Random random(3);
  for (int round = 0; round < 10'000; ++round) {
    std::string text = random_text(random);
    mutate(random, text);
    std::string scratch;
    JsonString found;
    const std::string closed = text + "\"";
    const bool quick = is_utf8(text) && read_json_string(closed, scratch, found) && found.rest.empty();
    const auto parsed = parse_json("\"" + text + "\"");
    if (quick) {
      ASSERT_TRUE(parsed) << text;
      ASSERT_EQ(found.value, parsed->get<std::string>()) << text;
    }
  }
}

TEST(ContentFrame, LearnsFromOneChunkAndReadsTheNext) {
  ContentFrame frame;
  std::string scratch;
  std::string_view content;
  const std::string head = R"({"id":"c","choices":[{"index":0,"delta":{"content":")",
                    tail = R"("},"finish_reason":null}]})";
  EXPECT_FALSE(frame.read(head + "a" + tail, scratch, content));
  frame.learn(head + "a" + tail);
  const std::string next = head + "b\\n" + tail;
  ASSERT_TRUE(frame.read(next, scratch, content));
  EXPECT_EQ(content, "b\n");
  EXPECT_FALSE(frame.read(head + "b\"x" + tail, scratch, content));
  EXPECT_FALSE(frame.read(head + tail.substr(1), scratch, content));
}

TEST(ContentFrame, IsNotFooledByTextThatLooksLikeTheField) {
  ContentFrame frame;
  std::string scratch;
  std::string_view content;
  const std::string fake = R"({"note":"x","delta":{"content":"decoy"},"choices":[{"delta":{"content":"real"}}]})";
  frame.learn(fake);
  EXPECT_FALSE(frame.read(fake, scratch, content));
}

}  // namespace
}  // namespace model
