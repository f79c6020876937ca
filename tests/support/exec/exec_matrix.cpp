#include "tests/support/exec/exec_matrix.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "event/timer.h"
#include "remote_exec/exec_session.h"
#include "tests/support/temp_dir.h"

namespace support {
namespace {

using remote_exec::CommandResult;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr base::Size kSize{24, 80};
constexpr milliseconds kStuck{45'000};

/// One session of one shell and the cases it runs, one after the other.
class MatrixSession {
 public:
  MatrixSession(event::EventLoop& loop, const MatrixLink& link, ShellUnderTest shell, std::vector<ExecCase> cases)
      : loop_(loop),
        link_(link),
        shell_(std::move(shell)),
        cases_(std::move(cases)),
        clock_(loop),
        resizer_(loop),
        random_(static_cast<unsigned>(cases_.size())) {
    open();
    clock_.repeat(milliseconds(3), [this] { tick(); });
    if (link_.resizes) arm_resizer();
  }

  bool done() const { return at_ == cases_.size(); }

 private:
  enum class Step { getting_ready, running_case, checking_alive };

  void open() {
    session_ = std::make_unique<remote_exec::ExecSession>(loop_, link_.open(loop_, shell_, home_.path(), kSize),
                                                          remote_exec::ExecSession::Settings{.size = kSize});
    session_->start();
    run(Step::getting_ready, "echo ready", milliseconds(20'000));
  }

  void run(Step step, const std::string& command, milliseconds timeout) {
    step_ = step;
    command_ = command;
    timeout_ = timeout;
    begun_ = Clock::now();
    result_.reset();
    remote_exec::ExecRequest request;
    request.command = command;
    request.timeout = timeout;
    request.attended = false;
    session_->run(std::move(request), {{}, {}, [this](CommandResult result) {
                                         result_ = std::move(result);
                                         took_ = Clock::now() - begun_;
                                       }});
  }

  void tick() {
    if (done()) return;
    if (Clock::now() - begun_ > kStuck) {
      ADD_FAILURE() << where() << "stuck; screen:\n" << screen_text(0);
      ++at_;
      if (!done()) open();
      return;
    }
    if (!result_ || !session_->shell().idle()) return;
    if (cut_by_resize()) return run(step_, std::string(command_), timeout_);
    SCOPED_TRACE(where());
    switch (step_) {
      case Step::getting_ready:
        EXPECT_EQ(result_->output, "ready\n") << result_->note_for_operator << screen_text(0);
        return run_case();
      case Step::running_case:
        EXPECT_LT(took_, cases_[at_].bound + link_.slack);
        expect_result(shell_, cases_[at_], *result_);
        return run(Step::checking_alive, "echo alive", milliseconds(20'000));
      case Step::checking_alive:
        check_after();
        ++at_;
        return run_case();
    }
  }

  /// fish drops what it was writing, a mark perhaps, when a resize interrupts it, and says so.
  bool cut_by_resize() const {
    return link_.resizes && result_->output.find("write: Interrupted system call") != std::string::npos;
  }

  void run_case() {
    while (!done() && command().empty()) ++at_;
    if (done()) return session_.reset();
    const auto& screen = session_->screen();
    first_line_ = screen.end_line() - static_cast<std::uint64_t>(screen.size().rows - screen.cursor().row);
    if (link_.resizes) first_line_ = 0;
    title_ = screen.title();
    run(Step::running_case, command(), cases_[at_].timeout);
  }

  void check_after() {
    EXPECT_EQ(result_->output, "alive\n") << screen_text(first_line_);
    EXPECT_EQ(result_->exit_code, 0);
    const std::string text = screen_text(first_line_);
    // Rows that were cut while the terminal was narrow stay cut.
    if (!link_.resizes) {
      EXPECT_NE(text.find("echo alive\n"), std::string::npos) << text;
      EXPECT_NE(text.find("\nalive\n"), std::string::npos) << text;
    }
    showed_numbers_ = showed_numbers_ || command().find("7717") != std::string::npos;
    expect_nothing_of_ours(text, link_.resizes && showed_numbers_ ? "7717" : command());
    expect_sane(session_->screen());
    EXPECT_EQ(session_->screen().title(), title_);
  }

  void arm_resizer() {
    // less drops what is typed while it redraws, so there a person would have to press keys again and again.
    const bool full_screen = session_ && session_->screen().alternate();
    resizer_.start(milliseconds(full_screen ? 700 : 5 + random_() % 120), [this] {
      if (!session_) return;
      // fish fills a window that is narrower than its prompt to the last column, and goes on below: no prompt is left
      // in front of the cursor to know it by.
      const int least = shell_.dialect == remote_exec::Shell::fish ? 60 : 20;
      session_->resize({static_cast<int>(5 + random_() % 36), least + static_cast<int>(random_() % 180)});
      arm_resizer();
    });
  }

  std::string command() const { return cases_[at_].words_for(shell_.dialect); }
  std::string where() const { return shell_.name + ", " + (done() ? "" : cases_[at_].name) + ": "; }
  std::string screen_text(std::uint64_t from) const {
    const auto& screen = session_->screen();
    return screen.text(std::max(from, screen.first_line()), screen.end_line());
  }

  event::EventLoop& loop_;
  const MatrixLink& link_;
  ShellUnderTest shell_;
  std::vector<ExecCase> cases_;
  std::size_t at_ = 0;
  TempDir home_;
  event::Timer clock_;
  event::Timer resizer_;
  std::mt19937 random_;
  std::unique_ptr<remote_exec::ExecSession> session_;
  Step step_ = Step::getting_ready;
  std::string command_;
  milliseconds timeout_{};
  Clock::time_point begun_;
  Clock::duration took_{};
  std::optional<CommandResult> result_;
  std::uint64_t first_line_ = 0;  ///< Where the screen stood before the case.
  std::string title_;
  bool showed_numbers_ = false;
};

}  // namespace

std::unique_ptr<transport::PtyTransport> open_on_pty(event::EventLoop& loop, const ShellUnderTest& shell,
                                                     const std::string& home, base::Size size) {
  auto pty = transport::PtyTransport::launch(
      loop, {.argv = shell.argv, .environment = environment_of(shell, home), .size = size});
  if (!pty) throw std::runtime_error(pty.error().message);
  return std::move(*pty);
}

void run_matrix(event::EventLoop& loop, const MatrixLink& link) {
  std::vector<std::unique_ptr<MatrixSession>> sessions;
  for (const auto& shell : link.shells) {
    for (int part = 0; part < link.sessions_per_shell; ++part) {
      std::vector<ExecCase> dealt;
      for (std::size_t i = static_cast<std::size_t>(part); i < link.cases.size();
           i += static_cast<std::size_t>(link.sessions_per_shell))
        dealt.push_back(link.cases[i]);
      sessions.push_back(std::make_unique<MatrixSession>(loop, link, shell, std::move(dealt)));
    }
  }
  const auto all_done = [&] {
    return std::all_of(sessions.begin(), sessions.end(), [](const auto& session) { return session->done(); });
  };
  EXPECT_TRUE(loop.run_until(all_done, std::chrono::minutes(3)));
}

}  // namespace support
