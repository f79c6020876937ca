#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "panel/block.h"

namespace panel {

/// A command the operator ran on his own machine: the line, what it prints
/// while it prints it, how it ended.
class ShellBlock final : public Block {
 public:
  /// How it ended; `note` stands for an exit code that there is not.
  struct End {
    std::optional<int> exit_code;
    std::string note;
    std::chrono::milliseconds duration{0};
  };
  /// Stays good when the conversation drops the block: then it does nothing.
  class Handle {
   public:
    void set_output(std::string output);
    void finish(End end);

   private:
    friend class ShellBlock;
    ShellBlock* block_ = nullptr;
  };

  explicit ShellBlock(std::string command);
  ~ShellBlock() override { handle_->block_ = nullptr; }
  std::shared_ptr<Handle> handle() const { return handle_; }

  bool complete() const override { return end_.has_value(); }
  std::string plain_text() const override;
  std::size_t bytes() const override { return command_.size() + output_.size(); }

 private:
  void layout(int width, const Signs& signs, bool new_width) override;
  std::string ending(const Signs& signs) const;

  std::string command_;
  std::string output_;
  std::optional<End> end_;
  std::shared_ptr<Handle> handle_ = std::make_shared<Handle>();
};

}  // namespace panel
