#include "remote_exec/remote_shell.h"

#include "remote_exec/client_runner.h"
#include "remote_exec/lane.h"
#include "remote_exec/line_runner.h"

namespace remote_exec {
namespace {

/// How often the clock is looked at while a command is under way; what matters most comes with bytes, not with time.
constexpr std::chrono::milliseconds kTick{10};

constexpr std::string_view kNoLink = "The connection is lost. Nothing was typed.";

}  // namespace

Run::~Run() {
  if (!link_->wanted) return;
  link_->wanted = false;
  if (!link_->shell_alive.expired()) link_->shell->stop_run(*link_, false);
}

void Run::stop() {
  if (!link_->shell_alive.expired()) link_->shell->stop_run(*link_, true);
}

RemoteShell::RemoteShell(event::EventLoop& loop, Options options, Host host)
    : loop_(loop), options_(std::move(options)), host_(std::move(host)), timer_(loop) {}

RemoteShell::~RemoteShell() = default;

std::string RemoteShell::filter(std::string_view remote_bytes) {
  if (!lane_) return std::string(remote_bytes);
  clock_.look();
  std::string shown = lane_->filter(remote_bytes);
  if (lane_->over()) {
    // Not from inside the stream: the next command looks at the screen, which has not got these bytes yet.
    loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
      if (!alive.expired()) after_event();
    });
  }
  return shown;
}

std::unique_ptr<Run> RemoteShell::run(ExecRequest request, RunCallbacks callbacks) {
  auto link = std::make_shared<RunLink>();
  link->callbacks = std::move(callbacks);
  link->shell = this;
  link->shell_alive = alive_;
  auto run = std::make_unique<Run>(link);

  if (lane_ && lane_->may_be_replaced()) {
    const ScreenView view = host_.look();
    if (!view.alternate && (view.bracketed_paste || looks_like_prompt(view.before_cursor))) lane_.reset();
  }
  if (lane_ && !next_ && (lane_->settling() || lane_->over())) {
    next_.emplace(std::move(request), std::move(link));
  } else if (lane_ || disconnected_) {
    if (disconnected_) {
      refuse(request, link, Status::disconnected, Reason::link_lost, kNoLink);
    } else {
      refuse(request, link, Status::busy, Reason::lane_busy);
    }
  } else {
    start(std::move(request), std::move(link));
  }
  return run;
}

/// Gives a result to a run of which nothing was typed.
void RemoteShell::refuse(const ExecRequest& request, const std::shared_ptr<RunLink>& link, Status status, Reason reason,
                         std::string_view note) {
  CommandResult refused;
  refused.command = request.command;
  refused.status = status;
  refused.reason = reason;
  refused.notices = status == Status::disconnected ? lost_why_ : "";
  refused.note_for_model = refused.note_for_operator = note;
  describe(refused);
  loop_.defer([link, refused = std::move(refused)] {
    const auto call = link->callbacks.on_done;
    if (link->wanted && call) call(refused);
  });
}

LaneContext RemoteShell::context() {
  return {loop_, options_, host_, memory_, operator_line_, clock_, notices_};
}

void RemoteShell::start(ExecRequest request, std::shared_ptr<RunLink> link) {
  clock_.start();
  notices_ = lock_;
  lane_ = std::make_unique<LineRunner>(context(), std::move(request), std::move(link));
  timer_.repeat(kTick, [this] { tick(); });
  lane_->begin();
  after_event();
}

void RemoteShell::tick() {
  clock_.look();
  if (lane_ && !lane_->over()) lane_->tick();
  show_held();
  after_event();
}

void RemoteShell::after_event() {
  if (lane_ && lane_->wants_client()) {
    lane_ = std::make_unique<ClientRunner>(context(), lane_->request(), lane_->link());
    lane_->begin();
  }
  if (!lane_ || !lane_->over()) return;
  show_held();
  lane_.reset();
  timer_.stop();
  if (!next_) return;
  auto [request, link] = std::move(*next_);
  next_.reset();
  if (link->wanted) start(std::move(request), std::move(link));
}

void RemoteShell::show_held() {
  if (!lane_) return;
  if (const std::string held = lane_->take_held(); !held.empty()) host_.show(held);
}

void RemoteShell::stop_run(RunLink& link, bool wants_result) {
  if (next_ && next_->second.get() == &link) {
    const auto [request, waiting] = std::move(*next_);
    next_.reset();
    if (wants_result) refuse(request, waiting, Status::interrupted, Reason::none, kNeverTyped);
    return;
  }
  if (!lane_ || lane_->link().get() != &link) return;
  lane_->stop();
}

void RemoteShell::on_operator_input(std::string_view bytes) {
  operator_line_.typed(bytes, host_.look, clock_.now());
  if (lane_) lane_->operator_input(keys_only(bytes));
}

void RemoteShell::on_notice(const transport::SessionNotice& notice) {
  using Kind = transport::SessionNotice::Kind;
  if (notice.kind != Kind::warning) lock_ = notice.kind == Kind::locked ? notice.text : "";
  if (lane_) notices_ = sentences(notices_, notice.text);
}

void RemoteShell::on_disconnected(std::string_view why) {
  disconnected_ = true;
  lost_why_ = why;
  lock_.clear();
  notices_ = sentences(notices_, why);
  memory_.proven = false;
  if (lane_) lane_->disconnected();
  if (next_) {
    refuse(next_->first, next_->second, Status::disconnected, Reason::link_lost, kNoLink);
    next_.reset();
  }
  after_event();
}

void RemoteShell::abandon() {
  timer_.stop();
  lane_.reset();
  next_.reset();
}

void RemoteShell::on_connected() {
  if (!disconnected_) return;
  disconnected_ = false;
  lost_why_.clear();
  memory_ = {};
  operator_line_ = {};
}

}  // namespace remote_exec
