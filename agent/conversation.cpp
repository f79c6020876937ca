#include "agent/conversation.h"

#include <utility>

namespace agent {
namespace {

constexpr long kPerMessage = 8;  // Roles, ids and punctuation around the words.

long count_json(const model::TokenEstimate& estimate, const model::Json& value) {
  if (value.is_string()) return estimate.tokens(value.get_ref<const std::string&>());
  if (value.is_primitive()) return 1;
  long sum = 2;
  for (const auto& [key, inner] : value.items()) sum += 2 + count_json(estimate, inner);
  return sum;
}

}  // namespace

void Conversation::prepare(std::string system, std::vector<model::ToolSpec> tools) {
  system_ = std::move(system);
  tools_ = std::move(tools);
  prepared_ = true;
}

void Conversation::append(model::Message message) {
  messages_.push_back(std::move(message));
  if (journal_) journal_->appended(messages_.back());
}

void Conversation::begin_question() {
  question_start_ = messages_.size();
  before_question_.reset();
}

void Conversation::roll_back() {
  if (before_question_) {
    messages_ = std::exchange(before_question_, std::nullopt).value();
    boundaries_.pop_back();
    if (journal_) journal_->replaced(messages_, nullptr);
  } else if (messages_.size() > question_start_) {
    messages_.resize(question_start_);
    if (journal_) journal_->rolled_back(messages_.size());
  }
  question_start_ = messages_.size();
  reminders.repeat_all();
  forget_reports();
}

void Conversation::rewrite(std::vector<model::Message> messages) {
  const bool shorter = messages.size() != messages_.size();
  messages_ = std::move(messages);
  question_start_ = messages_.size();
  forget_reports();
  // Cleared output is cleared again when a file is read back; only a change of length must be told.
  if (shorter && journal_) journal_->replaced(messages_, nullptr);
}

void Conversation::compact(std::vector<model::Message> messages, Boundary boundary) {
  if (!before_question_) {
    messages_.resize(question_start_);
    before_question_ = std::move(messages_);
  } else {
    boundaries_.pop_back();  // One boundary per question: rolling back must remove all of them.
  }
  messages_ = std::move(messages);
  question_start_ = 0;
  reminders.repeat_all();
  forget_reports();
  boundary.tokens_after = estimated_tokens();
  boundaries_.push_back(std::move(boundary));
  if (journal_) journal_->replaced(messages_, &boundaries_.back());
}

void Conversation::restore(std::vector<model::Message> messages) {
  messages_ = std::move(messages);
  question_start_ = messages_.size();
  tainted_ = !messages_.empty();
  forget_reports();
}

void Conversation::note_prompt_size(long tokens) {
  if (tokens <= 0) return;
  estimate_.correct(estimate_prefix() + estimate_messages(0), tokens);
  reported_tokens_ = tokens;
  reported_length_ = messages_.size();
}

void Conversation::forget_reports() {
  reported_tokens_ = 0;
  reported_length_ = 0;
}

long Conversation::estimate_prefix() const {
  long sum = estimate_.tokens(system_);
  for (const auto& tool : tools_) sum += estimate_.tokens(tool.description) + count_json(estimate_, tool.input_schema);
  return sum;
}

long Conversation::estimate_messages(std::size_t from) const {
  long sum = 0;
  for (std::size_t i = from; i < messages_.size(); ++i) {
    sum += kPerMessage;
    for (const auto& block : messages_[i].blocks) sum += count_json(estimate_, block.wire());
  }
  return sum;
}

long Conversation::estimated_tokens() const {
  const long known = reported_length_ == 0 ? estimate_prefix() : reported_tokens_;
  return known + estimate_messages(reported_length_);
}

}  // namespace agent
