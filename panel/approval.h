#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "panel/block.h"
#include "panel/input_box.h"
#include "panel/panel_action.h"
#include "terminal/key.h"

namespace panel {

/// A call that wants to run, with everything the operator should know before answering. All clean text.
struct ApprovalView {
  std::string command;  ///< In full.
  std::string target;   ///< The host, or "this machine".
  std::string user;     ///< As whom; empty: not known.
  std::string effect;   ///< "changes", "destructive"
  std::string reason;
  std::string recorded;  ///< What the bastion will record; empty: nothing is known of that.
  std::string purpose;   ///< The model's own words, as are the next three.
  std::string check;
  std::string backup;
  std::string rollback;
  std::string taint;  ///< Why more care than usual is due; may be empty.
  bool destructive = false;
  bool may_last = false;       ///< "This session" can be answered.
  std::string always_rule;     ///< The exact rule that "always" would save; empty: none.
  std::string always_refused;  ///< Then why not.
  std::string confirm_word;    ///< Must be typed before it runs; empty: the key y is enough.
};

/// The question itself: a block at the end of the conversation and the keys that answer it.
///
/// Keys that were on their way do not answer: it listens once the keyboard has been quiet for half a second.
class Approval final : public Block {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kQuiet{500};

  enum class Step : std::uint8_t { keys, confirm, note, edit, always };

  Approval(ApprovalView view, Time shown) : view_(std::move(view)), last_key_(shown) {}

  /// True when this key must not answer; it belongs to whatever was being typed before.
  bool stray(Time now);
  /// What the key does; nothing when it means nothing here.
  std::optional<PanelAction> handle_key(const terminal::Key& key);
  /// Back from a field to the keys; false when there is none open.
  bool step_back();

  Step step() const { return step_; }
  /// Where a note, the word or the edited command is typed.
  InputBox& field() { return field_; }
  /// What stands before the field, or instead of it.
  std::string prompt() const;
  std::vector<Hint> hints() const;
  const ApprovalView& view() const { return view_; }

  std::string plain_text() const override;
  std::size_t bytes() const override { return view_.command.size(); }

 private:
  void layout(int width, const Signs& signs, bool new_width) override;
  void add_facts(int width, const Signs& signs);
  std::optional<PanelAction> choose(char32_t key);
  std::optional<PanelAction> submit();
  void go_to(Step step, std::string_view text = {});

  ApprovalView view_;
  Time last_key_;
  Step step_ = Step::keys;
  InputBox field_;
  bool wrong_word_ = false;
};

}  // namespace panel
