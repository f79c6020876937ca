#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agent/reminders.h"
#include "model/message.h"
#include "model/model_client.h"
#include "model/model_table.h"
#include "model/turn.h"

namespace agent {

/// Where the history was replaced by a summary. The panel can show it, the session file keeps it.
struct Boundary {
  std::string why;
  std::size_t messages_before = 0;
  long tokens_before = 0;
  long tokens_after = 0;
};

/// Told about every change of a conversation, in order; enough to rebuild it.
class Journal {
 public:
  virtual ~Journal() = default;
  virtual void appended(const model::Message& message) = 0;
  virtual void rolled_back(std::size_t length) = 0;
  virtual void replaced(const std::vector<model::Message>& messages, const Boundary* boundary) = 0;
};

/// Everything that is remembered between questions: messages, usage, what the prompt's prefix is.
///
/// Between questions old parts may be rewritten; within a question it only grows, except by compaction.
class Conversation {
 public:
  /// The prefix of every request, fixed with the first question.
  void prepare(std::string system, std::vector<model::ToolSpec> tools);
  bool prepared() const { return prepared_; }
  const std::string& system() const { return system_; }
  const std::vector<model::ToolSpec>& tools() const { return tools_; }

  const std::vector<model::Message>& messages() const { return messages_; }
  void append(model::Message message);

  /// Remembers the length to roll back to. Comes before the question is appended.
  void begin_question();
  std::size_t question_start() const { return question_start_; }
  /// Back to where the question began, also across a compaction.
  void roll_back();

  /// Between questions: older messages in a shorter form.
  void rewrite(std::vector<model::Message> messages);
  /// The whole history replaced by what a summary left of it.
  void compact(std::vector<model::Message> messages, Boundary boundary);
  const std::vector<Boundary>& boundaries() const { return boundaries_; }

  /// A conversation read back from a file. Its journal hears nothing of it.
  void restore(std::vector<model::Message> messages);
  void set_journal(Journal* journal) { journal_ = journal; }

  void add_usage(const model::Usage& usage) { usage_ += usage; }
  /// What the server said about the size of a request with all the messages of now.
  void note_prompt_size(long tokens);
  const model::Usage& usage() const { return usage_; }

  /// About how many tokens the next request would have.
  long estimated_tokens() const;

  /// Text that came from a remote host has entered.
  void taint() { tainted_ = true; }
  bool tainted() const { return tainted_; }

  int compaction_failures = 0;  ///< In a row; after three nobody tries any more.
  Reminders reminders;

 private:
  void forget_reports();
  long estimate_prefix() const;
  long estimate_messages(std::size_t from) const;

  std::string system_;
  std::vector<model::ToolSpec> tools_;
  bool prepared_ = false;
  std::vector<model::Message> messages_;
  std::size_t question_start_ = 0;
  std::optional<std::vector<model::Message>> before_question_;  ///< Set by a compaction within a question.
  std::vector<Boundary> boundaries_;
  model::Usage usage_;
  long reported_tokens_ = 0;  ///< Of the messages before `reported_length_`, prefix included.
  std::size_t reported_length_ = 0;
  model::TokenEstimate estimate_;
  bool tainted_ = false;
  Journal* journal_ = nullptr;
};

}  // namespace agent
