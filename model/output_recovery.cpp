#include "model/output_recovery.h"

namespace model {
namespace {

constexpr int kMaxContinues = 3;

}  // namespace

OutputRecovery::Step OutputRecovery::next(const Turn& turn, long asked) {
  if (!turn.ok() || turn.stop != StopReason::max_tokens) return Step::none;
  if (!raised_ && asked < max_output_) {
    raised_ = true;
    return Step::raise_cap;
  }
  if (continued_ >= kMaxContinues || turn.replay.empty()) return Step::give_up;
  ++continued_;
  return Step::go_on;
}

Message OutputRecovery::continue_message(const Turn& turn) {
  Message message{Role::user, {}};
  for (const auto& block : turn.replay)
    if (block.kind() == Block::Kind::tool_use)
      message.blocks.push_back(
          Block::tool_result(std::string(block.call_id()), "Not run: the turn was cut off. Ask again.", true));
  message.blocks.push_back(Block::text(kContinue));
  return message;
}

}  // namespace model
