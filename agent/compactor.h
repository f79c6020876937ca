#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/conversation.h"
#include "base/result.h"
#include "model/model_client.h"

namespace agent {

/// How large a request may be for a model, in tokens.
struct Window {
  long context = 200'000;
  long max_output = 16'000;

  /// What is left for the prompt: the window without room for the answer and a reserve.
  long effective() const;
};

/// Whether the history should be summarised before the next request, which may bring `coming` more tokens.
bool needs_compaction(const Conversation& conversation, const Window& window, long coming);

inline constexpr int kMostCompactionFailures = 3;

/// How the conversation is given to the model that summarises it.
enum class SummaryInput {
  whole,      ///< As it is: the prompt's prefix is in the cache.
  shortened,  ///< Results cut to a few lines: it was too long already.
};

/// One summary being written. Destroying it cancels.
class Compactor {
 public:
  using Done = std::function<void(base::Result<std::string> summary, const model::Usage& usage)>;

  Compactor(model::ModelClient& client, const Conversation& conversation, const std::string& model, SummaryInput input,
            Done done);

 private:
  std::unique_ptr<model::ModelClient::Stream> stream_;
};

/// The history after a compaction: the summary, then the question that is being answered, with its surroundings.
std::vector<model::Message> compacted_history(const Conversation& conversation, std::string_view summary);

}  // namespace agent
