#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "panel/rich_text.h"

namespace panel {

/// A block of code in an answer: something to put on the terminal's prompt.
struct Code {
  std::string language;
  std::string text;
};

/// One thing that was said or done in the conversation. Keeps its rows for the width they were laid out for, and lays
/// out again only what changed.
class Block {
 public:
  virtual ~Block() = default;

  /// Brings the rows up to date; returns how many there are.
  int prepare(int width, const Signs& signs);
  /// As of the last prepare().
  const Lines& rows() const { return lines_; }

  /// What stands before the first row.
  virtual std::string_view sign(const Signs&) const { return {}; }
  virtual Role sign_role() const { return Role::text; }
  /// Follows a block of the same sort without a blank row.
  virtual bool compact() const { return false; }
  virtual bool foldable() const { return false; }
  virtual void toggle() {}
  /// False while it says something about a thing that is still going on.
  virtual bool complete() const { return true; }
  /// More text may be added to its end.
  virtual bool grows() const { return false; }
  /// What of it can be inserted; nothing for most.
  virtual const std::vector<Code>* codes() const { return nullptr; }
  /// The number of its first code block; 0 takes the numbers away.
  virtual void number_from(int) {}
  /// Everything it says, as plain lines.
  virtual std::string plain_text() const = 0;
  virtual std::size_t bytes() const = 0;

 protected:
  void changed() { stale_ = true; }
  /// Lays out into lines_, which holds what the last call left there unless the width is new.
  virtual void layout(int width, const Signs& signs, bool new_width) = 0;

  Lines lines_;

 private:
  int width_ = 0;
  bool stale_ = true;
};

/// A question of the operator's, a remark of the panel's.
class TextBlock final : public Block {
 public:
  TextBlock(std::string text, Role role) : text_(std::move(text)), role_(role) {}

  std::string_view sign(const Signs& signs) const override { return role_ == Role::question ? signs.prompt : ""; }
  Role sign_role() const override { return Role::key; }
  bool compact() const override { return role_ != Role::question; }
  std::string plain_text() const override { return text_; }
  std::size_t bytes() const override { return text_.size(); }
  Role role() const { return role_; }
  void set_text(std::string text) {
    text_ = std::move(text);
    changed();
  }

 private:
  void layout(int width, const Signs& signs, bool new_width) override;

  std::string text_;
  Role role_;
};

/// What the model thought aloud: one row until somebody wants to read it.
class Thinking final : public Block {
 public:
  static constexpr std::size_t kLimit = 64 * 1024;

  void append(std::string_view text);
  bool foldable() const override { return true; }
  void toggle() override {
    unfolded_ = !unfolded_;
    changed();
  }
  std::string plain_text() const override { return text_; }
  std::size_t bytes() const override { return text_.size(); }

 private:
  void layout(int width, const Signs& signs, bool new_width) override;

  std::string text_;
  std::size_t lines_counted_ = 0;
  bool unfolded_ = false;
};

/// A call of the assistant's: what it is, how it goes, the beginning of what came of it.
class Card final : public Block {
 public:
  static constexpr std::size_t kOutputLimit = 128 * 1024;
  static constexpr int kShownFolded = 3;

  enum class Place : std::uint8_t { remote, local, skill, other };
  enum class State : std::uint8_t { waiting, running, needs_input, review, done, failed, refused };

  Card(std::string id, Place place, std::string title) : id_(std::move(id)), place_(place), title_(std::move(title)) {}

  const std::string& id() const { return id_; }
  const std::string& title() const { return title_; }
  State state() const { return state_; }
  void set_title(std::string title);
  void set_state(State state);
  /// How it ended. `total_bytes` says how much there was when `output` is only a part.
  struct End {
    State state = State::done;
    std::optional<int> exit_code;
    std::chrono::milliseconds duration{0};
    std::string output;
    std::size_t total_bytes = 0;
    bool truncated = false;
    std::string note;  ///< "timed out after 30 s"
  };
  void finish(End end);

  bool complete() const override { return state_ >= State::done; }
  bool compact() const override { return true; }
  bool foldable() const override { return !end_.output.empty() || title_.find('\n') != std::string::npos; }
  void toggle() override {
    unfolded_ = !unfolded_;
    changed();
  }
  std::string plain_text() const override;
  std::size_t bytes() const override { return title_.size() + end_.output.size(); }

 private:
  void layout(int width, const Signs& signs, bool new_width) override;
  void layout_output(int width, const Signs& signs);
  Spans status(const Signs& signs) const;
  std::string_view icon(const Signs& signs) const;

  std::string id_;
  Place place_;
  std::string title_;
  State state_ = State::running;
  End end_;
  bool unfolded_ = false;
};

/// "0.3 s", "12 s", "3 min 5 s"
std::string duration_text(std::chrono::milliseconds duration);

}  // namespace panel
