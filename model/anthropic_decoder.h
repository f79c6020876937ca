#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "model/turn_decoder.h"

namespace model {

/// Decodes a response of Anthropic's Messages API.
class AnthropicDecoder final : public TurnDecoder {
 public:
  explicit AnthropicDecoder(TurnSink sink, TurnLimits limits = {}) : TurnDecoder(std::move(sink), limits) {}

 private:
  /// A content block on its way. What deltas bring is gathered beside the block and put in when it closes.
  struct Slot {
    Json block;
    Block::Kind kind = Block::Kind::other;
    std::string text;        ///< Of text_delta and thinking_delta.
    std::string input_text;  ///< Of input_json_delta; parsed once, at the end.
    bool open = true;
    bool damaged = false;   ///< A fragment of the input had to be mended: it must not be run.
    bool input_ok = false;  ///< The input is an object.
  };

  void on_event(const SseEvent& event) override;
  void on_whole_answer(const Json& body) override;
  void complete() override;

  bool take_common_delta(std::string_view data);
  void dispatch(std::string_view type, const Json& event);
  void message_start(const Json& event);
  void block_start(const Json& event);
  void block_delta(const Json& event);
  void apply_delta(Slot& slot, const Json& delta);
  void apply_rare_delta(Slot& slot, std::string_view type, const Json& delta);
  void block_stop(const Json& event);
  void close_tool_use(Slot& slot);
  void message_delta(const Json& event);
  void take_usage(const Json& usage);

  Slot* slot_of(const Json& event);
  void add_text(Slot& slot, std::string_view text);
  void add_thinking(Slot& slot, std::string_view text);
  void add_input(Slot& slot, std::string_view text);
  void add_to_replay(const Slot& slot);

  std::map<long, Slot> slots_;  ///< By index: that is the order of the finished message.
  Slot* recent_ = nullptr;      ///< The slot of the last delta, so that the next one finds it at once.
  long recent_index_ = -1;
  std::string scratch_;
  bool started_ = false;
  bool closed_by_server_ = false;  ///< message_stop came.
};

}  // namespace model
