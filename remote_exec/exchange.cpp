#include "remote_exec/exchange.h"

#include <algorithm>
#include <utility>

namespace remote_exec {
namespace {

constexpr std::size_t kMaxKept = 16 * 1024;

void append_bounded(std::string& kept, std::string_view bytes) {
  kept += bytes.substr(0, kMaxKept - std::min(kMaxKept, kept.size()));
}

}  // namespace

ReadText read_text(std::string_view raw) {
  OutputCleaner cleaner;
  ReadText read;
  cleaner.feed(raw, read.text);
  read.last_line = cleaner.line_before_cursor();
  cleaner.finish(read.text);
  return read;
}

std::string Exchange::typed_mark(const Nonce& nonce) {
  return "]7717;" + nonce.text();
}

Exchange::Exchange(Plan plan, Events events)
    : plan_(std::move(plan)),
      events_(std::move(events)),
      scanner_(plan_.nonce),
      echo_(plan_.line),
      guard_(typed_mark(plan_.nonce)),
      prompt_text_(read_text(plan_.known_prompt).last_line) {
  hidden_prompt_.set_titles(EchoFilter::Titles::keep);
}

std::string Exchange::filter(std::string_view bytes) {
  scanner_.feed(bytes, *this);
  return std::exchange(out_, {});
}

std::string Exchange::beyond_line(std::string_view after) const {
  const std::string mark = typed_mark(plan_.nonce);
  return beyond_echo(after, {plan_.line, mark, prompt_text_});
}

std::string Exchange::shown_command() const {
  std::string shown = echo_.pen();
  for (const char c : plan_.shown) {
    if (c == '\n') shown += '\r';
    shown += c;
  }
  return shown;
}

void Exchange::entered() {
  if (phase_ != Phase::echoing) return;
  phase_ = Phase::entered;
  echo_.stop_matching();
  // The command appears at once, where a person would have typed it; the line feed comes with what follows.
  if (!plan_.hidden) out_ += shown_command();
}

void Exchange::on_text(std::string_view bytes) {
  switch (phase_) {
    case Phase::echoing: {
      const bool before = echo_.complete();
      echo_.feed(bytes, out_);
      if (!before && echo_.complete() && events_.on_echoed) events_.on_echoed();
      return;
    }
    case Phase::entered:
      if (!shows_instead_) return echo_.feed(bytes, out_);
      append_bounded(instead_, bytes);
      return guard_.feed(bytes, out_);
    case Phase::running:
      if (events_.on_output) events_.on_output(bytes);
      return guard_.feed(bytes, out_);
    case Phase::settling:
      return settle(bytes);
  }
}

void Exchange::on_mark(const Mark& mark) {
  if (phase_ == Phase::settling) return;
  if (mark.kind == MarkKind::start) return started();
  if (mark.kind == MarkKind::end && phase_ != Phase::running) {
    // With hooks every prompt carries an end mark; only one behind our start is ours. Else it proves that the line ran.
    if (phase_ == Phase::entered && plan_.by_hooks) hook_ended_ = true;
    if (phase_ != Phase::entered || plan_.by_hooks) return;
    start_lost_ = true;
    const std::string since_enter = beyond_line(raw_instead());
    started();
    if (events_.on_output) events_.on_output(since_enter);
  }
  ended(mark.payload);
}

void Exchange::started() {
  if (phase_ == Phase::echoing) entered();
  if (phase_ != Phase::entered) return;
  phase_ = Phase::running;
  guard_.keep_down(false);
  if (!plan_.hidden && !shows_instead_) {
    // Text before the start is the shell's own (PS0, a DEBUG trap) and belongs on the screen.
    out_ += "\r\n" + beyond_line(echo_.after()) + echo_.pen();
  }
  if (events_.on_started) events_.on_started();
}

std::string Exchange::show_instead() {
  if (phase_ != Phase::entered || shows_instead_) return {};
  shows_instead_ = true;
  guard_.keep_down(true);
  append_bounded(instead_, echo_.after());
  return "\r\n" + beyond_line(echo_.after());
}

ReadText Exchange::text_instead() const {
  return read_text(beyond_line(raw_instead()));
}

void Exchange::let_through() {
  plan_.hidden = false;
  guard_.keep_down(false);
  if (phase_ != Phase::settling) phase_ = Phase::running;
}

void Exchange::ended(const std::string& payload) {
  phase_ = Phase::settling;
  out_ += guard_.restore();
  if (events_.on_ended) events_.on_ended(payload);
}

void Exchange::settle(std::string_view bytes) {
  append_bounded(prompt_, bytes);
  if (plan_.hidden) {
    hidden_prompt_.feed(bytes, out_);
  } else {
    out_ += bytes;
  }
  if (!plan_.known_prompt.empty() && prompt_ == plan_.known_prompt && events_.on_prompt) events_.on_prompt();
}

}  // namespace remote_exec
