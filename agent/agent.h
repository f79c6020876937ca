#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/auditor.h"
#include "agent/clock.h"
#include "agent/compactor.h"
#include "agent/context.h"
#include "agent/conversation.h"
#include "agent/hooks.h"
#include "agent/observer.h"
#include "agent/prompts.h"
#include "agent/tool.h"
#include "model/model_client.h"
#include "model/model_table.h"

namespace agent {

class Loop;

/// One question being answered. Destroying it cancels: the conversation is rolled back, nobody is told.
class Exchange {
 public:
  explicit Exchange(std::shared_ptr<Loop> loop) : loop_(std::move(loop)) {}
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Stops at any point: closes the stream, stops tools, rolls the conversation back, reports `aborted`. A tool that
  /// must not be cut short is waited for first.
  void cancel();

  /// What the operator types meanwhile: goes along with the next results, or comes back in End::unsent.
  void add_input(std::string text);

  bool ended() const;

 private:
  std::shared_ptr<Loop> loop_;
};

/// Answers questions with a model and tools. Holds no state of its own: that is the Conversation's.
class Agent {
 public:
  struct Parts {
    model::ModelClient& client;
    std::vector<Tool*> tools;  ///< In the order in which they are offered.
    ApprovalPolicy& policy;
    Clock& clock;
    Hooks* hooks = nullptr;
    Auditor* auditor = nullptr;
  };
  struct Options {
    int max_rounds = 10;                            ///< 0: disabled. Never more than kHardCap in all.
    std::chrono::milliseconds time_limit{300'000};  ///< Without the time the operator takes to answer; 0: none.
    double max_cost_usd = 0;                        ///< For one conversation; 0: none. Needs known prices.
    long max_total_tokens = 0;                      ///< For one conversation; 0: none.
    std::string model;                              ///< Empty: the client's own.
    model::ModelInfo model_info;
    PromptLayers prompt;
    ContextLimits context;
    SnipLimits snip;
    std::function<std::string()> make_tag;  ///< For tests; default: random.
  };
  static constexpr int kHardCap = 100;

  Agent(Parts parts, Options options) : parts_(std::move(parts)), options_(std::move(options)) {}

  /// Starts answering and returns at once; everything is reported to `observer`, from the event loop. The conversation
  /// and the observer must outlive the exchange; one exchange at a time per conversation.
  [[nodiscard]] std::unique_ptr<Exchange> ask(Conversation& conversation, Question question, Observer& observer) const;

  /// Replaces the history by a summary, now. Reported as a compaction and an end.
  [[nodiscard]] std::unique_ptr<Exchange> compact(Conversation& conversation, Observer& observer) const;

 private:
  Parts parts_;
  Options options_;
};

}  // namespace agent
