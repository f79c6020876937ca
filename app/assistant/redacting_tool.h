#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "agent/tool.h"

namespace app {

/// A tool whose results pass the redaction before anyone sees them: model, operator, audit log or kept conversation.
class RedactingTool final : public agent::Tool {
 public:
  using Redact = std::function<std::string(std::string_view)>;

  RedactingTool(std::unique_ptr<agent::Tool> inner, Redact redact)
      : inner_(std::move(inner)), redact_(std::move(redact)) {}

  const model::ToolSpec& spec() const override { return inner_->spec(); }
  std::string prompt_fragment(agent::Mode mode) const override { return inner_->prompt_fragment(mode); }
  base::Result<void> validate(const agent::Json& input) const override { return inner_->validate(input); }
  agent::Classification classify(const agent::Json& input) const override { return inner_->classify(input); }
  bool is_concurrency_safe(const agent::Json& input) const override { return inner_->is_concurrency_safe(input); }
  agent::InterruptBehavior interrupt_behavior() const override { return inner_->interrupt_behavior(); }
  agent::Place place() const override { return inner_->place(); }
  std::size_t max_result_chars() const override { return inner_->max_result_chars(); }
  bool keeps_result() const override { return inner_->keeps_result(); }
  std::string activity(const agent::Json& input) const override { return inner_->activity(input); }
  std::string subject(const agent::Json& input) const override { return inner_->subject(input); }
  std::optional<agent::Json> with_subject(const agent::Json& input, const std::string& text) const override {
    return inner_->with_subject(input, text);
  }

  std::unique_ptr<Run> start(const agent::Json& input, Done done) override {
    return inner_->start(input, [redact = redact_, done = std::move(done)](agent::ToolResult result) {
      result.content = redact(result.content);
      done(std::move(result));
    });
  }

 private:
  std::unique_ptr<agent::Tool> inner_;
  Redact redact_;
};

}  // namespace app
