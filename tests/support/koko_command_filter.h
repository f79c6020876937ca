#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "event/timer.h"
#include "terminal/screen.h"
#include "tests/support/koko_line_reader.h"
#include "tests/support/koko_notes.h"
#include "tests/support/koko_options.h"
#include "tests/support/koko_texts.h"

namespace test_server {

/// koko's command filter between the keyboard and the shell. It takes each line as koko does when Enter comes, keeps
/// the bastion's record, and lets the line through, forbids it or asks: the operator, then a reviewer.
class KokoCommandFilter {
 public:
  struct Ends {
    std::function<void(const std::string&)> to_shell;
    std::function<void(const std::string&)> to_client;
  };

  /// `options`, `texts`, `screen` (the terminal as it is, with its width) and `notes` outlive it.
  KokoCommandFilter(event::EventLoop& loop, const KokoOptions& options, const KokoTexts& texts,
                    const terminal::Screen& screen, KokoNotes& notes, Ends ends);

  /// What the host printed; koko's own words are not among it.
  void feed(const std::string& bytes) { reader_.feed(bytes); }
  /// A packet of typed bytes.
  void take(const std::string& packet);
  /// A reviewer's word on the line that waits for it.
  void decide(bool yes, const std::string& reviewer);
  bool reviewing() const { return review_ == Review::running; }
  /// The session ends: nothing more is shown, and what ran last is recorded.
  void stop();

 private:
  enum class Review { none, query, running, risky };

  void judge(const std::string& packet, const std::string& line);
  bool echoed(const std::string& packet) const;
  void write_record();
  const KokoFilter* matching(const std::string& line);
  void forbid(const std::string& what);
  void break_line();
  void ask(Review kind, const std::string& question);
  void answer(const std::string& packet);
  void answer_question(const std::string& packet);
  void answer_while_reviewed(const std::string& packet);
  void call_reviewers();
  void turn_spinner();

  const KokoOptions& options_;
  const KokoTexts& texts_;
  const terminal::Screen& screen_;
  KokoNotes& notes_;
  Ends ends_;
  KokoLineReader reader_;
  std::string typed_, held_, hit_, question_;
  std::string command_;  ///< Not recorded yet.
  int risk_ = 0;
  Review review_ = Review::none;
  int waited_ = 0;
  event::Timer spinner_;
};

}  // namespace test_server
