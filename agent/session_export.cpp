#include <algorithm>

#include "agent/context.h"
#include "agent/session_store.h"
#include "agent/untrusted.h"
#include "base/utf8.h"

namespace agent {
namespace {

constexpr std::size_t kShownResult = 2'000;

/// Text as a code block whose fence it cannot close.
std::string code_block(std::string_view text, std::string_view language = {}) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence_line(longest + 1, '`');
  std::string block = fence_line + std::string(language) + "\n" + std::string(text);
  if (!block.ends_with('\n')) block += '\n';
  return block + fence_line + "\n\n";
}

std::string call_text(const model::Block& block) {
  const auto* input = model::member(block.wire(), "input");
  const auto command = input ? model::string_at(*input, "command") : std::string_view();
  if (!command.empty()) return code_block(command, "sh");
  return "`" + std::string(block.name()) + "` " + (input ? model::one_line(model::dump_json(*input), 300) : "") +
         "\n\n";
}

std::string result_text(const model::Block& block) {
  const auto whole = inside_fence(block.text());
  const auto shown = base::cut_utf8(whole, kShownResult);
  return code_block(std::string(shown) + (shown.size() < whole.size() ? "\n[cut]" : ""));
}

}  // namespace

std::string export_markdown(const StoredSession& session) {
  std::string out = "# " + session.info.target + ", " + session.info.created + "\n\n";
  for (const auto& message : session.messages) {
    if (begins_question(message)) {
      out += "## " + model::one_line(question_text(message), 1'000) + "\n\n";
      continue;
    }
    for (const auto& block : message.blocks) {
      if (block.kind() == model::Block::Kind::tool_use) out += call_text(block);
      if (block.kind() == model::Block::Kind::tool_result) out += result_text(block);
      if (block.kind() == model::Block::Kind::text && message.role == model::Role::assistant)
        out += std::string(block.text()) + "\n\n";
    }
  }
  return out;
}

std::string export_json(const StoredSession& session) {
  model::Json out = {{"id", session.info.id}, {"target", session.info.target}, {"created", session.info.created}};
  out["messages"] = model::Json::array();
  for (const auto& message : session.messages) {
    model::Json blocks = model::Json::array();
    for (const auto& block : message.blocks)
      if (block.kind() != model::Block::Kind::thinking && block.kind() != model::Block::Kind::redacted_thinking)
        blocks.push_back(block.wire());
    out["messages"].push_back(
        {{"role", message.role == model::Role::user ? "user" : "assistant"}, {"content", std::move(blocks)}});
  }
  return model::dump_json(out) + "\n";
}

}  // namespace agent
