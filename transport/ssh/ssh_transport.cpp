#include "transport/ssh/ssh_transport.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "transport/ssh/pattern.h"
#include "transport/ssh/ssh_words.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kSshGoodbyeLimit(2000);
constexpr milliseconds kCloseLimit(500);
constexpr seconds kUsualInterval(
    20);  // ssh asks for no sign of life unless told to, and hangs for ever on a dead link.

/// SendEnv of our environment, then SetEnv, which wins over it.
std::vector<std::pair<std::string, std::string>> environment_for(const HostSettings& settings) {
  std::vector<std::pair<std::string, std::string>> result = settings.set_env;
  const auto has = [&](const std::string& name) {
    return std::any_of(result.begin(), result.end(), [&](auto& variable) { return variable.first == name; });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    const std::string name(text.substr(0, equals));
    if (equals == std::string_view::npos || has(name)) continue;
    const bool wanted = std::any_of(settings.send_env.begin(), settings.send_env.end(),
                                    [&](auto& pattern) { return matches_pattern(name, pattern); });
    if (wanted) result.emplace_back(name, text.substr(equals + 1));
  }
  return result;
}

}  // namespace

SshTransport::SshTransport(event::EventLoop& loop, Target target, SshPrompter& prompter, Hooks hooks)
    : loop_(loop),
      target_(std::move(target)),
      hooks_(std::move(hooks)),
      prompter_(prompter),
      setup_(loop, prompter, hooks_.on_progress) {}

SshTransport::~SshTransport() {
  alive_.reset();
  // The fiber runs to its end on what it holds; then the channel goes before its session.
  fiber_.reset();
  channel_.reset();
  session_.reset();
}

void SshTransport::start(Events events) {
  events_ = std::move(events);
  fiber_ = std::make_unique<event::Fiber>(loop_, [this] { connect(); });
  setup_.set_fiber(fiber_.get());
  fiber_->wake();
}

void SshTransport::connect() {
  base::Result<void> done;
  if (auto chain = resolve_chain(target_.destination, target_.config); !chain)
    done = base::fail(chain.error());
  else
    done = open(*chain);
  if (setup_.fiber().cancelled() && closing_) done = base::fail("cancelled");
  if (!done) setup_.fiber().run_outside([&] { finish({Closed::Kind::lost, std::nullopt, done.error().message}); });
}

base::Result<EngineDecision> SshTransport::decide(const std::vector<HostSettings>& chain) const {
  if (target_.engine == EngineChoice::openssh) return EngineDecision{SshEngine::openssh, "ssh_engine is openssh"};
  const std::string mismatch = libssh2_mismatch();
  if (target_.engine == EngineChoice::automatic)
    return mismatch.empty() ? choose_engine(chain) : EngineDecision{SshEngine::openssh, mismatch};
  if (!mismatch.empty()) return base::fail(mismatch + "; use ssh_engine=openssh or auto");
  return EngineDecision{SshEngine::libssh2, "ssh_engine is libssh2"};
}

base::Result<void> SshTransport::open(const std::vector<HostSettings>& chain) {
  const auto decided = decide(chain);
  if (!decided) return base::fail(decided.error());
  if (decided->engine == SshEngine::openssh) return run_openssh(*decided, chain);

  auto connected = connect_chain(setup_, chain, target_.engine);
  if (!connected) return base::fail(connected.error());
  if (connected->session == nullptr) return run_openssh(connected->decision, chain);
  const HostSettings& settings = chain.back();
  ShellRequest request;
  request.term = target_.term;
  request.size = target_.size;
  request.pty = settings.request_tty != TtyRequest::no;
  request.environment = environment_for(settings);
  request.command = target_.command.empty() ? settings.remote_command : target_.command;
  auto channel = open_shell(setup_, *connected->session, request, step_limit(settings));
  if (!channel) return base::fail(channel.error());
  setup_.passphrases().clear();
  run_shell(std::move(connected->session), *channel);
  tell_engine(*decided);
  setup_.fiber().run_outside([this] { begin(); });
  return {};
}

void SshTransport::run_shell(std::unique_ptr<SshSession> session, _LIBSSH2_CHANNEL* channel) {
  const bool terminal = session->settings().request_tty != TtyRequest::no;
  const auto pace = terminal ? SshChannel::Pace::bursts : SshChannel::Pace::full;
  session_ = std::move(session);
  channel_ = std::make_unique<SshChannel>(*session_, channel, pace);
  SshChannel::Events events;
  events.on_bytes = [this](std::string_view bytes) {
    // Copied before the call, like every callback: it may destroy us.
    if (const auto call = events_.on_bytes) call(bytes);
  };
  events.on_end = [this] { channel_->close(kSshGoodbyeLimit, [this] { finish_after_end(); }); };
  events.on_lost = [this](std::string reason) { finish({Closed::Kind::lost, std::nullopt, std::move(reason)}); };
  events.on_drained = [this] {
    if (const auto call = events_.on_drained) call();
  };
  if (paused_) channel_->pause_reading();
  channel_->start(std::move(events));
  const HostSettings& settings = session_->settings();
  const auto interval = settings.server_alive_interval.value_or(kUsualInterval);
  if (interval.count() > 0) channel_->keep_alive(interval, settings.server_alive_count_max);
}

base::Result<void> SshTransport::run_openssh(const EngineDecision& decision, const std::vector<HostSettings>& chain) {
  OpensshTransport::Command command;
  command.argv = openssh_command(target_.destination, target_.config);
  if (!target_.command.empty()) command.argv.push_back(target_.command);
  command.term = target_.term;
  command.size = target_.size;
  command.helper = target_.askpass;
  command.chain = chain;
  command.hidden_user = target_.hidden_user;
  // What was entered for the other engine is of no use any more.
  setup_.passphrases().clear();
  tell_engine(decision);
  setup_.tell("connecting to " + chain.back().host_name + " with the system's ssh…");
  if (setup_.fiber().cancelled()) return base::fail("cancelled");
  auto launched = OpensshTransport::launch(loop_, command, prompter_,
                                           {.on_ready = [this] { begin(); }, .on_progress = hooks_.on_progress});
  if (!launched) return base::fail(launched.error());
  openssh_ = std::move(*launched);
  if (paused_) openssh_->pause_reading();
  Events events;
  events.on_bytes = [this](std::string_view bytes) {
    if (const auto call = events_.on_bytes) call(bytes);
  };
  events.on_closed = [this](Closed closed) { finish(std::move(closed)); };
  events.on_drained = [this] {
    if (const auto call = events_.on_drained) call();
  };
  openssh_->start(std::move(events));
  if (!early_.empty()) openssh_->send(std::exchange(early_, {}));
  return {};
}

void SshTransport::tell_engine(const EngineDecision& decision) {
  if (!hooks_.on_engine) return;
  setup_.fiber().run_outside([&] {
    const auto call = hooks_.on_engine;
    call(decision);
  });
}

void SshTransport::begin() {
  const std::weak_ptr<bool> alive = alive_;
  const std::string early = std::exchange(early_, {});
  if (!early.empty()) send(early);
  if (alive.expired()) return;
  if (const auto call = hooks_.on_ready) call();
}

void SshTransport::send(std::string_view bytes) {
  if (openssh_)
    openssh_->send(bytes);
  else if (channel_)
    channel_->send(bytes);
  else if (early_.size() + bytes.size() <= kMostEarly)
    early_ += bytes;
}

std::size_t SshTransport::unsent() const {
  return openssh_ ? openssh_->unsent() : channel_ ? channel_->unsent() : early_.size();
}

void SshTransport::resize(base::Size size) {
  target_.size = size;
  if (openssh_) openssh_->resize(size);
  if (channel_) channel_->resize(size);
}

void SshTransport::pause_reading() {
  paused_ = true;
  if (openssh_) openssh_->pause_reading();
  if (channel_) channel_->pause_reading();
}

void SshTransport::resume_reading() {
  paused_ = false;
  if (openssh_) openssh_->resume_reading();
  if (channel_) channel_->resume_reading();
}

void SshTransport::close() {
  closing_ = true;
  if (openssh_) {
    openssh_->close();
  } else if (channel_) {
    channel_->close(kCloseLimit, [this] { finish({Closed::Kind::ended, std::nullopt, ""}); });
  } else if (fiber_) {
    fiber_->cancel();
    // A cancelled fiber calls nothing outside; the end is reported once it has unwound.
    loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
      if (!alive.expired()) finish({Closed::Kind::lost, std::nullopt, "cancelled"});
    });
  }
}

void SshTransport::finish_after_end() {
  Closed closed;
  closed.exit_code = channel_->exit_code();
  if (const std::string name = channel_->exit_signal(); !name.empty()) closed.reason = "ended by signal " + name;
  finish(std::move(closed));
}

/// The destination itself said no: a hop's refusal names another user.
bool SshTransport::is_refusal(std::string_view reason) const {
  const bool refused = reason.find("did not let us in") != std::string_view::npos ||
                       reason.find("Permission denied") != std::string_view::npos;
  return refused && reason.find(target_.destination.user + "@") != std::string_view::npos;
}

void SshTransport::finish(Closed closed) {
  if (!ready() && closed.kind == Closed::Kind::lost && is_refusal(closed.reason)) {
    if (!target_.refusal.empty()) closed.reason = target_.refusal + " (" + closed.reason + ")";
  }
  closed.reason = without_name(std::move(closed.reason), target_.hidden_user);
  auto report = std::move(events_.on_closed);
  events_ = {};
  hooks_ = {};
  if (report) report(std::move(closed));
}

}  // namespace transport
