#include "agent/agent.h"

#include <utility>

#include "agent/loop.h"

namespace agent {

Exchange::~Exchange() {
  loop_->abandon();
}

void Exchange::cancel() {
  const auto keep = loop_;
  keep->cancel();
}

void Exchange::add_input(std::string text) {
  loop_->add_input(std::move(text));
}

bool Exchange::ended() const {
  return loop_->ended();
}

std::unique_ptr<Exchange> Agent::ask(Conversation& conversation, Question question, Observer& observer) const {
  auto loop = std::make_shared<Loop>(parts_, options_, conversation, std::move(question), observer);
  loop->start();
  return std::make_unique<Exchange>(std::move(loop));
}

std::unique_ptr<Exchange> Agent::compact(Conversation& conversation, Observer& observer) const {
  auto loop = std::make_shared<Loop>(parts_, options_, conversation, Question{}, observer);
  loop->start_compaction();
  return std::make_unique<Exchange>(std::move(loop));
}

}  // namespace agent
