#include "agent/compactor.h"

#include <algorithm>
#include <utility>

#include "agent/context.h"
#include "agent/prompts.h"
#include "base/utf8.h"
#include "model/utf8_clean.h"

namespace agent {
namespace {

constexpr long kMostOutputReserve = 20'000;
constexpr long kReserve = 13'000;
constexpr long kSummaryTokens = 4'000;
constexpr std::size_t kShortResult = 500;
constexpr std::size_t kMostSummary = 24'000;

std::vector<model::Message> shortened(std::vector<model::Message> messages) {
  for (auto& message : messages)
    for (auto& block : message.blocks)
      if (block.kind() == model::Block::Kind::tool_result && block.text().size() > kShortResult)
        block = block.with("content", std::string(base::cut_utf8(block.text(), kShortResult)) + "\n[cut]");
  drop_thinking(messages);
  return messages;
}

base::Result<std::string> summary_of(const model::Turn& turn) {
  if (turn.error) return base::fail(turn.error->message);
  if (!turn.ok()) return base::fail("the summary was lost on the way");
  if (turn.stop == model::StopReason::refusal) return base::fail("the model declined to summarise");
  if (model::is_blank(turn.text)) return base::fail("the model gave no summary");
  return std::string(base::cut_utf8(turn.text, kMostSummary));
}

}  // namespace

long Window::effective() const {
  // A small window keeps at least a third for the prompt.
  return std::max(context - std::min(max_output, kMostOutputReserve) - kReserve, context / 3);
}

bool needs_compaction(const Conversation& conversation, const Window& window, long coming) {
  if (conversation.compaction_failures >= kMostCompactionFailures || conversation.messages().size() < 3) return false;
  return conversation.estimated_tokens() + coming > window.effective();
}

Compactor::Compactor(model::ModelClient& client, const Conversation& conversation, const std::string& model_name,
                     SummaryInput input, Done done) {
  model::Request request;
  request.model = model_name;
  request.system = conversation.system();
  request.tools = conversation.tools();
  request.messages = input == SummaryInput::whole ? conversation.messages() : shortened(conversation.messages());
  request.max_tokens = kSummaryTokens;
  auto ask = model::Block::text(summary_request());
  if (!request.messages.empty() && request.messages.back().role == model::Role::user)
    request.messages.back().blocks.push_back(std::move(ask));
  else
    request.messages.push_back({model::Role::user, {std::move(ask)}});
  model::Events events;
  events.on_done = [done = std::move(done)](model::Turn turn) { done(summary_of(turn), turn.usage); };
  stream_ = client.start(std::move(request), std::move(events));
}

std::vector<model::Message> compacted_history(const Conversation& conversation, std::string_view summary) {
  model::Message first;
  first.blocks.push_back(summary_block(summary));
  const auto& messages = conversation.messages();
  if (conversation.question_start() < messages.size())
    for (const auto& block : messages[conversation.question_start()].blocks)
      if (!is_summary(block)) first.blocks.push_back(block);
  return {std::move(first)};
}

}  // namespace agent
