#include "terminal/backlog.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "terminal/screen.h"

namespace terminal {

Backlog::Backlog(Screen& screen, BacklogLimits limits) : screen_(screen), limits_(limits) {}

void Backlog::append(std::string_view bytes) {
  pending_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t taken = std::min(bytes.size(), limits_.chunk - open_.size());
    open_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (open_.size() == limits_.chunk) close_open();
  }
  while (pending_ > limits_.bytes && !chunks_.empty()) {
    model_front(std::numeric_limits<std::size_t>::max());
    skip_unseen();
  }
}

void Backlog::close_open() {
  const std::size_t line_end = open_.rfind("\r\n");
  Chunk chunk{std::exchange(open_, {}), {}};
  if (!spare_.empty()) {
    open_ = std::move(spare_.back());
    spare_.pop_back();
    open_.clear();
  }
  // Without a line end it may be cut inside a sequence or a character: then it is not called plain, and nothing after
  // it is judged together with what came before.
  if (line_end != std::string::npos) {
    open_.assign(chunk.bytes, line_end + 2);
    chunk.bytes.resize(line_end + 2);
    chunk.text = look_at(chunk.bytes, screen_.size().cols);
  }
  chunks_.push_back(std::move(chunk));
  skip_unseen();
}

void Backlog::skip_unseen() {
  while (front_is_unseen()) skip_front();
}

bool Backlog::front_is_unseen() const {
  // Half of the first chunk may be modelled already, and then it begins anywhere.
  if (chunks_.size() < 2 || consumed_ > 0 || !chunks_.front().text.plain) return false;
  // The cursor may start above the bottom, over old text: up to a screenful of rows passes before each one is fresh.
  const auto size = screen_.size();
  const std::size_t needed = screen_.scrollback_limit() + 2 * static_cast<std::size_t>(size.rows) + 1;
  const bool wraps = screen_.modes().autowrap;
  std::size_t rows = 0;
  bool prints = false;  // So that the last character printed, which REP repeats, is among what is kept.
  for (std::size_t i = 1; i < chunks_.size() && chunks_[i].text.plain; ++i) {
    const PlainText& text = chunks_[i].text;
    rows += wraps && text.cols == size.cols ? text.rows : text.line_feeds;
    prints = prints || text.prints;
    if (rows >= needed && prints) return screen_.scrolls_plainly();
  }
  return false;
}

void Backlog::skip_front() {
  const Chunk& front = chunks_.front();
  screen_.write("\r");  // Where its last line left the cursor; on which row is soon forgotten.
  if (front.text.colors) screen_.write(pen_changes(std::string_view(front.bytes).substr(front.text.pen_from)));
  screen_.skip_lines(front.text.line_feeds);
  skipped_ += front.bytes.size();
  pending_ -= front.bytes.size();
  pop_front();
}

void Backlog::pop_front() {
  spare_.push_back(std::move(chunks_.front().bytes));
  chunks_.pop_front();
  consumed_ = 0;
}

std::size_t Backlog::model_front(std::size_t budget) {
  const bool closed = !chunks_.empty();
  const std::string& bytes = closed ? chunks_.front().bytes : open_;
  const std::size_t count = std::min(budget, bytes.size() - consumed_);
  screen_.write(std::string_view(bytes).substr(consumed_, count));
  pending_ -= count;
  if (!closed) {
    open_.erase(0, count);
  } else if (consumed_ += count; consumed_ == bytes.size()) {
    pop_front();
  }
  return count;
}

bool Backlog::catch_up(std::size_t budget) {
  while (budget > 0 && pending_ > 0) {
    skip_unseen();
    budget -= model_front(budget);
  }
  return pending_ == 0;
}

void Backlog::catch_up_fully() {
  catch_up(std::numeric_limits<std::size_t>::max());
}

}  // namespace terminal
