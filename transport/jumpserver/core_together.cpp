// Several requests to core at the same time. Each runs in a fiber of its own, so that signing, another credential
// after a 401 and everything else happen as for a single one.
#include <memory>
#include <utility>

#include "transport/jumpserver/core_client.h"

namespace transport::jumpserver {
namespace {

/// One of them: its fiber and what that works with.
struct Branch {
  Branch(event::EventLoop& loop, SshPrompter& nobody) : setup(loop, nobody, {}) {}

  ConnectionSetup setup;
  std::unique_ptr<event::Fiber> fiber;
};

}  // namespace

std::vector<CoreResult<Json>> CoreClient::together(ConnectionSetup& setup, const std::vector<Call>& calls) {
  if (calls.size() == 1) return {ask(setup, calls.front())};
  std::vector<CoreResult<Json>> answers(calls.size(),
                                        tl::unexpected(CoreError{CoreError::Kind::cancelled, 0, "", "interrupted"}));
  std::size_t under_way = calls.size();
  NobodyToAsk nobody;  // Two questions at once would be one too many, and so would two sign-ins.
  const bool signing_in = std::exchange(signing_in_, true);
  std::vector<std::unique_ptr<Branch>> branches;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    Branch& branch = *branches.emplace_back(std::make_unique<Branch>(loop_, nobody));
    branch.fiber = std::make_unique<event::Fiber>(loop_, [this, i, &branch, &answers, &calls, &under_way, &setup] {
      answers[i] = ask(branch.setup, calls[i]);
      --under_way;
      setup.fiber().wake();
    });
    branch.setup.set_fiber(branch.fiber.get());
    branch.fiber->wake();
  }
  while (under_way > 0 && setup.fiber().wait() != event::Fiber::Woken::cancelled) {
  }
  branches.clear();  // Those still under way end now, while there is a place for their answers.
  signing_in_ = signing_in;
  // A sign-in that has ended concerns them all: whoever asked may be able to sign in again.
  const auto signed_out = [&](std::size_t i) {
    return !answers[i] && answers[i].error().kind == CoreError::Kind::signed_out &&
           !calls[i].path.starts_with("/koko/");
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!signed_out(i)) continue;
    answers[i] = ask(setup, calls[i]);
    if (signed_out(i)) break;
  }
  return answers;
}

}  // namespace transport::jumpserver
