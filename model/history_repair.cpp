#include "model/history_repair.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "model/utf8_clean.h"

namespace model {
namespace {

using Kind = Block::Kind;

constexpr const char* kNoOutput = "(no output)";
constexpr const char* kNotRun = "This call was not run: it was cancelled or its result was lost.";

bool is_call(const Block& block) {
  return block.kind() == Kind::tool_use;
}
bool is_result(const Block& block) {
  return block.kind() == Kind::tool_result;
}
bool has_calls(const Message& message) {
  return std::any_of(message.blocks.begin(), message.blocks.end(), is_call);
}

/// Ids and names as Anthropic wants them: other characters become `_`.
std::string permitted(std::string_view text, std::size_t limit) {
  std::string out(text.substr(0, limit));
  for (char& c : out) {
    const bool fine =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!fine) c = '_';
  }
  return out;
}

/// The content of a result: never absent, never blank.
Json result_content(const Json& wire) {
  const Json* content = member(wire, "content");
  if (!content) return kNoOutput;
  if (content->is_string()) return is_blank(content->get_ref<const std::string&>()) ? Json(kNoOutput) : *content;
  if (!content->is_array()) return dump_json(*content);
  Json parts = Json::array();
  for (const auto& part : *content)
    if (part.is_object() && !(string_at(part, "type") == "text" && is_blank(string_at(part, "text"))))
      parts.push_back(part);
  return parts.empty() ? Json(kNoOutput) : parts;
}

Block cleaned_call(const Block& call, Api api) {
  Block clean = call;
  const Json* input = member(call.wire(), "input");
  if (!input || !input->is_object()) clean = clean.with("input", Json::object());
  if (api != Api::anthropic) return clean;
  const std::string name = permitted(call.name(), 128);
  return name == call.name() ? clean : clean.with("name", name);
}

/// The block as it may be sent by this role; nothing when it may not.
std::optional<Block> cleaned(const Block& block, Role role, Api api) {
  const bool assistant = role == Role::assistant;
  switch (block.kind()) {
    case Kind::text:
      return is_blank(block.text()) ? std::nullopt : std::optional(block);
    case Kind::thinking:
      if (!assistant || (api == Api::anthropic && block.signature().empty())) return std::nullopt;
      return block;
    case Kind::redacted_thinking:
      return assistant ? std::optional(block) : std::nullopt;
    case Kind::tool_use:
      return assistant && !block.name().empty() ? std::optional(cleaned_call(block, api)) : std::nullopt;
    case Kind::tool_result: {
      if (assistant) return std::nullopt;
      Json content = result_content(block.wire());
      const Json* old = member(block.wire(), "content");
      return old && *old == content ? block : block.with("content", std::move(content));
    }
    case Kind::other:
      break;
  }
  return block;
}

Block without_cache_mark(const Block& block) {
  if (!block.wire().contains("cache_control")) return block;
  Json wire = block.wire();
  wire.erase("cache_control");
  Block plain(std::move(wire));
  plain.set_openai(block.openai());
  return plain;
}

void clean_blocks(Message& message, Api api) {
  std::vector<Block> kept;
  for (const auto& block : message.blocks)
    if (auto clean = cleaned(without_cache_mark(block), message.role, api)) kept.push_back(std::move(*clean));
  message.blocks = std::move(kept);
}

/// The API refuses text behind a call, and a turn that ends in thinking.
void order_assistant(Message& message) {
  const auto first_call = std::find_if(message.blocks.begin(), message.blocks.end(), is_call);
  std::stable_partition(first_call, message.blocks.end(),
                        [](const Block& block) { return block.kind() == Kind::text; });
  const Kind last = message.blocks.empty() ? Kind::other : message.blocks.back().kind();
  if (last != Kind::thinking && last != Kind::redacted_thinking) return;
  if (has_calls(message))
    std::stable_partition(message.blocks.begin(), message.blocks.end(), std::not_fn(is_call));
  else
    message.blocks.push_back(Block::text("(no text)"));
}

/// Alternating turns that begin with the user, and a user turn behind every turn with calls.
std::vector<Message> alternating(std::vector<Message> messages) {
  std::vector<Message> turns;
  for (auto& message : messages) {
    if (message.blocks.empty() && message.role == Role::assistant) continue;
    if (turns.empty() && message.role == Role::assistant)
      turns.push_back(user_message("(earlier messages were removed)"));
    const bool same = !turns.empty() && turns.back().role == message.role;
    if (same && message.role == Role::assistant && has_calls(turns.back())) {
      turns.push_back({Role::user, {}});
    } else if (same) {
      Message& last = turns.back();
      std::move(message.blocks.begin(), message.blocks.end(), std::back_inserter(last.blocks));
      last.origin = message.origin;
      last.paused = message.paused;
      continue;
    }
    turns.push_back(std::move(message));
  }
  if (turns.empty()) turns.push_back(user_message("Continue."));
  if (turns.back().role == Role::assistant && has_calls(turns.back())) turns.push_back({Role::user, {}});
  return turns;
}

/// Gives every call of the conversation its own id and brings each answer behind its call.
class Pairing {
 public:
  explicit Pairing(Api api) : api_(api) {}

  void take_calls(Message& assistant) {
    pairs_.clear();
    for (auto& block : assistant.blocks) {
      if (!is_call(block)) continue;
      const std::string old(block.call_id());
      std::string fresh = unique(api_ == Api::anthropic ? permitted(old, 256) : old);
      if (fresh != old) block = block.with("id", fresh);
      pairs_.push_back({old, std::move(fresh), std::nullopt});
    }
  }

  void answer(Message& user) {
    std::vector<Block> rest;
    for (auto& block : user.blocks) {
      if (!is_result(block)) {
        rest.push_back(std::move(block));
        continue;
      }
      const auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const Pair& candidate) {
        return !candidate.result && candidate.old_id == block.call_id();
      });
      if (pair == pairs_.end()) continue;
      pair->result = pair->new_id == pair->old_id ? std::move(block) : block.with("tool_use_id", pair->new_id);
    }
    std::vector<Block> blocks;
    for (auto& pair : pairs_)
      blocks.push_back(pair.result ? std::move(*pair.result) : Block::tool_result(pair.new_id, kNotRun, true));
    std::move(rest.begin(), rest.end(), std::back_inserter(blocks));
    if (blocks.empty()) blocks.push_back(Block::text("(this message has no content any more)"));
    user.blocks = std::move(blocks);
    pairs_.clear();
  }

 private:
  struct Pair {
    std::string old_id, new_id;
    std::optional<Block> result;
  };

  std::string unique(std::string id) {
    if (id.empty()) id = "call";
    std::string candidate = id;
    for (int number = 2; !used_.insert(candidate).second; ++number) candidate = id + "_" + std::to_string(number);
    return candidate;
  }

  Api api_;
  std::set<std::string> used_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<Message> repaired(std::vector<Message> messages, Api api) {
  for (auto& message : messages) clean_blocks(message, api);
  auto turns = alternating(std::move(messages));
  Pairing pairing(api);
  for (auto& turn : turns) {
    if (turn.role == Role::assistant) {
      order_assistant(turn);
      pairing.take_calls(turn);
    } else {
      pairing.answer(turn);
    }
  }
  if (turns.back().role == Role::assistant && !turns.back().paused) turns.push_back(user_message("Continue."));
  return turns;
}

}  // namespace model
