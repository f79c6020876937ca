#include "panel/block.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/messages.h"
#include "panel/shell_colors.h"
#include "panel/text_wrap.h"
#include "terminal/cell.h"

namespace panel {
namespace {

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

/// Rows of plain text behind a bar.
void add_barred(std::string_view text, Role role, int width, const Signs& signs, Lines& out) {
  for (auto& row : wrap_text(text, std::max(width - 2, 1))) {
    Spans spans;
    append(spans, std::string(signs.vertical) + " ", Role::frame);
    append(spans, row, role);
    out.push_back({std::move(spans)});
  }
}

}  // namespace

std::string duration_text(std::chrono::milliseconds duration) {
  const auto ms = duration.count();
  if (ms < 10'000) return std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) + " s";
  if (ms < 60'000) return std::to_string(ms / 1000) + " s";
  return std::to_string(ms / 60'000) + " min " + std::to_string(ms % 60'000 / 1000) + " s";
}

int Block::prepare(int width, const Signs& signs) {
  const bool new_width = width != width_;
  if (new_width || stale_) {
    if (new_width) lines_.clear();
    width_ = width;
    stale_ = false;
    layout(width, signs, new_width);
  }
  return static_cast<int>(lines_.size());
}

void TextBlock::layout(int width, const Signs&, bool) {
  lines_.clear();
  for (auto& row : wrap_text(text_, width)) lines_.push_back({{{std::move(row), role_, 0}}});
}

void Thinking::append(std::string_view text) {
  if (text_.size() < kLimit) text_ += base::cut_utf8(text, kLimit - text_.size());
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  lines_counted_ += lines;
  if (lines > 0 || unfolded_ || lines_.empty()) changed();
}

void Thinking::layout(int width, const Signs& signs, bool) {
  lines_.clear();
  Spans head;
  panel::append(head, std::string(signs.thinking) + " " + say(Message::thinking_folded), Role::muted,
                terminal::kItalic);
  if (!unfolded_) panel::append(head, " " + std::string(signs.folded) + " ", Role::muted);
  if (!unfolded_) panel::append(head, "Ctrl+O", Role::muted);
  lines_.push_back({std::move(head)});
  if (unfolded_) add_barred(text_, Role::muted, width, signs, lines_);
}

void Card::set_title(std::string title) {
  title_ = std::move(title);
  changed();
}

void Card::set_state(State state) {
  if (state == state_) return;
  state_ = state;
  changed();
}

void Card::finish(End end) {
  end_ = std::move(end);
  while (end_.output.ends_with('\n')) end_.output.pop_back();
  const std::size_t whole = end_.output.size();
  end_.output = std::string(base::cut_utf8(end_.output, kOutputLimit));
  // The figure counts bytes as the terminal sent them; only a real cut is worth a remark.
  const bool cut = whole > end_.output.size() || end_.truncated;
  end_.total_bytes = cut ? std::max(end_.total_bytes, whole) : end_.output.size();
  state_ = end_.state;
  changed();
}

std::string_view Card::icon(const Signs& signs) const {
  switch (place_) {
    case Place::remote:
      return signs.remote;
    case Place::local:
      return signs.local;
    case Place::skill:
      return signs.skill;
    case Place::other:
      return signs.dot;
  }
  return signs.dot;
}

Spans Card::status(const Signs& signs) const {
  Spans out;
  const std::string dot = " " + std::string(signs.dot) + " ";
  switch (state_) {
    case State::waiting:
      append(out, say(Message::card_waiting), Role::warning);
      return out;
    case State::running:
      append(out, say(Message::card_running), Role::muted);
      return out;
    case State::needs_input:
      append(out, say(Message::card_needs_input), Role::warning);
      return out;
    case State::review:
      append(out, say(Message::card_review), Role::warning);
      return out;
    case State::refused:
      append(out, std::string(signs.failed) + " " + say(Message::card_refused), Role::bad);
      return out;
    case State::done:
    case State::failed:
      break;
  }
  const bool good = state_ == State::done && end_.exit_code.value_or(0) == 0;
  std::string text(good ? signs.done : signs.failed);
  if (end_.exit_code && (*end_.exit_code != 0))
    text += " " + say(Message::card_exit, {std::to_string(*end_.exit_code)});
  if (!end_.exit_code && place_ == Place::remote && state_ == State::done)
    text += " " + say(Message::card_exit_unknown);
  append(out, text, good ? Role::ok : Role::bad);
  if (end_.duration.count() > 0) append(out, dot + duration_text(end_.duration), Role::muted);
  return out;
}

void Card::layout(int width, const Signs& signs, bool) {
  lines_.clear();
  const Spans ending = status(signs);
  const std::string head(icon(signs));
  const int indent = 3;  // A sign of one or two cells, whatever the terminal makes of it.
  Spans row;
  append(row, head + std::string(static_cast<std::size_t>(std::max(indent - base::text_width(head), 1)), ' '),
         Role::key);
  const int room = std::max(width - indent - width_of(ending) - 2, 4);
  const std::string_view title = first_line(title_);
  const bool cut = title.size() < title_.size() || base::text_width(title) > room;
  if (!cut)
    append(row, place_ == Place::skill || place_ == Place::other ? Spans{{std::string(title), Role::text, 0}}
                                                                 : color_shell(title));
  else
    append(row, shorten(std::string(title) + " ", room - 1, "").append(signs.ellipsis), Role::text);
  append(row, "  ", Role::text);
  append(row, ending);
  lines_.push_back({std::move(row)});
  if (cut && unfolded_) {
    for (const auto& part : wrap_spans(color_shell(title_), std::max(width - indent, 1))) {
      Spans spans{{std::string(static_cast<std::size_t>(indent), ' '), Role::text, 0}};
      append(spans, part);
      lines_.push_back({std::move(spans)});
    }
  }
  layout_output(width, signs);
}

void Card::layout_output(int width, const Signs& signs) {
  if (!end_.note.empty()) add_barred(end_.note, Role::warning, width, signs, lines_);
  if (end_.output.empty()) return;
  if (unfolded_) {
    add_barred(end_.output, Role::text, width, signs, lines_);
    if (end_.total_bytes > end_.output.size())
      add_barred(say(Message::output_cut, {std::to_string(end_.total_bytes - end_.output.size())}), Role::muted, width,
                 signs, lines_);
    return;
  }
  std::size_t at = 0;
  int shown = 0;
  for (; shown < kShownFolded && at < end_.output.size(); ++shown) {
    const std::string_view line = first_line(std::string_view(end_.output).substr(at));
    add_barred(shorten(line, std::max(width - 2, 1), signs.ellipsis), Role::muted, width, signs, lines_);
    at += line.size() + 1;
  }
  if (at >= end_.output.size() && end_.total_bytes <= end_.output.size()) return;
  const std::string_view rest = at < end_.output.size() ? std::string_view(end_.output).substr(at) : std::string_view();
  const auto more = rest.empty() ? 0 : std::count(rest.begin(), rest.end(), '\n') + 1;
  add_barred(say(Message::card_more, {std::to_string(more)}), Role::muted, width, signs, lines_);
}

std::string Card::plain_text() const {
  const Signs signs = ascii_signs();
  std::string text = "[" + title_ + "] " + text_of(status(signs));
  if (!end_.note.empty()) text += "\n" + end_.note;
  if (!end_.output.empty()) text += "\n" + end_.output;
  return text;
}

}  // namespace panel
