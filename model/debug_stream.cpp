#include "model/debug_stream.h"

#include <utility>

#include "model/anthropic_decoder.h"
#include "model/openai_decoder.h"

namespace model {

std::optional<Api> api_named(std::string_view name) {
  if (name == "anthropic") return Api::anthropic;
  if (name == "openai") return Api::openai;
  return std::nullopt;
}

std::unique_ptr<TurnDecoder> make_decoder(Api api, TurnSink sink, TurnLimits limits) {
  if (api == Api::openai) return std::make_unique<OpenAiDecoder>(std::move(sink), limits);
  return std::make_unique<AnthropicDecoder>(std::move(sink), limits);
}

Json describe(const Turn& turn) {
  Json error;
  if (turn.outcome == Outcome::error && turn.error)
    error = Json{{"type", turn.error->type}, {"message", turn.error->message}};
  Json uses = Json::array();
  for (const auto& use : turn.tool_uses)
    uses.push_back({{"id", use.id}, {"name", use.name}, {"input", use.input}, {"executable", use.executable}});
  Json replay = Json::array();
  for (const auto& block : turn.replay) replay.push_back(block.wire());
  Json usage{{"input_tokens", turn.usage.input},
             {"cache_creation_input_tokens", turn.usage.cache_write},
             {"cache_read_input_tokens", turn.usage.cache_read},
             {"output_tokens", turn.usage.output}};
  for (auto it = turn.usage_wire.begin(); it != turn.usage_wire.end(); ++it)
    if (!usage.contains(it.key())) usage[it.key()] = *it;
  return Json{{"outcome", name_of(turn.outcome)},
              {"error", std::move(error)},
              {"stop_reason", turn.stop_text.empty() ? Json() : Json(turn.stop_text)},
              {"text", turn.text},
              {"thinking", turn.thinking},
              {"tool_uses", std::move(uses)},
              {"replay_blocks", std::move(replay)},
              {"usage", std::move(usage)}};
}

Json debug_stream(Api api, std::string_view body) {
  const auto decoder = make_decoder(api, {});
  decoder->feed(body);
  return describe(decoder->finish());
}

}  // namespace model
