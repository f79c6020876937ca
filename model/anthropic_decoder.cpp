#include "model/anthropic_decoder.h"

#include <charconv>
#include <utility>

#include "model/json_string.h"
#include "model/utf8_clean.h"

namespace model {
namespace {

StopReason anthropic_stop(std::string_view word) {
  if (word == "end_turn") return StopReason::end_turn;
  if (word == "tool_use") return StopReason::tool_use;
  if (word == "max_tokens") return StopReason::max_tokens;
  if (word == "stop_sequence") return StopReason::stop_sequence;
  if (word == "pause_turn") return StopReason::pause_turn;
  if (word == "refusal") return StopReason::refusal;
  if (word == "model_context_window_exceeded") return StopReason::context_full;
  return StopReason::other;
}

/// Removes `prefix` from the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

bool has_input(Block::Kind kind) {
  return kind == Block::Kind::tool_use || kind == Block::Kind::other;
}

}  // namespace

void AnthropicDecoder::on_event(const SseEvent& event) {
  if (take_common_delta(event.data)) return;
  if (is_blank(event.data) || event.data == "[DONE]") return;  // gateways add these
  const auto parsed = parse_event(event.data);
  if (!parsed) return;
  std::string_view type = string_at(*parsed, "type");
  if (type.empty()) type = event.type;
  dispatch(type, *parsed);
}

// Nearly every event of a long answer has exactly this form. Reading it without building a tree is what makes decoding
// fast; whatever deviates by one byte takes the general path, which gives the same result.
bool AnthropicDecoder::take_common_delta(std::string_view data) {
  if (!take(data, R"({"type":"content_block_delta","index":)")) return false;
  long index = 0;
  const auto [rest, error] = std::from_chars(data.data(), data.data() + data.size(), index);
  if (error != std::errc() || index != recent_index_ || !recent_ || !recent_->open) return false;
  const auto digits = static_cast<std::size_t>(rest - data.data());
  if (digits > 1 && data.front() == '0') return false;  // "01" is no JSON number
  data.remove_prefix(digits);
  if (!take(data, R"(,"delta":{"type":")")) return false;

  enum class Delta { text, thinking, input } delta;
  if (recent_->kind == Block::Kind::text && take(data, R"(text_delta","text":")"))
    delta = Delta::text;
  else if (recent_->kind == Block::Kind::thinking && take(data, R"(thinking_delta","thinking":")"))
    delta = Delta::thinking;
  else if (has_input(recent_->kind) && take(data, R"(input_json_delta","partial_json":")"))
    delta = Delta::input;
  else
    return false;

  JsonString found;
  if (!read_json_string(data, scratch_, found)) return false;
  std::string_view tail = found.rest;
  skip_blanks(tail);
  if (!take(tail, "}")) return false;
  skip_blanks(tail);
  if (!take(tail, "}")) return false;
  skip_blanks(tail);
  if (!tail.empty()) return false;

  if (delta == Delta::text)
    add_text(*recent_, found.value);
  else if (delta == Delta::thinking)
    add_thinking(*recent_, found.value);
  else
    add_input(*recent_, found.value);
  return true;
}

void AnthropicDecoder::dispatch(std::string_view type, const Json& event) {
  if (type == "content_block_delta") return block_delta(event);
  if (type == "content_block_start") return block_start(event);
  if (type == "content_block_stop") return block_stop(event);
  if (type == "message_start") return message_start(event);
  if (type == "message_delta") return message_delta(event);
  if (type == "error") return fail_with_wire(event);
  if (type == "message_stop") {
    closed_by_server_ = true;
    end();
  }
  // Everything else (ping, and what is added later) only shows that the connection lives.
}

void AnthropicDecoder::message_start(const Json& event) {
  const Json* message = member(event, "message");
  const std::string id(message ? string_at(*message, "id") : std::string_view());
  if (started_) {
    if (id != turn_.id || !slots_.empty())
      fail(ErrorKind::protocol, "protocol_error", "the server began a second answer inside the first");
    return;
  }
  started_ = true;
  turn_.id = id;
  if (!message) return;
  turn_.model = string_at(*message, "model");
  if (const Json* usage = member(*message, "usage")) take_usage(*usage);
}

void AnthropicDecoder::block_start(const Json& event) {
  const auto index = number_at(event, "index");
  const Json* block = member(event, "content_block");
  if (!index || !block || !block->is_object())
    return fail(ErrorKind::protocol, "protocol_error", "the server began a content block without index or content");
  if (!keep(dump_json(*block).size() + sizeof(Slot))) return;
  const auto [at, fresh] = slots_.try_emplace(*index);
  if (!fresh) return fail(ErrorKind::protocol, "protocol_error", "the server began the same content block twice");
  Slot& slot = at->second;
  slot.block = *block;
  slot.kind = Block(*block).kind();
  recent_ = &slot;
  recent_index_ = *index;
  // Usually empty; what is there already counts like a first delta.
  if (slot.kind == Block::Kind::text) add_text(slot, string_at(*block, "text"));
  if (slot.kind == Block::Kind::thinking) add_thinking(slot, string_at(*block, "thinking"));
}

AnthropicDecoder::Slot* AnthropicDecoder::slot_of(const Json& event) {
  const auto index = number_at(event, "index");
  const auto found = index ? slots_.find(*index) : slots_.end();
  if (found == slots_.end()) {
    fail(ErrorKind::protocol, "protocol_error", "the server continued a content block that it never began");
    return nullptr;
  }
  recent_ = &found->second;
  recent_index_ = *index;
  return recent_;
}

void AnthropicDecoder::block_delta(const Json& event) {
  Slot* slot = slot_of(event);
  if (!slot) return;
  if (!slot->open)
    return fail(ErrorKind::protocol, "protocol_error", "the server continued a content block that it had closed");
  if (const Json* delta = member(event, "delta")) apply_delta(*slot, *delta);
}

void AnthropicDecoder::apply_delta(Slot& slot, const Json& delta) {
  const std::string_view type = string_at(delta, "type");
  if (type == "text_delta") {
    if (slot.kind == Block::Kind::text) add_text(slot, string_at(delta, "text"));
  } else if (type == "thinking_delta") {
    if (slot.kind == Block::Kind::thinking) add_thinking(slot, string_at(delta, "thinking"));
  } else if (type == "input_json_delta") {
    if (!has_input(slot.kind)) return;
    add_input(slot, string_at(delta, "partial_json"));
    slot.damaged |= damaged_event();
  } else if (keep(dump_json(delta).size())) {
    apply_rare_delta(slot, type, delta);
  }
}

void AnthropicDecoder::apply_rare_delta(Slot& slot, std::string_view type, const Json& delta) {
  if (type == "signature_delta") {
    slot.block["signature"] = string_at(delta, "signature");
  } else if (type == "citations_delta") {
    Json& citations = slot.block["citations"];
    if (!citations.is_array()) citations = Json::array();
    if (const Json* citation = member(delta, "citation")) citations.push_back(*citation);
  } else if (type == "compaction_delta") {
    Json& content = slot.block["content"];
    if (!content.is_string()) content = "";
    content.get_ref<std::string&>() += string_at(delta, "content");
    if (const Json* sealed = member(delta, "encrypted_content")) slot.block["encrypted_content"] = *sealed;
  }
}

void AnthropicDecoder::add_text(Slot& slot, std::string_view text) {
  slot.text.append(text);
  show_text(text);
}

void AnthropicDecoder::add_thinking(Slot& slot, std::string_view text) {
  slot.text.append(text);
  show_thinking(text);
}

void AnthropicDecoder::add_input(Slot& slot, std::string_view text) {
  if (keep(text.size())) slot.input_text.append(text);
}

void AnthropicDecoder::block_stop(const Json& event) {
  Slot* slot = slot_of(event);
  if (!slot || !slot->open) return;
  slot->open = false;
  if (slot->kind == Block::Kind::text) slot->block["text"] = slot->text;
  if (slot->kind == Block::Kind::thinking) slot->block["thinking"] = slot->text;
  const bool takes_input = has_input(slot->kind) && (slot->block.contains("input") || !slot->input_text.empty());
  if (slot->kind == Block::Kind::tool_use || takes_input) close_tool_use(*slot);
}

void AnthropicDecoder::close_tool_use(Slot& slot) {
  if (!slot.input_text.empty()) {
    auto input = parse_json(slot.input_text);
    slot.input_text = {};
    slot.block["input"] = input ? std::move(*input) : Json();
  }
  slot.input_ok = slot.block.contains("input") && slot.block["input"].is_object() && !slot.damaged;
  if (!slot.input_ok) slot.block["input"] = Json::object();  // the only thing the API takes back
  if (slot.kind != Block::Kind::tool_use) return;
  const Block block(slot.block);
  show_tool_use(
      {std::string(block.call_id()), std::string(block.name()), slot.input_ok ? slot.block["input"] : Json()});
}

void AnthropicDecoder::message_delta(const Json& event) {
  if (const Json* delta = member(event, "delta")) {
    if (const auto word = string_at(*delta, "stop_reason"); !word.empty()) {
      turn_.stop_text = word;
      turn_.stop = anthropic_stop(word);
    }
    if (const auto sequence = string_at(*delta, "stop_sequence"); !sequence.empty()) turn_.stop_sequence = sequence;
    if (const Json* details = member(*delta, "stop_details")) {
      turn_.refusal_category = one_line(string_at(*details, "category"));
      turn_.refusal_explanation = one_line(string_at(*details, "explanation"));
    }
  }
  if (const Json* usage = member(event, "usage")) take_usage(*usage);
}

void AnthropicDecoder::take_usage(const Json& usage) {
  if (!usage.is_object()) return;
  // The figures are totals so far: what is present replaces what was there.
  for (auto it = usage.begin(); it != usage.end(); ++it)
    if (!it->is_null() && keep(it.key().size())) turn_.usage_wire[it.key()] = *it;
  const auto set = [](long& figure, const Json& from, const char* key) {
    if (const auto value = number_at(from, key)) figure = *value;
  };
  Usage& total = turn_.usage;
  set(total.input, usage, "input_tokens");
  set(total.cache_write, usage, "cache_creation_input_tokens");
  set(total.cache_read, usage, "cache_read_input_tokens");
  set(total.output, usage, "output_tokens");
  if (const Json* writes = member(usage, "cache_creation"))
    set(total.cache_write_1h, *writes, "ephemeral_1h_input_tokens");
  if (const Json* details = member(usage, "output_tokens_details")) set(total.thinking, *details, "thinking_tokens");
  show_usage();
}

void AnthropicDecoder::on_whole_answer(const Json& body) {
  const Json* content = member(body, "content");
  if (!content || !content->is_array()) return;
  message_start(Json{{"message", body}});
  long index = 0;
  for (const auto& block : *content) {
    block_start(Json{{"index", index}, {"content_block", block}});
    if (turn_.error) return;
    block_stop(Json{{"index", index++}});
  }
  message_delta(Json{{"delta", body}});
  closed_by_server_ = true;
  end();
}

void AnthropicDecoder::complete() {
  bool all_closed = true;
  for (const auto& [index, slot] : slots_) all_closed &= !slot.open;
  const bool stopped = closed_by_server_ || !turn_.stop_text.empty();
  turn_.outcome = !stopped            ? Outcome::incomplete
                  : !all_closed       ? Outcome::stopped_with_open_block
                  : closed_by_server_ ? Outcome::complete
                                      : Outcome::complete_no_message_stop;
  const bool may_run = stopped && all_closed && turn_.stop == StopReason::tool_use;
  for (auto& [index, slot] : slots_) {
    if (slot.kind == Block::Kind::tool_use) {
      const Block block(slot.block);
      ToolUse use{std::string(block.call_id()), std::string(block.name()),
                  slot.input_ok ? slot.block["input"] : Json()};
      use.executable = may_run && !slot.open && slot.input_ok && !use.id.empty() && !use.name.empty();
      turn_.tool_uses.push_back(std::move(use));
    }
    if (turn_.ok() && turn_.stop != StopReason::refusal) add_to_replay(slot);
  }
}

/// Only what the API takes back: no empty text, no unsigned thinking, no call that was cut off.
void AnthropicDecoder::add_to_replay(const Slot& slot) {
  Json wire = slot.block;
  switch (slot.kind) {
    case Block::Kind::text:
      wire["text"] = slot.text;
      if (is_blank(slot.text)) return;
      break;
    case Block::Kind::thinking:
      wire["thinking"] = slot.text;
      if (string_at(wire, "signature").empty()) return;
      break;
    case Block::Kind::tool_use:
      if (slot.open || (!slot.input_ok && turn_.stop != StopReason::tool_use)) return;
      break;
    default:
      if (slot.open) return;
  }
  turn_.replay.emplace_back(std::move(wire));
}

}  // namespace model
