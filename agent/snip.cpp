// Snipping: a long conversation keeps its first question and its newest ones; each in between becomes one line. It
// happens in large steps, so that the prompt's prefix stays the same for many questions afterwards.

#include <algorithm>

#include "agent/context.h"
#include "base/utf8.h"

namespace agent {
namespace {

constexpr std::string_view kDigestOpening = "<earlier_questions>";

std::string shortened(std::string_view text, std::size_t bytes) {
  std::string line = model::one_line(text, 4 * bytes);
  if (line.size() <= bytes) return line;
  return std::string(base::cut_utf8(line, bytes)) + "…";
}

/// "- question -> answer" of one question that spans [begin, end).
std::string digest_line(const std::vector<model::Message>& messages, std::size_t begin, std::size_t end) {
  std::string_view answer;
  for (std::size_t i = begin; i < end; ++i)
    if (messages[i].role == model::Role::assistant)
      for (const auto& block : messages[i].blocks)
        if (block.kind() == model::Block::Kind::text) answer = block.text();
  return "- " + shortened(question_text(messages[begin]), 120) + " -> " + shortened(answer, 160) + "\n";
}

bool is_digest(const model::Block& block) {
  return block.kind() == model::Block::Kind::text && block.text().starts_with(kDigestOpening);
}

/// The lines of the digest that a message carries already, without its frame.
std::string earlier_lines(const model::Message& message) {
  for (const auto& block : message.blocks) {
    if (!is_digest(block)) continue;
    const auto text = block.text();
    const auto begin = text.find("\n- ");
    const auto end = text.rfind("</earlier_questions>");
    if (begin != std::string_view::npos && end > begin) return std::string(text.substr(begin + 1, end - begin - 1));
  }
  return {};
}

}  // namespace

bool snip_middle(std::vector<model::Message>& messages, const SnipLimits& limits) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (begins_question(messages[i])) starts.push_back(i);
  if (starts.size() <= limits.most || limits.kept + 2 > starts.size()) return false;

  const std::size_t first_end = starts[1];
  const std::size_t tail = starts[starts.size() - limits.kept];
  std::string lines;
  for (std::size_t i = 1; i + limits.kept < starts.size(); ++i) {
    lines += earlier_lines(messages[starts[i]]);
    lines += digest_line(messages, starts[i], starts[i + 1]);
  }
  if (lines.size() > limits.digest_bytes) {  // The oldest lines go first.
    const auto from = lines.find("\n- ", lines.size() - limits.digest_bytes);
    lines = from == std::string::npos ? std::string() : lines.substr(from + 1);
  }
  auto& next = messages[tail];
  std::erase_if(next.blocks, is_digest);
  next.blocks.insert(next.blocks.begin(), model::Block::text(std::string(kDigestOpening) +
                                                             "\nQuestions that were left out here, one line each:\n" +
                                                             lines + "</earlier_questions>"));
  messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(first_end),
                 messages.begin() + static_cast<std::ptrdiff_t>(tail));
  drop_thinking(messages);
  return true;
}

}  // namespace agent
