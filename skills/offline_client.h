#pragma once

#include "agent/clock.h"
#include "model/model_client.h"
#include "skills/skill_index.h"

namespace skills {

/// Answers without any model, for sites that have none: picks the runbook that fits the question, loads it, runs its
/// steps through the normal tools and approvals, and reports which expectations held. It is not a language model and
/// says so.
///
/// Everything it knows about the state of a question it reads from the request, as a model would.
class OfflineClient : public model::ModelClient {
 public:
  /// `where` names the place execute_command works on, for the report.
  OfflineClient(const SkillIndex& index, agent::Clock& clock, std::string where = "the remote host")
      : index_(index), clock_(clock), where_(std::move(where)) {}

  std::unique_ptr<Stream> start(model::Request request, model::Events events) override;

  /// The answer to a request: a pure function of it.
  model::Turn answer(const model::Request& request) const;

 private:
  model::Turn no_match(const model::Request& request) const;

  const SkillIndex& index_;
  agent::Clock& clock_;
  std::string where_;
};

}  // namespace skills
