#pragma once

#include <string>
#include <string_view>

#include "model/content_frame.h"
#include "model/openai_tool_calls.h"
#include "model/think_tags.h"
#include "model/turn_decoder.h"

namespace model {

/// Decodes a response of an OpenAI-style chat completions server.
class OpenAiDecoder final : public TurnDecoder {
 public:
  explicit OpenAiDecoder(TurnSink sink, TurnLimits limits = {});

 private:
  void on_event(const SseEvent& event) override;
  void on_whole_answer(const Json& body) override;
  void complete() override;

  void take_chunk(const Json& chunk);
  void take_choice(const Json& choice);
  void take_delta(const Json& delta);
  void take_content(const Json& content);
  void take_part(const Json& part);
  void take_reasoning(const Json& delta);
  void take_finish(std::string_view word);
  void take_usage(const Json& usage);
  void build_calls(bool may_run);

  ThinkTags tags_;
  ContentFrame frame_;
  OpenAiToolCalls calls_;
  std::string scratch_;
  std::string reasoning_field_;             ///< The field this server uses; empty when it sent none.
  Json reasoning_details_ = Json::array();  ///< OpenRouter's sealed items.
  bool plain_text_chunk_ = false;           ///< The chunk just taken did nothing but add text.
  bool done_ = false;                       ///< `[DONE]` came.
};

}  // namespace model
