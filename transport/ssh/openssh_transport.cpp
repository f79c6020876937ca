#include "transport/ssh/openssh_transport.h"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "base/one_line.h"
#include "base/words.h"
#include "transport/ssh/askpass_question.h"
#include "transport/ssh/ssh_words.h"

namespace transport {
namespace {

// ssh tells nobody when its session stands, but makes its terminal raw then; nothing reports that either.
constexpr std::chrono::milliseconds kLookAgain(20);
constexpr std::size_t kMostWords = 8 * 1024;
constexpr int kSshOwnFailure = 255;
constexpr int kNoSuchProgram = 127;

void keep_last(std::string& text, std::string_view more) {
  text += more;
  if (text.size() > kMostWords) text.erase(0, text.size() - kMostWords);
}

bool is_yes(std::string_view text) {
  return base::lower_case(base::trimmed(text)) == "yes" || base::lower_case(base::trimmed(text)) == "y";
}

bool may_ask_on_the_terminal(const std::vector<HostSettings>& chain) {
  return std::any_of(chain.begin(), chain.end(), [](auto& hop) { return !hop.proxy_command.empty(); });
}

}  // namespace

base::Result<std::unique_ptr<OpensshTransport>> OpensshTransport::launch(event::EventLoop& loop, const Command& command,
                                                                         SshPrompter& prompter, Hooks hooks) {
  std::unique_ptr<OpensshTransport> ssh(new OpensshTransport(loop, command, prompter, std::move(hooks)));
  if (auto running = ssh->run(command); !running) return base::fail(running.error());
  return ssh;
}

OpensshTransport::OpensshTransport(event::EventLoop& loop, const Command& command, SshPrompter& prompter, Hooks hooks)
    : loop_(loop),
      prompter_(prompter),
      hooks_(std::move(hooks)),
      chain_(command.chain),
      hidden_user_(command.hidden_user),
      talks_to_tty_(command.helper.empty() || may_ask_on_the_terminal(command.chain)),
      looking_(loop) {}

OpensshTransport::~OpensshTransport() {
  withdraw();
}

base::Result<void> OpensshTransport::run(const Command& command) {
  PtyTransport::Program program;
  program.argv = command.argv;
  program.environment = {"TERM=" + command.term};
  program.size = command.size;
  if (!command.helper.empty()) {
    AskpassDesk::Events events;
    events.on_question = [this](const AskpassDesk::Question& asked) { on_question(asked); };
    events.on_withdrawn = [this] { withdraw(); };
    events.on_notice = [this](const std::string& text) {
      if (const auto call = hooks_.on_progress) call(without_name(base::one_line(text), hidden_user_));
    };
    auto desk = AskpassDesk::open(loop_, std::move(events));
    if (!desk) return base::fail(desk.error());
    desk_ = std::move(*desk);
    program.environment.push_back("SSH_ASKPASS=" + command.helper);
    program.environment.emplace_back("SSH_ASKPASS_REQUIRE=force");
    program.environment.push_back(kAskpassVariable + ("=" + desk_->path()));
  }
  auto launched = PtyTransport::launch(loop_, program);
  if (!launched) return base::fail(launched.error());
  pty_ = std::move(*launched);
  if (desk_) desk_->serve(pty_->child_pid());
  return {};
}

void OpensshTransport::start(Events events) {
  events_ = std::move(events);
  looking_.repeat(kLookAgain, [this] { look_whether_it_stands(); });
  pty_->start({.on_bytes = [this](std::string_view bytes) { on_bytes(bytes); },
               .on_closed = [this](Closed closed) { on_closed(std::move(closed)); },
               .on_drained =
                   [this] {
                     if (const auto call = events_.on_drained) call();
                   }});
}

void OpensshTransport::on_bytes(std::string_view bytes) {
  const std::weak_ptr<bool> alive = alive_;
  if (!at_question_) look_whether_it_stands();
  if (alive.expired()) return;
  if (!ready_) keep_last(tail_, bytes);
  if (!ready_ && !talks_to_tty_) return keep_last(words_, bytes);
  // Copied before the call, like every callback: it may destroy us.
  const auto call = events_.on_bytes;
  if (!call) return;
  if (ready_ || hidden_user_.empty()) return call(bytes);
  call(without_name(std::string(bytes), hidden_user_));
}

void OpensshTransport::look_whether_it_stands() {
  if (!ready_ && pty_->is_raw()) stands();
}

void OpensshTransport::stands() {
  ready_ = true;
  looking_.stop();
  withdraw();
  desk_.reset();  // Nothing more is asked, and no socket stands about while the session runs.
  const std::weak_ptr<bool> alive = alive_;
  if (const std::string words = take_words(); !words.empty())
    if (const auto call = events_.on_bytes) call(words);
  if (alive.expired()) return;
  if (!early_.empty()) pty_->send(std::exchange(early_, {}));
  if (const auto call = hooks_.on_ready) call();
}

/// What is kept, once, without the hidden name.
std::string OpensshTransport::take_words() {
  return without_name(std::exchange(words_, {}), hidden_user_);
}

void OpensshTransport::on_question(const AskpassDesk::Question& asked) {
  const std::weak_ptr<bool> alive = alive_;
  at_question_ = true;  // The desk is in the middle of this call and must not go away.
  pty_->read_now();     // What ssh printed before it asked belongs to the question.
  if (alive.expired()) return;
  at_question_ = false;
  const auto hop = static_cast<std::size_t>(asked.asker.hop);
  const bool known = asked.asker.asked_by_ssh && hop < chain_.size();
  SshQuestion question = question_of(asked.request, known ? &chain_[chain_.size() - 1 - hop] : nullptr);
  if (question.hop.empty() && !chain_.empty()) question.hop = "the way to " + chain_.back().label();
  if (question.kind == SshQuestion::Kind::host_key) host_key_of_ = question.hop;
  question.attempt = ++asked_[question.hop + "\n" + question.text];
  question.instruction = std::string(base::trimmed(take_words()));
  const bool confirm = asked.request.hint == AskpassRequest::Hint::confirm;
  question_open_ = true;
  prompter_.ask(question, [this, alive, confirm](std::optional<Secret> text) {
    if (!alive.expired() && std::exchange(question_open_, false)) reply(confirm, std::move(text));
  });
}

void OpensshTransport::reply(bool confirm, std::optional<Secret> text) {
  if (desk_ == nullptr) return;
  // ssh takes an empty answer to such a question for a yes.
  if (confirm && (!text || !is_yes(text->view()))) return desk_->refuse();
  if (text) return desk_->answer(*text);
  // Without an answer ssh would go on and offer an empty password: it must end first.
  declined_ = true;
  pty_->kill_all();
  desk_->refuse();
}

void OpensshTransport::withdraw() {
  if (std::exchange(question_open_, false)) prompter_.withdraw();
}

void OpensshTransport::on_closed(Closed closed) {
  looking_.stop();
  withdraw();
  const std::weak_ptr<bool> alive = alive_;
  // A command may be through before anybody looks; ssh passes on its code. A signal's end has a reason.
  const bool own_code = closed.exit_code != kSshOwnFailure && closed.exit_code != kNoSuchProgram;
  if (!ready_ && !declined_ && !closing_ && own_code && closed.reason.empty()) stands();
  if (alive.expired()) return;
  if (const std::string why = why_lost(closed); !why.empty()) closed = {Closed::Kind::lost, std::nullopt, why};
  if (const std::string words = take_words(); !words.empty())
    if (const auto call = events_.on_bytes) call(words);
  if (alive.expired()) return;
  const auto report = std::move(events_.on_closed);
  events_ = {};
  hooks_ = {};
  if (report) report(std::move(closed));
}

/// Empty for a session that has ended by itself, or because we closed it.
std::string OpensshTransport::why_lost(const Closed& closed) const {
  if (declined_) return host_key_of_.empty() ? "cancelled" : not_accepted();
  if (closing_) return "";
  const std::string label = chain_.empty() ? "the host" : chain_.back().label();
  if (ready_) return closed.exit_code == kSshOwnFailure ? "ssh lost the connection to " + label : "";
  const std::string why = why_ssh_failed(tail_, label);
  return !host_key_of_.empty() && why.ends_with("Host key verification failed.") ? not_accepted() : why;
}

std::string OpensshTransport::not_accepted() const {
  return "the host key of " + host_key_of_ + " was not accepted; not connected";
}

void OpensshTransport::send(std::string_view bytes) {
  if (ready_ || talks_to_tty_)
    pty_->send(bytes);
  else if (early_.size() + bytes.size() <= kMostEarly)
    early_ += bytes;
}

void OpensshTransport::close() {
  closing_ = true;
  pty_->close();
}

}  // namespace transport
