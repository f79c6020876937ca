#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Bodies of model responses, written from the wire reference, for tests of everything that reads them.
namespace model_streams {

/// One event of Anthropic's stream; the name is taken from the data's `type`.
std::string anthropic_event(std::string_view data);

/// An OpenAI-style chunk: `data: …`.
std::string chunk(std::string_view data);

/// A whole answer: thinking, text, a tool call, `tool_use`.
std::string anthropic_tool_turn();
/// A whole answer that is one call; `input` is a JSON object. The id names the call.
std::string anthropic_call_turn(std::string_view id, std::string_view tool, std::string_view input);
/// Several of them in one answer: ids, tools and inputs in the same order.
struct StreamCall {
  std::string id, tool, input;
};
std::string anthropic_calls_turn(const std::vector<StreamCall>& calls);
/// A whole answer that is only text.
std::string anthropic_text_turn(std::string_view text = "All is well.");
std::string openai_tool_turn();
/// A whole answer that is one call; `input` is a JSON object.
std::string openai_call_turn(std::string_view id, std::string_view tool, std::string_view input);
std::string openai_text_turn(std::string_view text = "All is well.");

}  // namespace model_streams
