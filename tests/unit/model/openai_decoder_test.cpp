#include "model/openai_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/debug_stream.h"
#include "tests/support/model_streams.h"

namespace model {
namespace {

using model_streams::chunk;
using model_streams::openai_tool_turn;

Json decode_openai(const std::string& body) {
  return debug_stream(Api::openai, body);
}
/// A chunk with this delta and finish reason (as JSON).
std::string delta(const std::string& members, const std::string& finish = "null") {
  return chunk(R"({"id":"c","model":"m","choices":[{"index":0,"delta":{)" + members + R"(},"finish_reason":)" + finish +
               "}]}");
}
std::string fragment(const std::string& call) {
  return delta("\"tool_calls\":[" + call + "]");
}
const std::string kDone = "data: [DONE]\n\n";

TEST(OpenAiDecoder, DecodesAWholeTurn) {
  const Json turn = decode_openai(openai_tool_turn());
  EXPECT_EQ(turn["outcome"], "complete");
  EXPECT_EQ(turn["stop_reason"], "tool_calls");
  EXPECT_EQ(turn["text"], "Checking the disk… 😀 磁盘\n");
  EXPECT_EQ(turn["thinking"], "Look at df.");
  EXPECT_EQ(turn["tool_uses"].dump(),
            R"([{"id":"call_1","name":"execute_command","input":{"command":"df -h /"},"executable":true}])");
  EXPECT_EQ(turn["usage"]["input_tokens"], 36);
  EXPECT_EQ(turn["usage"]["cache_read_input_tokens"], 64);
  EXPECT_EQ(turn["usage"]["output_tokens"], 20);
  EXPECT_EQ(turn["usage"]["total_tokens"], 120);
}

TEST(OpenAiDecoder, GivesTheSameTurnHoweverTheBytesAreCut) {
  const std::string body = openai_tool_turn();
  const Json whole = decode_openai(body);
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    OpenAiDecoder decoder({});
    decoder.feed(std::string_view(body).substr(0, cut));
    decoder.feed(std::string_view(body).substr(cut));
    ASSERT_EQ(describe(decoder.finish()), whole) << cut;
  }
}

TEST(OpenAiDecoder, ExecutesNothingOfATurnThatIsCutOffAnywhere) {
  const std::string body = openai_tool_turn();
  const std::size_t finish = body.find("\n\n", body.find("\"finish_reason\":\"tool_calls\"")) + 2;
  for (std::size_t cut = 0; cut < finish; ++cut) {
    const Json turn = decode_openai(body.substr(0, cut));
    ASSERT_EQ(turn["outcome"], "incomplete") << cut;
    ASSERT_TRUE(turn["replay_blocks"].empty()) << cut;
    for (const auto& use : turn["tool_uses"]) ASSERT_FALSE(use["executable"].get<bool>()) << cut;
  }
  EXPECT_EQ(decode_openai(body.substr(0, finish))["outcome"], "complete_no_message_stop");
}

struct Merge {
  const char* server;
  std::vector<std::string> fragments;
  std::string calls;  ///< id name arguments, one per line
};

const std::vector<Merge> kMerges = {
    {"OpenAI, two calls interleaved",
     {R"({"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}})",
      R"({"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}})",
      R"({"index":0,"function":{"arguments":"{\"x\""}})", R"({"index":1,"function":{"arguments":"{\"y\":2}"}})",
      R"({"index":0,"function":{"arguments":":1}"}})"},
     "a f {\"x\":1}\nb g {\"y\":2}\n"},
    {"Ollama: index 0 for all",
     {R"({"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}})",
      R"({"index":0,"id":"b","type":"function","function":{"name":"f","arguments":"{\"x\":2}"}})"},
     "a f {\"x\":1}\nb f {\"x\":2}\n"},
    {"vLLM: id and name on each fragment",
     {R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}})",
      R"({"index":0,"id":"a","function":{"name":"f","arguments":":1}"}})"},
     "a f {\"x\":1}\n"},
    {"Qwen: empty id and name later, empty fragment last",
     {R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}})",
      R"({"index":0,"id":"","function":{"name":"","arguments":":1}"}})",
      R"({"index":0,"id":"","function":{"arguments":""}})"},
     "a f {\"x\":1}\n"},
    {"Mistral: no index",
     {R"({"id":"abcdefghi","function":{"name":"f","arguments":"{\"x\":1}"}})",
      R"({"id":"bcdefghij","function":{"name":"f","arguments":"{\"x\":2}"}})"},
     "abcdefghi f {\"x\":1}\nbcdefghij f {\"x\":2}\n"},
    {"no index, no id",
     {R"({"function":{"name":"f","arguments":"{\"x\""}})", R"({"function":{"arguments":":1}"}})",
      R"({"function":{"name":"g","arguments":"{}"}})"},
     "call_1 f {\"x\":1}\ncall_2 g {}\n"},
    {"arguments as an object, first index 1",
     {R"({"index":1,"id":"a","function":{"name":"f","arguments":{"x":[1]}}})"},
     "a f {\"x\":[1]}\n"},
    {"the name one chunk after the id",
     {R"({"index":0,"id":"a","type":"function"})", R"({"index":0,"function":{"name":"f","arguments":"{}"}})"},
     "a f {}\n"},
    {"no arguments at all", {R"({"index":0,"id":"a","function":{"name":"f"}})"}, "a f {}\n"},
};

TEST(OpenAiDecoder, PutsFragmentsTogetherAsEveryKnownServerCutsThem) {
  for (const auto& merge : kMerges) {
    SCOPED_TRACE(merge.server);
    std::string body;
    for (const auto& piece : merge.fragments) body += fragment(piece);
    const Json turn = decode_openai(body + delta("", "\"tool_calls\"") + kDone);
    std::string calls;
    for (const auto& use : turn["tool_uses"]) {
      calls += use["id"].get<std::string>() + " " + use["name"].get<std::string>() + " " + use["input"].dump() + "\n";
      EXPECT_TRUE(use["executable"].get<bool>());
    }
    EXPECT_EQ(calls, merge.calls);
  }
}

TEST(OpenAiDecoder, DecidesByTheCallsAndNotByTheFinishReason) {
  const std::string call = fragment(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}"}})");
  for (const char* reason : {"\"stop\"", "\"tool_calls\"", "\"function_call\"", "\"eos\""}) {
    EXPECT_TRUE(decode_openai(call + delta("", reason) + kDone)["tool_uses"][0]["executable"].get<bool>()) << reason;
  }
  EXPECT_TRUE(decode_openai(call + kDone)["tool_uses"][0]["executable"].get<bool>());
  for (const char* reason : {"\"length\"", "\"content_filter\"", "\"error\"", "\"insufficient_system_resource\""}) {
    EXPECT_FALSE(decode_openai(call + delta("", reason) + kDone)["tool_uses"][0]["executable"].get<bool>()) << reason;
  }
}

TEST(OpenAiDecoder, DoesNotRunTruncatedOrNamelessCalls) {
  for (const char* bad : {R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"command\":\"rm -rf /va"}})",
                          R"({"index":0,"id":"a","function":{"name":"f","arguments":"[]"}})",
                          R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}{}"}})",
                          R"({"index":0,"id":"a","function":{"name":"","arguments":"{}"}})"}) {
    const Json turn = decode_openai(fragment(bad) + delta("", "\"tool_calls\"") + kDone);
    EXPECT_FALSE(turn["tool_uses"][0]["executable"].get<bool>()) << bad;
  }
}

TEST(OpenAiDecoder, KeepsAnEarlierFinishReasonAndSurvivesOddChunks) {
  const Json turn = decode_openai(
      chunk(R"({"choices":[],"prompt_filter_results":[]})") + chunk(R"({"choices":null})") +
      chunk(R"({"choices":[{"index":0,"finish_reason":null}]})") + delta(R"("content":"Hi","role":"assistant")") +
      delta("", "\"stop\"") + delta(R"("content":"")") +
      chunk(R"({"choices":[{"index":1,"delta":{"content":"other"}}]})") +
      chunk(R"({"choices":[],"error":null,"x_groq":{"usage":{"prompt_tokens":7,"completion_tokens":2}}})") + kDone);
  EXPECT_EQ(turn["outcome"], "complete");
  EXPECT_EQ(turn["stop_reason"], "stop");
  EXPECT_EQ(turn["text"], "Hi");
  EXPECT_EQ(turn["usage"]["input_tokens"], 7);
}

TEST(OpenAiDecoder, FindsReasoningWhereverServersPutIt) {
  const std::string end = delta("", "\"stop\"") + kDone;
  const std::vector<std::string> bodies = {
      delta(R"("reasoning_content":"Why","content":null)") + delta(R"("content":"Because")"),
      delta(R"("reasoning":"Why")") + delta(R"("content":"Because")"),
      delta(R"("reasoning":"Why","reasoning_content":"Why")") + delta(R"("content":"Because")"),
      delta(
          R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"Why"}]},{"type":"text","text":"Because"}])"),
      delta(R"("content":"\n<th")") + delta(R"("content":"ink>W")") + delta(R"("content":"hy</thi")") +
          delta(R"("content":"nk>\n\n")") + delta(R"("content":"Because")"),
  };
  for (const auto& body : bodies) {
    SCOPED_TRACE(body);
    const Json turn = decode_openai(body + end);
    EXPECT_EQ(turn["thinking"], "Why");
    EXPECT_EQ(turn["text"], "Because");
  }
}

TEST(OpenAiDecoder, LeavesTagsInsideTheAnswerAlone) {
  EXPECT_EQ(decode_openai(delta(R"("content":"Use <think> tags")") + kDone)["text"], "Use <think> tags");
  EXPECT_EQ(decode_openai(delta(R"("content":"<thi")") + kDone)["text"], "<thi");
  EXPECT_EQ(decode_openai(delta(R"("content":" <b>")") + kDone)["text"], " <b>");
}

TEST(OpenAiDecoder, EndsWithTheErrorEvenWhenDoneFollows) {
  for (
      const char* error :
      {R"({"error":{"message":"boom","type":"server_error","code":500}})", R"({"error":"boom"})",
       R"({"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"boom"}})"}) {
    const Json turn = decode_openai(fragment(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{}"}})") +
                                    chunk(error) + delta("", "\"tool_calls\"") + kDone);
    EXPECT_EQ(turn["outcome"], "error") << error;
    EXPECT_EQ(turn["error"]["message"], "boom") << error;
    EXPECT_FALSE(turn["tool_uses"][0]["executable"].get<bool>());
  }
  const Json named = decode_openai("event: error\ndata: {\"message\":\"boom\"}\n\n");
  EXPECT_EQ(named["error"]["message"], "boom");
  OpenAiDecoder groq({});
  groq.feed(
      chunk(R"({"error":{"message":"Failed to call a function","code":"tool_use_failed","failed_generation":"<f>"}})"));
  const Turn turn = groq.finish();
  EXPECT_EQ(turn.error->type, "tool_use_failed");
  EXPECT_EQ(turn.failed_generation, "<f>");
}

TEST(OpenAiDecoder, KeepsTheExactArgumentsAndUnknownMembersForTheWayBack) {
  OpenAiDecoder decoder({});
  decoder.feed(
      fragment(
          R"({"index":0,"id":"a","function":{"name":"f","arguments":"{ \"x\": 1.0 }"},"extra_content":{"google":{"thought_signature":"S"}}})") +
      kDone);
  const Turn turn = decoder.finish();
  ASSERT_EQ(turn.replay.size(), 1u);
  EXPECT_EQ(turn.replay[0].openai()["arguments"], "{ \"x\": 1.0 }");
  EXPECT_EQ(turn.replay[0].openai()["extra"].dump(), R"({"extra_content":{"google":{"thought_signature":"S"}}})");
  EXPECT_EQ(turn.stop, StopReason::tool_use);
}

TEST(OpenAiDecoder, TakesAnAnswerThatWasNotStreamed) {
  const Json turn = decode_openai(
      R"({"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4}})");
  EXPECT_EQ(turn["outcome"], "complete");
  EXPECT_EQ(turn["text"], "Hi");
  EXPECT_TRUE(turn["tool_uses"][0]["executable"].get<bool>());
}

TEST(OpenAiDecoder, NamesWhatIsNotAStream) {
  EXPECT_EQ(decode_openai("<html></html>")["error"]["type"], "not_an_event_stream");
  EXPECT_EQ(decode_openai(R"({"error":{"message":"bad key","code":"invalid_api_key"}})")["error"]["type"],
            "invalid_api_key");
  EXPECT_EQ(decode_openai(R"({"error":"model not found"})")["error"]["message"], "model not found");
  EXPECT_EQ(decode_openai("data: {\n\n")["error"]["type"], "invalid_json");
}

TEST(OpenAiDecoder, GivesUpOnCallsWithoutNumber) {
  OpenAiDecoder decoder({});
  int fed = 0;
  while (!decoder.finished() && ++fed < 100'000)
    decoder.feed(fragment(R"({"id":"a)" + std::to_string(fed) + R"(","function":{"name":"f","arguments":"{}"}})"));
  EXPECT_LT(fed, 3000);
  EXPECT_EQ(decoder.finish().error->type, "response_too_large");
}

TEST(OpenAiDecoder, GivesUpOnObjectsWithoutNumberOfKeys) {
  std::string keys = "{";
  for (int i = 0; i < 60'000; ++i) keys += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_EQ(decode_openai(chunk(keys + "\"x\":1}"))["error"]["type"], "invalid_json");
}

TEST(OpenAiDecoder, ReportsARefusal) {
  OpenAiDecoder decoder({});
  decoder.feed(delta(R"("refusal":"I cannot.")") + delta("", "\"stop\"") + kDone);
  const Turn turn = decoder.finish();
  EXPECT_EQ(turn.stop, StopReason::refusal);
  EXPECT_EQ(turn.text, "I cannot.");
  EXPECT_TRUE(turn.replay.empty());
}

}  // namespace
}  // namespace model
