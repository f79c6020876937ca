#include "tests/support/model_streams.h"

#include <nlohmann/json.hpp>

namespace model_streams {
namespace {

std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump();
}

}  // namespace

std::string anthropic_event(std::string_view data) {
  const auto parsed = nlohmann::json::parse(data.begin(), data.end(), nullptr, false);
  std::string event;
  if (parsed.is_object() && parsed.contains("type")) event = "event: " + parsed["type"].get<std::string>() + "\n";
  return event + "data: " + std::string(data) + "\n\n";
}

std::string chunk(std::string_view data) {
  return "data: " + std::string(data) + "\n\n";
}

std::string anthropic_tool_turn() {
  std::string body;
  for (
      const char* data :
      {R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-5-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":43,"cache_creation_input_tokens":7,"cache_read_input_tokens":900,"cache_creation":{"ephemeral_5m_input_tokens":7,"ephemeral_1h_input_tokens":0},"output_tokens":1,"service_tier":"standard"}}})",
       R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})",
       R"({"type":"ping"})",
       R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Look at \"df\" first."}})",
       R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"Eo8C"}})",
       R"({"type":"content_block_stop","index":0})",
       R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})",
       R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Checking "}      })",
       R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"the disk\u2026 \ud83d\ude00 磁盘\n"}   }  )",
       R"({"type":"content_block_stop","index":1})",
       R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_A1","name":"execute_command","input":{},"caller":{"type":"direct"}}})",
       R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}})",
       R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"command\": \"df"}})",
       R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":" -h /\"}"}})",
       R"({"type":"content_block_stop","index":2})",
       R"({"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":61,"output_tokens":57,"output_tokens_details":{"thinking_tokens":12}}})",
       R"({"type":"message_stop"})"})
    body += anthropic_event(data);
  return body;
}

std::string anthropic_call_turn(std::string_view id, std::string_view tool, std::string_view input) {
  return anthropic_calls_turn({{std::string(id), std::string(tool), std::string(input)}});
}

std::string anthropic_calls_turn(const std::vector<StreamCall>& calls) {
  std::string body = anthropic_event(
      R"({"type":"message_start","message":{"id":"msg_3","role":"assistant","model":"claude-opus-5-5","content":[],"stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}})");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string index = R"(,"index":)" + std::to_string(i);
    body += anthropic_event(R"({"type":"content_block_start")" + index +
                            R"(,"content_block":{"type":"tool_use","id":)" + quoted(std::string_view(calls[i].id)) +
                            R"(,"name":)" + quoted(std::string_view(calls[i].tool)) + R"(,"input":{}}})");
    body += anthropic_event(R"({"type":"content_block_delta")" + index +
                            R"(,"delta":{"type":"input_json_delta","partial_json":)" +
                            quoted(std::string_view(calls[i].input)) + "}}");
    body += anthropic_event(R"({"type":"content_block_stop")" + index + "}");
  }
  body += anthropic_event(
      R"({"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}})");
  return body + anthropic_event(R"({"type":"message_stop"})");
}

std::string anthropic_text_turn(std::string_view text) {
  std::string body = anthropic_event(
      R"({"type":"message_start","message":{"id":"msg_2","role":"assistant","model":"claude-opus-5-5","content":[],"stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}})");
  body += anthropic_event(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})");
  body += anthropic_event(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":)" +
                          quoted(text) + "}}");
  body += anthropic_event(R"({"type":"content_block_stop","index":0})");
  body += anthropic_event(
      R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}})");
  return body + anthropic_event(R"({"type":"message_stop"})");
}

std::string openai_tool_turn() {
  const std::string head =
      R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[)";
  std::string body = ": keep-alive\n\n";
  for (
      const char* choice :
      {R"({"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"reasoning_content":"Look at df."},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"content":"Checking "},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"content":"the "},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"content":"disk\u2026 \ud83d\ude00 磁盘\n"},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"execute_command","arguments":""}}]},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"command\": \"df"}}]},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":" -h /\"}"}}]},"finish_reason":null}],"usage":null})",
       R"({"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null})",
       R"(],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":64},"completion_tokens_details":{"reasoning_tokens":4}}})"})
    body += chunk(head + choice);
  return body + chunk("[DONE]");
}

std::string openai_call_turn(std::string_view id, std::string_view tool, std::string_view input) {
  return chunk(R"({"id":"c3","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":null,)"
               R"("tool_calls":[{"index":0,"id":)" +
               quoted(id) + R"(,"type":"function","function":{"name":)" + quoted(tool) + R"(,"arguments":)" +
               quoted(input) + R"(}}]},"finish_reason":null}]})") +
         chunk(R"({"id":"c3","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]})") +
         chunk("[DONE]");
}

std::string openai_text_turn(std::string_view text) {
  return chunk(R"({"id":"c2","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":)" + quoted(text) +
               R"(},"finish_reason":null}]})") +
         chunk(R"({"id":"c2","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})") +
         chunk(R"({"id":"c2","model":"m","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}})") +
         chunk("[DONE]");
}

}  // namespace model_streams
