#include "panel/shell_block.h"

#include <algorithm>
#include <utility>

#include "panel/messages.h"
#include "panel/shell_colors.h"
#include "panel/text_wrap.h"

namespace panel {

ShellBlock::ShellBlock(std::string command) : command_(std::move(command)) {
  handle_->block_ = this;
}

void ShellBlock::Handle::set_output(std::string output) {
  if (!block_) return;
  while (output.ends_with('\n')) output.pop_back();
  block_->output_ = std::move(output);
  block_->changed();
}

void ShellBlock::Handle::finish(End end) {
  if (!block_) return;
  block_->end_ = std::move(end);
  block_->changed();
}

/// "✓ done · 0.3 s", "✗ exit 2 · 0.1 s", "✗ stopped · 4.0 s"
std::string ShellBlock::ending(const Signs& signs) const {
  const bool good = end_->exit_code == 0;
  std::string text(good ? signs.done : signs.failed);
  text += " " + (good              ? say(Message::shell_done)
                 : end_->exit_code ? say(Message::shell_exit, {std::to_string(*end_->exit_code)})
                                   : end_->note);
  return text + " " + std::string(signs.dot) + " " + duration_text(end_->duration);
}

void ShellBlock::layout(int width, const Signs& signs, bool) {
  lines_.clear();
  Spans line;
  append(line, "$ ", Role::key);
  append(line, color_shell(command_));
  for (auto& row : wrap_spans(line, std::max(width, 1))) lines_.push_back({std::move(row)});
  if (!output_.empty())
    for (auto& row : wrap_text(output_, std::max(width, 1))) lines_.push_back({{{std::move(row), Role::text, 0}}});
  const Role role = !end_ ? Role::muted : end_->exit_code == 0 ? Role::ok : Role::bad;
  const std::string last = end_ ? ending(signs) : say(Message::shell_running);
  for (auto& row : wrap_text(last, std::max(width, 1))) lines_.push_back({{{std::move(row), role, 0}}});
}

std::string ShellBlock::plain_text() const {
  std::string text = "$ " + command_;
  if (!output_.empty()) text += "\n" + output_;
  if (end_) text += "\n" + ending(ascii_signs());
  return text;
}

}  // namespace panel
