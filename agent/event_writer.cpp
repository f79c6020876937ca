#include "agent/event_writer.h"

namespace agent {
namespace {

Json describe(const model::Usage& usage) {
  return {{"input", usage.input},
          {"cache_write", usage.cache_write},
          {"cache_read", usage.cache_read},
          {"output", usage.output},
          {"thinking", usage.thinking}};
}

std::string_view name_of(Compaction::Stage stage) {
  switch (stage) {
    case Compaction::Stage::started:
      return "started";
    case Compaction::Stage::done:
      return "done";
    case Compaction::Stage::failed:
      return "failed";
  }
  return "failed";
}

}  // namespace

void EventWriter::write(const Json& event) const {
  sink_(model::dump_json(event));
}

void EventWriter::on_text(std::string_view text) {
  write({{"type", "text"}, {"text", text}});
}

void EventWriter::on_thinking(std::string_view text) {
  write({{"type", "thinking"}, {"text", text}});
}

void EventWriter::on_tool_call(const ToolCall& call) {
  write({{"type", "tool_call"},
         {"id", call.id},
         {"name", call.name},
         {"input", call.input},
         {"activity", call.activity},
         {"class", agent::name_of(call.classification.effect)},
         {"reason", call.classification.reason}});
}

void EventWriter::on_approval_wanted(const ApprovalRequest& request, std::function<void(ApprovalAnswer)> answer) {
  write({{"type", "approval"},
         {"id", request.call_id},
         {"name", request.tool},
         {"subject", request.subject},
         {"class", agent::name_of(request.classification.effect)},
         {"reason", request.why_asked},
         {"decision", "denied"}});
  answer({false, "nobody is there to ask", DecidedBy::policy});
}

void EventWriter::on_tool_result(const ToolCall& call, const ToolResult& result) {
  write({{"type", "tool_result"},
         {"id", call.id},
         {"name", call.name},
         {"is_error", result.is_error},
         {"content", result.content},
         {"details", result.details}});
}

void EventWriter::on_retry(const model::Retry& retry) {
  write({{"type", "retry"},
         {"attempt", retry.attempt},
         {"max_attempts", retry.max_attempts},
         {"wait_ms", retry.wait.count()},
         {"reason", retry.reason.message},
         {"model", retry.model},
         {"fallback", retry.fallback}});
}

void EventWriter::on_compaction(const Compaction& compaction) {
  write({{"type", "compaction"},
         {"stage", name_of(compaction.stage)},
         {"reason", compaction.why},
         {"tokens_before", compaction.tokens_before},
         {"tokens_after", compaction.tokens_after},
         {"messages_before", compaction.messages_before}});
}

void EventWriter::on_usage(const Spent& spent) {
  Json event = {{"type", "usage"}, {"turn", describe(spent.turn)}, {"total", describe(spent.total)}};
  event["cost_usd"] = spent.cost_usd ? Json(*spent.cost_usd) : Json();
  write(event);
}

void EventWriter::on_notice(std::string_view notice) {
  write({{"type", "notice"}, {"text", notice}});
}

void EventWriter::on_end(const End& end) {
  if (end.ending == Ending::model_error) write({{"type", "error"}, {"message", end.note}});
  Json event = {{"type", "done"},
                {"reason", agent::name_of(end.ending)},
                {"note", end.note},
                {"rounds", end.rounds},
                {"usage", describe(end.spent.total)}};
  event["cost_usd"] = end.spent.cost_usd ? Json(*end.spent.cost_usd) : Json();
  if (!end.unsent.empty()) event["unsent"] = end.unsent;
  write(event);
}

}  // namespace agent
