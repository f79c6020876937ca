// What koko does with a typed line: its record, its filters, its review dialogue.
#include "tests/support/koko_command_filter.h"

#include <regex>
#include <utility>
#include <vector>

namespace test_server {
namespace {

constexpr const char* kBreakLine = "\x05\x15\r";  // Ctrl-E Ctrl-U Enter: an empty line for the shell.

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return c <= ' '; });
  return text;
}

std::string in_one_line(std::string text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
  return text;
}

const char* first_verdict(const KokoFilter* filter) {
  if (!filter) return "accepted";
  if (filter->action == KokoFilter::Action::reject) return "rejected";
  return filter->action == KokoFilter::Action::warning ? "warned" : "asked";
}

/// The record holds at most 128 characters of a line: its beginning and its end.
std::string cut_for_record(const std::string& line) {
  constexpr std::size_t kMost = 128, kHalf = (kMost - 3) / 2;
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < line.size(); ++i)
    if ((static_cast<unsigned char>(line[i]) & 0xc0) != 0x80) starts.push_back(i);
  if (starts.size() < kMost) return line;
  return line.substr(0, starts[kHalf]) + "..." + line.substr(starts[starts.size() - kHalf]);
}

// What the record says of a line.
enum Risk { ordinary = 0, warning = 4, rejected = 5, refused = 6, approved = 7, given_up = 8 };

}  // namespace

KokoCommandFilter::KokoCommandFilter(event::EventLoop& loop, const KokoOptions& options, const KokoTexts& texts,
                                     const terminal::Screen& screen, KokoNotes& notes, Ends ends)
    : options_(options),
      texts_(texts),
      screen_(screen),
      notes_(notes),
      ends_(std::move(ends)),
      reader_(screen.size().rows, screen),
      spinner_(loop) {
  reader_.on_ran = [this](const std::string& row) {
    command_ = row;
    write_record();
  };
}

void KokoCommandFilter::take(const std::string& packet) {
  if (reader_.in_editor()) return ends_.to_shell(packet);
  if (review_ != Review::none) return answer(packet);
  typed_ += packet;
  const auto line = reader_.take(packet);
  line ? judge(packet, *line) : ends_.to_shell(packet);
}

void KokoCommandFilter::stop() {
  spinner_.stop();
  write_record();
}

// ---- A line

void KokoCommandFilter::judge(const std::string& packet, const std::string& line) {
  const std::string row = reader_.row();
  // What no prompt has ended yet is recorded now as it was asked about; this line's row is lost with it.
  if (!command_.empty()) {
    reader_.forget_row();
    write_record();
  }
  command_ = line;
  const KokoFilter* filter = matching(line);
  notes_.typed.push_back({line, row, packet == "\r", echoed(packet), first_verdict(filter)});
  typed_.clear();
  if (!filter || filter->action == KokoFilter::Action::warning) {
    if (filter) risk_ = warning;
    if (command_.find('\r') != std::string::npos) write_record();
    return ends_.to_shell(packet);
  }
  held_ = packet;
  if (filter->action == KokoFilter::Action::reject) {
    risk_ = rejected;
    return forbid(hit_);
  }
  if (filter->action == KokoFilter::Action::review) return ask(Review::query, filled(texts_.review, in_one_line(line)));
  risk_ = warning;
  ask(Review::risky, texts_.risky);
}

/// Whether the client waited until it saw its text on the terminal.
bool KokoCommandFilter::echoed(const std::string& packet) const {
  const std::string raw = typed_.substr(0, typed_.find_last_not_of("\r\n") + 1);
  const std::string row = without_blanks(screen_.line_at_cursor());
  return packet == "\r" && !raw.empty() && row.ends_with(without_blanks(raw));
}

void KokoCommandFilter::write_record() {
  if (command_.empty()) return;
  notes_.record.push_back({cut_for_record(std::exchange(command_, {})), std::exchange(risk_, ordinary)});
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

void KokoCommandFilter::forbid(const std::string& what) {
  ends_.to_client("\r\n" + as_warning(filled(texts_.forbidden, what)));
  write_record();
  reader_.forget();
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
    if (asked == Review::query) {
      risk_ = given_up;
    } else {  // Of a warning that was not confirmed nothing is recorded.
      command_.clear();
      reader_.forget();
    }
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
  risk_ = given_up;
  ends_.to_client("\r\n");
  break_line();
}

void KokoCommandFilter::call_reviewers() {
  review_ = Review::running;
  waited_ = 0;
  ends_.to_client(in_green("\r\n" + texts_.ticket + "\r\n" + filled(texts_.reviewers, "Bob(bob)") + "\r\n" +
                           filled(texts_.copy_url, "https://jump.example.com/ui/#/tickets/1") + "\r\n" +
                           filled(texts_.please_wait, in_one_line(notes_.typed.back().line)) + "\r\n"));
  turn_spinner();
  spinner_.repeat(options_.spinner, [this] { turn_spinner(); });
}

void KokoCommandFilter::turn_spinner() {
  static const char* const kDots[] = {".   ", "..  ", "... "};
  const std::string shown = kDots[waited_ % 3] + std::to_string(waited_) + "s";
  ++waited_;
  ends_.to_client(std::string(shown.size(), '\b') + shown);
}

void KokoCommandFilter::decide(bool yes, const std::string& reviewer) {
  if (review_ != Review::running) return;
  review_ = Review::none;
  spinner_.stop();
  ends_.to_client("\r\n" +
                  (yes ? in_green(filled(texts_.approved, reviewer)) : in_red(filled(texts_.rejected, reviewer))));
  notes_.typed.back().verdict = yes ? "reviewed" : "rejected";
  risk_ = yes ? approved : refused;
  yes ? ends_.to_shell(held_) : forbid(in_one_line(notes_.typed.back().line));
}

}  // namespace test_server
