// What koko does with a typed line: its record, its filters, its review dialogue.
#include "tests/support/koko_command_filter.h"

#include <regex>
#include <utility>

namespace test_server {
namespace {

constexpr const char* kBreakLine = "\x05\x15\r";  // Ctrl-E Ctrl-U Enter: an empty line for the shell.

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return c <= ' '; });
  return text;
}

const char* first_verdict(const KokoFilter* filter) {
  if (!filter) return "accepted";
  if (filter->action == KokoFilter::Action::reject) return "rejected";
  return filter->action == KokoFilter::Action::warning ? "warned" : "asked";
}

}  // namespace

KokoCommandFilter::KokoCommandFilter(event::EventLoop& loop, const KokoOptions& options, const KokoTexts& texts,
                                     const terminal::Screen& screen, KokoNotes& notes, Ends ends)
    : options_(options), texts_(texts), screen_(screen), notes_(notes), ends_(std::move(ends)), spinner_(loop) {}

void KokoCommandFilter::take(const std::string& packet) {
  if (review_ != Review::none) return answer(packet);
  if (screen_.alternate()) return ends_.to_shell(packet);
  const bool enter = packet.find('\r') != std::string::npos || packet.ends_with('\n');
  // The row before anything is typed is the prompt; a line that comes with its Enter is judged by an older one.
  if (typed_.empty() && !enter) prompt_ = screen_.line_at_cursor();
  typed_ += packet;
  enter ? judge(packet) : ends_.to_shell(packet);
}

// ---- A line

void KokoCommandFilter::judge(const std::string& packet) {
  KokoTyped record = read_line(packet);
  const KokoFilter* filter = matching(record.line);
  record.verdict = first_verdict(filter);
  notes_.typed.push_back(record);
  if (!filter) return ends_.to_shell(packet);
  held_ = packet;
  switch (filter->action) {
    case KokoFilter::Action::reject:
      return forbid();
    case KokoFilter::Action::review:
      return ask(Review::query, filled(texts_.review, record.line));
    case KokoFilter::Action::notify_and_warn:
      return ask(Review::risky, texts_.risky);
    case KokoFilter::Action::warning:
      return ends_.to_shell(packet);
  }
}

KokoTyped KokoCommandFilter::read_line(const std::string& packet) {
  KokoTyped record;
  std::string row = screen_.line_at_cursor();
  record.enter_alone = packet == "\r";
  if (record.enter_alone && row.starts_with(prompt_)) row.erase(0, prompt_.size());
  record.line = row + packet.substr(0, packet.find_first_of("\r\n"));
  while (record.line.ends_with(' ')) record.line.pop_back();
  const std::string raw = typed_.substr(0, typed_.find_last_not_of("\r\n") + 1);
  record.echoed = !raw.empty() && without_blanks(row).ends_with(without_blanks(raw));
  typed_.clear();
  return record;
}

const KokoFilter* KokoCommandFilter::matching(const std::string& line) {
  for (const auto& filter : options_.filters) {
    std::smatch hit;
    if (!std::regex_search(line, hit, std::regex(filter.pattern))) continue;
    hit_ = hit.str();
    return &filter;
  }
  return nullptr;
}

void KokoCommandFilter::forbid() {
  ends_.to_client("\r\n" + in_red(filled(texts_.forbidden, hit_)));
  ends_.to_shell(kBreakLine);
}

void KokoCommandFilter::break_line() {
  ends_.to_client("\r\n");
  ends_.to_shell(kBreakLine);
}

// ---- The dialogue about it

void KokoCommandFilter::ask(Review kind, const std::string& question) {
  review_ = kind;
  question_ = question;
  ends_.to_client("\r\n" + question_);
}

void KokoCommandFilter::answer(const std::string& packet) {
  review_ == Review::running ? answer_while_reviewed(packet) : answer_question(packet);
}

void KokoCommandFilter::answer_question(const std::string& packet) {
  const bool yes = packet == "y" || packet == "Y";
  if (!yes && packet != "n" && packet != "N") return ends_.to_client("\r\n" + question_);
  const Review asked = std::exchange(review_, Review::none);
  if (!yes) {
    notes_.typed.back().verdict = "declined";
    return break_line();
  }
  if (asked == Review::query) return call_reviewers();
  notes_.typed.back().verdict = "warned";
  ends_.to_shell("\r\n");
}

void KokoCommandFilter::answer_while_reviewed(const std::string& packet) {
  if (packet[0] != '\x03' && packet[0] != '\x04') {
    notes_.dropped += packet;
    return;
  }
  review_ = Review::none;
  spinner_.stop();
  notes_.typed.back().verdict = "cancelled";
  break_line();
}

void KokoCommandFilter::call_reviewers() {
  review_ = Review::running;
  waited_ = 0;
  ends_.to_client("\r\n" + in_green(texts_.ticket) + "\r\n" + in_green(filled(texts_.reviewers, "Bob(bob)")) + "\r\n" +
                  in_green(filled(texts_.copy_url, "https://jump.example.com/ui/#/tickets/1")) + "\r\n" +
                  in_green(filled(texts_.please_wait, notes_.typed.back().line)) + "\r\n");
  spinner_.repeat(options_.spinner, [this] {
    const std::string shown = ". . . " + std::to_string(++waited_) + "s";
    ends_.to_client(std::string(waited_ > 1 ? shown.size() : 0, '\b') + shown);
  });
}

void KokoCommandFilter::decide(bool yes, const std::string& reviewer) {
  if (review_ != Review::running) return;
  review_ = Review::none;
  spinner_.stop();
  ends_.to_client("\r\n" +
                  (yes ? in_green(filled(texts_.approved, reviewer)) : in_red(filled(texts_.rejected, reviewer))));
  notes_.typed.back().verdict = yes ? "reviewed" : "rejected";
  yes ? ends_.to_shell(held_) : forbid();
}

}  // namespace test_server
