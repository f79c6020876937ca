#include "model/openai_tool_calls.h"

#include <algorithm>
#include <utility>

namespace model {
namespace {

// What a call counts as kept. Finding the call of a fragment looks through all of them: this keeps them few.
constexpr std::size_t kCostOfACall = 16 * 1024;

void merge_extra(Json& extra, const Json& fragment) {
  for (auto it = fragment.begin(); it != fragment.end(); ++it)
    if (it.key() != "index" && it.key() != "id" && it.key() != "type" && it.key() != "function" && !it->is_null())
      extra[it.key()] = *it;
}

}  // namespace

OpenAiCall& OpenAiToolCalls::call_for(const Json& fragment) {
  const auto index = number_at(fragment, "index");
  const std::string_view id = string_at(fragment, "id");
  const Json* function = member(fragment, "function");
  const bool named = function && !string_at(*function, "name").empty();

  auto found = calls_.rend();
  if (index) {
    // The latest with this index: Ollama uses 0 for all and tells them apart by id.
    found = std::find_if(calls_.rbegin(), calls_.rend(), [&](const auto& call) { return call.index == *index; });
    if (found != calls_.rend() && !id.empty() && !found->id.empty() && found->id != id)
      found = std::find_if(calls_.rbegin(), calls_.rend(),
                           [&](const auto& call) { return call.index == *index && call.id == id; });
  } else if (!id.empty()) {
    found = std::find_if(calls_.rbegin(), calls_.rend(), [&](const auto& call) { return call.id == id; });
  } else if (!named) {
    found = calls_.rbegin();
  }
  if (found != calls_.rend()) return *found;
  calls_.emplace_back();
  calls_.back().index = index.value_or(-1);
  return calls_.back();
}

std::size_t OpenAiToolCalls::add(const Json& fragment, bool damaged) {
  if (!fragment.is_object()) return 0;
  const std::size_t count = calls_.size();
  OpenAiCall& call = call_for(fragment);
  call.damaged |= damaged;
  if (call.id.empty()) call.id = string_at(fragment, "id");
  std::size_t kept = calls_.size() > count ? kCostOfACall : 0;
  const std::size_t members = call.extra.size();
  merge_extra(call.extra, fragment);
  if (call.extra.size() > members) kept += dump_json(fragment).size();
  const Json* function = member(fragment, "function");
  if (!function) return kept + 16;
  if (call.name.empty()) call.name = string_at(*function, "name");
  if (const Json* arguments = member(*function, "arguments")) {
    const std::string piece = arguments->is_string() ? arguments->get<std::string>() : dump_json(*arguments);
    call.arguments += piece;
    kept += piece.size();
  }
  return kept + 16;
}

std::vector<OpenAiCall> OpenAiToolCalls::take() {
  int number = 0;
  for (auto& call : calls_) {
    ++number;
    if (call.id.empty()) call.id = "call_" + std::to_string(number);
  }
  return std::move(calls_);
}

}  // namespace model
