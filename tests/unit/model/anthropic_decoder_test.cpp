#include "model/anthropic_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/debug_stream.h"
#include "tests/support/model_streams.h"

namespace model {
namespace {

using model_streams::anthropic_event;
using model_streams::anthropic_text_turn;
using model_streams::anthropic_tool_turn;

std::string events(const std::vector<std::string>& list) {
  std::string body;
  for (const auto& data : list) body += anthropic_event(data);
  return body;
}

const std::string kStart =
    R"({"type":"message_start","message":{"id":"m1","model":"c","content":[],"usage":{"input_tokens":1,"output_tokens":1}}})";
const std::string kTextBlock = R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})";
const std::string kHello = R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}})";
const std::string kStop0 = R"({"type":"content_block_stop","index":0})";
const std::string kEnd = R"({"type":"message_stop"})";
std::string stopped(const std::string& reason) {
  return R"({"type":"message_delta","delta":{"stop_reason":")" + reason + R"("},"usage":{"output_tokens":9}})";
}
std::string tool_block(int index, const std::string& input = "{}") {
  return R"({"type":"content_block_start","index":)" + std::to_string(index) +
         R"(,"content_block":{"type":"tool_use","id":"t)" + std::to_string(index) + R"(","name":"run","input":)" +
         input + "}}";
}
std::string input_delta(int index, const std::string& json_text) {
  return R"({"type":"content_block_delta","index":)" + std::to_string(index) +
         R"(,"delta":{"type":"input_json_delta","partial_json":)" + Json(json_text).dump() + "}}";
}
std::string stop_block(int index) {
  return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}
Json decode_claude(const std::string& body) {
  return debug_stream(Api::anthropic, body);
}

TEST(AnthropicDecoder, DecodesAWholeTurn) {
  const Json turn = decode_claude(anthropic_tool_turn());
  EXPECT_EQ(turn["outcome"], "complete");
  EXPECT_TRUE(turn["error"].is_null());
  EXPECT_EQ(turn["stop_reason"], "tool_use");
  EXPECT_EQ(turn["text"], "Checking the disk… 😀 磁盘\n");
  EXPECT_EQ(turn["thinking"], "Look at \"df\" first.");
  EXPECT_EQ(turn["tool_uses"].dump(),
            R"([{"id":"toolu_A1","name":"execute_command","input":{"command":"df -h /"},"executable":true}])");
  ASSERT_EQ(turn["replay_blocks"].size(), 3u);
  EXPECT_EQ(turn["replay_blocks"][0].dump(),
            R"({"type":"thinking","thinking":"Look at \"df\" first.","signature":"Eo8C"})");
  EXPECT_EQ(
      turn["replay_blocks"][2].dump(),
      R"({"type":"tool_use","id":"toolu_A1","name":"execute_command","input":{"command":"df -h /"},"caller":{"type":"direct"}})");
  EXPECT_EQ(turn["usage"]["input_tokens"], 61) << "a later figure replaces the earlier";
  EXPECT_EQ(turn["usage"]["cache_read_input_tokens"], 900);
  EXPECT_EQ(turn["usage"]["output_tokens"], 57);
}

TEST(AnthropicDecoder, GivesTheSameTurnHoweverTheBytesAreCut) {
  const std::string body = anthropic_tool_turn();
  const Json whole = decode_claude(body);
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    AnthropicDecoder decoder({});
    decoder.feed(std::string_view(body).substr(0, cut));
    decoder.feed(std::string_view(body).substr(cut));
    ASSERT_EQ(describe(decoder.finish()), whole) << cut;
  }
  AnthropicDecoder decoder({});
  for (const char byte : body) decoder.feed({&byte, 1});
  EXPECT_EQ(describe(decoder.finish()), whole);
}

TEST(AnthropicDecoder, ExecutesNothingOfATurnThatIsCutOffAnywhere) {
  const std::string body = anthropic_tool_turn();
  const std::size_t last_needed = body.find("event: message_stop");
  for (std::size_t cut = 0; cut < last_needed - 1; ++cut) {
    const Json turn = decode_claude(body.substr(0, cut));
    ASSERT_EQ(turn["outcome"], "incomplete") << cut;
    ASSERT_TRUE(turn["replay_blocks"].empty()) << cut;
    for (const auto& use : turn["tool_uses"]) ASSERT_FALSE(use["executable"].get<bool>()) << cut;
  }
  EXPECT_EQ(decode_claude(body.substr(0, last_needed))["outcome"], "complete_no_message_stop");
  EXPECT_TRUE(decode_claude(body.substr(0, last_needed))["tool_uses"][0]["executable"].get<bool>());
}

TEST(AnthropicDecoder, DeliversPiecesAsTheyCome) {
  std::string text, thinking, calls;
  long output = 0;
  AnthropicDecoder decoder({[&](std::string_view piece) { text += std::string(piece) + "|"; },
                            [&](std::string_view piece) { thinking += piece; },
                            [&](const ToolUse& use) { calls += use.name + use.input.dump(); },
                            [&](const Usage& usage) { output = usage.output; }});
  decoder.feed(anthropic_tool_turn());
  EXPECT_EQ(text, "Checking |the disk… 😀 磁盘\n|");
  EXPECT_EQ(thinking, "Look at \"df\" first.");
  EXPECT_EQ(calls, R"(execute_command{"command":"df -h /"})");
  EXPECT_EQ(output, 57);
  EXPECT_TRUE(decoder.finished());
}

TEST(AnthropicDecoder, DoesNotRunACallThatTheTokenLimitCutOff) {
  const Json turn =
      decode_claude(events({kStart, kTextBlock, kHello, kStop0, tool_block(1),
                            input_delta(1, R"({"command":"rm -rf /var/log/old)"), stopped("max_tokens"), kEnd}));
  EXPECT_EQ(turn["outcome"], "stopped_with_open_block");
  ASSERT_EQ(turn["tool_uses"].size(), 1u);
  EXPECT_FALSE(turn["tool_uses"][0]["executable"].get<bool>());
  EXPECT_TRUE(turn["tool_uses"][0]["input"].is_null());
  EXPECT_EQ(turn["replay_blocks"].dump(), R"([{"type":"text","text":"Hello"}])");
}

TEST(AnthropicDecoder, DoesNotRunACompleteCallWhenTheReasonIsNotToolUse) {
  for (const char* reason :
       {"max_tokens", "end_turn", "refusal", "pause_turn", "model_context_window_exceeded", "new"}) {
    const Json turn = decode_claude(
        events({kStart, tool_block(0), input_delta(0, R"({"a":1})"), stop_block(0), stopped(reason), kEnd}));
    EXPECT_FALSE(turn["tool_uses"][0]["executable"].get<bool>()) << reason;
    EXPECT_EQ(turn["outcome"], "complete");
  }
}

TEST(AnthropicDecoder, DoesNotRunWhatIsNoObject) {
  for (const char* input : {"[1]", "null", "\"x\"", "{\"a\":", "{\"a\":1}{", "{\"a\":1,}", "{'a':1}"}) {
    const Json turn =
        decode_claude(events({kStart, tool_block(0), input_delta(0, input), stop_block(0), stopped("tool_use"), kEnd}));
    EXPECT_FALSE(turn["tool_uses"][0]["executable"].get<bool>()) << input;
    EXPECT_EQ(turn["replay_blocks"][0]["input"].dump(), "{}") << input;
  }
}

TEST(AnthropicDecoder, TakesTheInputOfTheStartEventWhenNoFragmentCame) {
  const Json turn = decode_claude(events({kStart, tool_block(0, R"({"command":"id"})"), input_delta(0, ""),
                                          stop_block(0), tool_block(1), stop_block(1), stopped("tool_use"), kEnd}));
  EXPECT_EQ(turn["tool_uses"][0]["input"].dump(), R"({"command":"id"})");
  EXPECT_EQ(turn["tool_uses"][1]["input"].dump(), "{}");
  EXPECT_TRUE(turn["tool_uses"][1]["executable"].get<bool>());
}

TEST(AnthropicDecoder, ExtendsTheBlockThatTheIndexNames) {
  const Json turn = decode_claude(
      events({kStart, tool_block(1), tool_block(0), input_delta(1, "{\"n\":"), input_delta(0, "{\"n\":"),
              input_delta(1, "1}"), input_delta(0, "0}"), stop_block(0), stop_block(1), stopped("tool_use"), kEnd}));
  EXPECT_EQ(turn["tool_uses"][0]["input"].dump(), R"({"n":0})");
  EXPECT_EQ(turn["tool_uses"][1]["input"].dump(), R"({"n":1})");
}

TEST(AnthropicDecoder, KeepsUnknownBlocksAndIgnoresUnknownEventsAndDeltas) {
  const std::string search =
      R"({"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u","page_age":1.50}]})";
  const Json turn = decode_claude(events(
      {kStart, R"({"type":"brand_new","index":77})",
       R"({"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}})",
       input_delta(0, R"({"query":"x"})"), stop_block(0),
       R"({"type":"content_block_start","index":1,"content_block":)" + search + "}", stop_block(1),
       R"({"type":"content_block_start","index":2,"content_block":{"type":"redacted_thinking","data":"abc"}})",
       stop_block(2),
       R"({"type":"content_block_start","index":3,"content_block":{"type":"text","text":"","citations":[]}})",
       R"({"type":"content_block_delta","index":3,"delta":{"type":"citations_delta","citation":{"url":"u"}}})",
       R"({"type":"content_block_delta","index":3,"delta":{"type":"sparkle_delta","sparkle":1}})",
       R"({"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"Found."}})", stop_block(3),
       R"({"type":"content_block_start","index":4,"content_block":{"type":"text","text":""}})", stop_block(4),
       stopped("end_turn"), kEnd}));
  EXPECT_EQ(turn["outcome"], "complete");
  ASSERT_EQ(turn["replay_blocks"].size(), 4u) << "the empty text block is dropped";
  EXPECT_EQ(turn["replay_blocks"][0].dump(),
            R"({"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}})");
  EXPECT_EQ(turn["replay_blocks"][1]["tool_use_id"], "srvtoolu_1");
  EXPECT_EQ(turn["replay_blocks"][2].dump(), R"({"type":"redacted_thinking","data":"abc"})");
  EXPECT_EQ(turn["replay_blocks"][3].dump(), R"({"type":"text","text":"Found.","citations":[{"url":"u"}]})");
  EXPECT_TRUE(turn["tool_uses"].empty()) << "server tools are not answered by us";
}

TEST(AnthropicDecoder, KeepsSignedThinkingWithoutTextAndDropsUnsigned) {
  const Json turn = decode_claude(events(
      {kStart,
       R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})",
       R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"S"}})", stop_block(0),
       R"({"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":"unsigned"}})",
       stop_block(1), stopped("end_turn"), kEnd}));
  EXPECT_EQ(turn["replay_blocks"].dump(), R"([{"type":"thinking","thinking":"","signature":"S"}])");
  EXPECT_EQ(turn["thinking"], "unsigned");
}

TEST(AnthropicDecoder, EndsWithTheErrorOfTheStream) {
  const Json turn = decode_claude(events(
      {kStart, kTextBlock, kHello, kStop0, tool_block(1), stop_block(1),
       R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})", stopped("tool_use"), kEnd}));
  EXPECT_EQ(turn["outcome"], "error");
  EXPECT_EQ(turn["error"].dump(), R"({"type":"overloaded_error","message":"Overloaded"})");
  EXPECT_EQ(turn["text"], "Hello");
  EXPECT_FALSE(turn["tool_uses"][0]["executable"].get<bool>());
  EXPECT_TRUE(turn["replay_blocks"].empty());
}

TEST(AnthropicDecoder, IgnoresARepeatedStartAndRefusesAnother) {
  EXPECT_EQ(decode_claude(events({kStart, kStart, kTextBlock, kHello, kStop0, stopped("end_turn"), kEnd}))["outcome"],
            "complete");
  const std::string other = R"({"type":"message_start","message":{"id":"m2","content":[]}})";
  EXPECT_EQ(decode_claude(events({kStart, other, kEnd}))["error"]["type"], "protocol_error");
  EXPECT_EQ(decode_claude(events({kStart, kTextBlock, kHello, kStart, kStop0, kEnd}))["error"]["type"],
            "protocol_error");
}

TEST(AnthropicDecoder, RefusesBlocksThatWereNeverBegunOrAreClosed) {
  EXPECT_EQ(decode_claude(events({kStart, kHello, kEnd}))["error"]["type"], "protocol_error");
  EXPECT_EQ(decode_claude(events({kStart, kTextBlock, kStop0, kHello, kEnd}))["error"]["type"], "protocol_error");
  EXPECT_EQ(decode_claude(events({kStart, kTextBlock, kTextBlock, kEnd}))["error"]["type"], "protocol_error");
  EXPECT_EQ(decode_claude(events({kStart, stop_block(3), kEnd}))["error"]["type"], "protocol_error");
}

TEST(AnthropicDecoder, DispatchesOnTheDataWhenTheEventLineIsMissingAndOnTheNameWhenTheTypeIs) {
  std::string unnamed;
  for (const auto& data : {kStart, kTextBlock, kHello, kStop0, stopped("end_turn"), kEnd})
    unnamed += "data: " + data + "\n\n";
  EXPECT_EQ(decode_claude(unnamed)["text"], "Hello");
  EXPECT_EQ(decode_claude(unnamed)["outcome"], "complete");
  const std::string named = "event: error\ndata: {\"error\":{\"type\":\"api_error\",\"message\":\"x\"}}\n\n";
  EXPECT_EQ(decode_claude(named)["error"]["type"], "api_error");
}

TEST(AnthropicDecoder, ShowsARefusalAndKeepsNothingOfIt) {
  AnthropicDecoder decoder({});
  decoder.feed(events(
      {kStart, kTextBlock, kHello, kStop0,
       R"({"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"category":"cyber","explanation":null}},"usage":{"output_tokens":9}})",
       kEnd}));
  const Turn turn = decoder.finish();
  EXPECT_EQ(turn.stop, StopReason::refusal);
  EXPECT_EQ(turn.refusal_category, "cyber");
  EXPECT_TRUE(turn.replay.empty());
}

TEST(AnthropicDecoder, MendsHalfASurrogatePairInTextButNeverInACommand) {
  const Json text = decode_claude(events(
      {kStart, kTextBlock, R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\ud83d"}})",
       kStop0, stopped("end_turn"), kEnd}));
  EXPECT_EQ(text["text"], "a\xEF\xBF\xBD");
  const Json call = decode_claude(events(
      {kStart, tool_block(0),
       R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":\"\ud83d\"}"}})",
       stop_block(0), stopped("tool_use"), kEnd}));
  EXPECT_FALSE(call["tool_uses"][0]["executable"].get<bool>());
}

TEST(AnthropicDecoder, NamesWhatIsNotAStream) {
  const auto type = [](const std::string& body) { return decode_claude(body)["error"]["type"]; };
  EXPECT_EQ(type("<!DOCTYPE html><html><title>Sign in</title></html>"), "not_an_event_stream");
  EXPECT_NE(decode_claude("\n <html><title>Sign in</title>")["error"]["message"].get<std::string>().find("\"Sign in\""),
            std::string::npos);
  EXPECT_EQ(type(R"({"type":"error","error":{"type":"rate_limit_error","message":"slow"}})"), "rate_limit_error");
  EXPECT_EQ(type("\x1F\x8B\x08 gzip"), "not_an_event_stream");
  EXPECT_EQ(type("{\"cut\":"), "not_an_event_stream");
  EXPECT_EQ(type(anthropic_event("{\"type\":\"content_block_delta\",")), "invalid_json");
  EXPECT_EQ(type(std::string("data: {\"type\":\"ping\0\"}\n\n", 24)), "invalid_json");
  EXPECT_EQ(type("data: [1,2]\n\n"), "invalid_json");
  EXPECT_EQ(type("data: " + std::string(10 << 20, 'x') + "\n\n"), "event_too_large");
  EXPECT_EQ(type("data: " + std::string(100'000, '[') + "\n\n"), "invalid_json");
  EXPECT_EQ(decode_claude("")["outcome"], "incomplete");
}

TEST(AnthropicDecoder, TakesAnAnswerThatWasNotStreamed) {
  const Json turn = decode_claude(
      R"({"id":"m","type":"message","model":"c","content":[{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"n","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}})");
  EXPECT_EQ(turn["outcome"], "complete");
  EXPECT_EQ(turn["text"], "Hi");
  EXPECT_TRUE(turn["tool_uses"][0]["executable"].get<bool>());
  EXPECT_EQ(turn["usage"]["output_tokens"], 4);
}

TEST(AnthropicDecoder, GivesUpOnAnAnswerWithoutEnd) {
  AnthropicDecoder decoder({}, {.event = 1 << 20, .turn = 1 << 20});
  decoder.feed(events({kStart, kTextBlock}));
  const std::string delta = R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
                            std::string(1000, 'x') + "\"}}";
  const std::string event = anthropic_event(delta);
  int fed = 0;
  while (!decoder.finished() && ++fed < 5000) decoder.feed(event);
  EXPECT_LT(fed, 1100);
  EXPECT_EQ(decoder.finish().error->type, "response_too_large");
}

}  // namespace
}  // namespace model
