#include "model/openai_decoder.h"

#include <utility>

#include "model/utf8_clean.h"

namespace model {
namespace {

StopReason openai_stop(std::string_view word) {
  if (word == "stop" || word == "eos") return StopReason::end_turn;
  if (word == "tool_calls" || word == "function_call" || word == "tool_use") return StopReason::tool_use;
  if (word == "length") return StopReason::max_tokens;
  if (word == "content_filter") return StopReason::refusal;
  return StopReason::other;
}

/// Whether a turn that stopped with this word may have its calls run. What matters is that valid calls are there:
/// servers say `stop` with calls, or nothing at all. Only words that mean "cut off" forbid it.
bool allows_calls(std::string_view word) {
  return word != "length" && word != "content_filter" && word != "error" && word != "insufficient_system_resource";
}

}  // namespace

OpenAiDecoder::OpenAiDecoder(TurnSink sink, TurnLimits limits)
    : TurnDecoder(std::move(sink), limits),
      tags_([this](std::string_view text) { show_text(text); },
            [this](std::string_view text) { show_thinking(text); }) {}

void OpenAiDecoder::on_event(const SseEvent& event) {
  if (event.data == "[DONE]") {
    done_ = true;
    return end();
  }
  std::string_view content;
  const bool unnamed = event.type == "message";
  if (unnamed && frame_.read(event.data, scratch_, content)) return tags_.feed(content);
  if (is_blank(event.data)) return;
  const auto chunk = parse_event(event.data);
  if (!chunk) return;
  if (member(*chunk, "error") || event.type == "error") return fail_with_wire(*chunk);
  take_chunk(*chunk);
  if (unnamed && plain_text_chunk_ && !damaged_event()) frame_.learn(event.data);
}

void OpenAiDecoder::take_chunk(const Json& chunk) {
  plain_text_chunk_ = false;
  if (turn_.id.empty()) turn_.id = string_at(chunk, "id");
  if (turn_.model.empty()) turn_.model = string_at(chunk, "model");
  const Json* usage = member(chunk, "usage");
  if (!usage)
    if (const Json* groq = member(chunk, "x_groq")) usage = member(*groq, "usage");
  if (usage) take_usage(*usage);
  const Json* choices = member(chunk, "choices");
  if (!choices || !choices->is_array()) return;
  const bool finished_before = !turn_.stop_text.empty();
  for (const auto& choice : *choices)
    if (number_at(choice, "index").value_or(0) == 0) take_choice(choice);
  if (usage || choices->size() != 1 || !turn_.stop_text.empty() || finished_before) return;
  // Only what the text's own field can have done: nothing else in the delta but the role.
  const Json* delta = member(choices->front(), "delta");
  if (!delta || !string_at(*delta, "content").data()) return;
  plain_text_chunk_ = number_at(choices->front(), "index").value_or(0) == 0;
  for (auto it = delta->begin(); it != delta->end(); ++it)
    if (it.key() != "content" && it.key() != "role" && !it->is_null()) plain_text_chunk_ = false;
}

void OpenAiDecoder::take_choice(const Json& choice) {
  const Json* delta = member(choice, "delta");
  if (!delta) delta = member(choice, "message");
  if (delta && delta->is_object()) take_delta(*delta);
  take_finish(string_at(choice, "finish_reason"));
}

void OpenAiDecoder::take_delta(const Json& delta) {
  take_reasoning(delta);
  if (const Json* content = member(delta, "content")) take_content(*content);
  if (const auto refusal = string_at(delta, "refusal"); !refusal.empty()) {
    if (turn_.refusal_explanation.size() < 4096) turn_.refusal_explanation += one_line(refusal);
    show_text(refusal);
  }
  if (const Json* calls = member(delta, "tool_calls"); calls && calls->is_array())
    for (const auto& fragment : *calls) keep(calls_.add(fragment, damaged_event()));
  if (const Json* call = member(delta, "function_call"))  // the old form: one call, no id
    keep(calls_.add(Json{{"index", 0}, {"function", *call}}, damaged_event()));
}

void OpenAiDecoder::take_content(const Json& content) {
  if (content.is_string()) return tags_.feed(content.get_ref<const std::string&>());
  if (!content.is_array()) return;
  for (const auto& part : content) take_part(part);
}

void OpenAiDecoder::take_part(const Json& part) {
  if (string_at(part, "type") == "text") return tags_.feed(string_at(part, "text"));
  const Json* thinking = member(part, "thinking");
  if (!thinking) return;
  if (thinking->is_string()) return show_thinking(thinking->get_ref<const std::string&>());
  if (thinking->is_array())
    for (const auto& piece : *thinking) show_thinking(string_at(piece, "text"));
}

void OpenAiDecoder::take_reasoning(const Json& delta) {
  for (const char* field : {"reasoning_content", "reasoning"}) {
    const Json* text = member(delta, field);
    if (!text || !text->is_string()) continue;
    if (reasoning_field_.empty() || std::string_view(field) == "reasoning_content") reasoning_field_ = field;
    show_thinking(text->get_ref<const std::string&>());
    break;  // some send the same text under both names
  }
  if (const Json* details = member(delta, "reasoning_details"); details && details->is_array())
    for (const auto& item : *details)
      if (keep(dump_json(item).size())) reasoning_details_.push_back(item);
}

void OpenAiDecoder::take_finish(std::string_view word) {
  if (word.empty()) return;
  turn_.stop_text = one_line(word, 80);
  turn_.stop = openai_stop(word);
}

void OpenAiDecoder::take_usage(const Json& usage) {
  if (!usage.is_object()) return;
  for (auto it = usage.begin(); it != usage.end(); ++it)
    if (!it->is_null() && keep(it.key().size())) turn_.usage_wire[it.key()] = *it;
  Usage& total = turn_.usage;
  const long prompt = number_at(usage, "prompt_tokens").value_or(total.prompt());
  if (const Json* details = member(usage, "prompt_tokens_details"))
    total.cache_read = number_at(*details, "cached_tokens").value_or(total.cache_read);
  else
    total.cache_read = number_at(usage, "prompt_cache_hit_tokens").value_or(total.cache_read);  // DeepSeek
  total.input = prompt - total.cache_read;
  total.output = number_at(usage, "completion_tokens").value_or(total.output);
  if (const Json* details = member(usage, "completion_tokens_details"))
    total.thinking = number_at(*details, "reasoning_tokens").value_or(total.thinking);
  show_usage();
}

void OpenAiDecoder::on_whole_answer(const Json& body) {
  const Json* choices = member(body, "choices");
  if (!choices || !choices->is_array()) return;
  take_chunk(body);
  done_ = true;
  end();
}

void OpenAiDecoder::complete() {
  tags_.finish();
  const bool stopped = done_ || !turn_.stop_text.empty();
  turn_.outcome = !stopped ? Outcome::incomplete : done_ ? Outcome::complete : Outcome::complete_no_message_stop;
  if (!turn_.refusal_explanation.empty()) turn_.stop = StopReason::refusal;

  const bool stored = turn_.ok() && turn_.stop != StopReason::refusal;
  if (stored && (!reasoning_field_.empty() || !reasoning_details_.empty() || !turn_.thinking.empty())) {
    Block block(Json{{"type", "thinking"}, {"thinking", turn_.thinking}});
    Json openai{{"field", reasoning_field_}};
    if (!reasoning_details_.empty()) openai["details"] = std::move(reasoning_details_);
    block.set_openai(std::move(openai));
    turn_.replay.push_back(std::move(block));
  }
  if (stored && !is_blank(turn_.text)) turn_.replay.push_back(Block::text(turn_.text));
  build_calls(stored && allows_calls(turn_.stop_text));
}

void OpenAiDecoder::build_calls(bool may_run) {
  const bool stored = turn_.ok() && turn_.stop != StopReason::refusal;
  for (auto& call : calls_.take()) {
    auto input = is_blank(call.arguments) ? Json::object() : parse_json(call.arguments).value_or(Json());
    const bool valid = input.is_object() && !call.damaged;
    ToolUse use{call.id, call.name, valid ? input : Json()};
    use.executable = may_run && valid && !use.name.empty();
    // A call that was cut off is forgotten; a complete but useless one is kept, so that the model can be told.
    if (stored && !call.name.empty() && (valid || may_run)) {
      Block block = Block::tool_use(call.id, call.name, valid ? std::move(input) : Json::object());
      Json openai{{"arguments", valid && !is_blank(call.arguments) ? call.arguments : "{}"}};
      if (!call.extra.empty()) openai["extra"] = std::move(call.extra);
      block.set_openai(std::move(openai));
      turn_.replay.push_back(std::move(block));
    }
    show_tool_use(use);
    turn_.tool_uses.push_back(std::move(use));
  }
  const bool runnable = !turn_.tool_uses.empty() && may_run;
  if (runnable) turn_.stop = StopReason::tool_use;
}

}  // namespace model
