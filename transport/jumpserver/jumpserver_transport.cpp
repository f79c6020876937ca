#include "transport/jumpserver/jumpserver_transport.h"

#include <utility>

#include "base/one_line.h"
#include "base/words.h"
#include "transport/jumpserver/koko_ssh_transport.h"
#include "transport/ssh/ssh_words.h"
#include "transport/websocket/websocket_link.h"

namespace transport::jumpserver {
namespace {

/// The token is used up by the first try, whatever it is: nothing but the one password may be tried. And never a
/// signature with SHA-1, whatever the operator's options say.
const char* const kPasswordOnly[] = {"PubkeyAuthentication=no",    "KbdInteractiveAuthentication=no",
                                     "PasswordAuthentication=yes", "PreferredAuthentications=password",
                                     "NumberOfPasswordPrompts=1",  "BatchMode=no",
                                     "IdentityAgent=none",         "IdentityFile=none",
                                     "IdentitiesOnly=yes",         "ForwardAgent=no",
                                     "HostKeyAlgorithms=-ssh-rsa*"};

/// The same for what only the system's ssh knows: nothing else to sign in with, nothing shared, nothing forwarded, and
/// nothing asked after the session stands.
const char* const kNothingElse[] = {"HostbasedAuthentication=no",
                                    "GSSAPIAuthentication=no",
                                    "AddKeysToAgent=no",
                                    "ControlMaster=no",
                                    "ControlPath=none",
                                    "ClearAllForwardings=yes",
                                    "ForwardX11=no",
                                    "PermitLocalCommand=no",
                                    "UpdateHostKeys=no",
                                    "LogLevel=INFO"};

// As the host-key checks of both engines say it, and ssh itself, which does not say whether the key is new or another.
constexpr std::string_view kKeyChanged = "HAS CHANGED", kKeyNotAccepted = "was not accepted",
                           kKeyNotVerified = "Host key verification failed";
constexpr std::string_view kOutOfReach = "jms could not reach the bastion: ";

const char* way_name(Via via) {
  return via == Via::ssh ? "the bastion's SSH port" : "the bastion's WebSocket";
}

}  // namespace

void JumpServerTransport::TokenPrompter::ask(const SshQuestion& question, Reply reply) {
  // The user's name is as good as the token for telling this question from all others: nobody else has it. The hop is
  // what the engine knows of who asks, not what somebody says.
  const bool for_token = question.kind == SshQuestion::Kind::password && question.user == koko_.user &&
                         base::lower_case(question.host) == base::lower_case(koko_.host);
  if (!for_token) {
    SshQuestion shown = question;
    for (std::string* text : {&shown.hop, &shown.instruction, &shown.text})
      *text = without_name(std::move(*text), koko_.user);
    return outer_.ask(shown, std::move(reply));
  }
  if (std::exchange(given_, true)) return reply(std::nullopt);
  reply(std::exchange(value_, Secret()));
}

JumpServerTransport::JumpServerTransport(event::EventLoop& loop, std::shared_ptr<Visit> visit, Options options,
                                         SshPrompter& prompter, Hooks hooks)
    : loop_(loop),
      visit_(std::move(visit)),
      options_(std::move(options)),
      prompter_(prompter),
      hooks_(std::move(hooks)),
      setup_(loop, prompter, hooks_.on_progress),
      on_ready_(std::exchange(hooks_.on_ready, [this] { stand(); })) {}

JumpServerTransport::~JumpServerTransport() {
  fiber_.reset();
  inner_.reset();
}

void JumpServerTransport::start(Events events) {
  events_ = std::move(events);
  run_connect();
}

void JumpServerTransport::run_connect() {
  fiber_ = std::make_unique<event::Fiber>(loop_, [this] { connect(); });
  setup_.set_fiber(fiber_.get());
  fiber_->wake();
}

void JumpServerTransport::connect() {
  auto inner = prepare();
  visit_->kept.save();
  setup_.fiber().run_outside([&] {
    if (inner) return begin(std::move(*inner));
    finish({Closed::Kind::lost, std::nullopt, inner.error().message});
  });
}

CoreResult<std::unique_ptr<Transport>> JumpServerTransport::prepare() {
  Visit& visit = *visit_;
  TokenDesk desk(visit.client, visit.facts);
  setup_.tell("asking " + visit.client.host() + " for a way to " + base::one_line(visit.wish.detail.asset.name, 80) +
              "…");
  const bool first = visit.last_token.empty() && failed_way_.empty();
  auto pass = get_pass(desk);
  if (!pass && first && visit.is_old() && could_come_from_age(pass.error())) {
    if (auto renewed = visit.renew(setup_); !renewed) return tl::unexpected(renewed.error());
    pass = get_pass(desk);
  }
  if (!pass) return tl::unexpected(pass.error());
  visit.last_token = pass->token.id;
  reviewed_ = pass->token.reviewed;
  if (first) tell_way(visit.doors->why);
  if (visit.doors->first.via == Via::ssh) return over_ssh(pass->token, pass->endpoint);
  return over_websocket(desk.koko_ticket(setup_, *pass));
}

CoreResult<Pass> JumpServerTransport::get_pass(TokenDesk& desk) {
  Visit& visit = *visit_;
  if (!visit.doors) {
    auto doors = DoorChooser(visit.client, visit.facts).choose(setup_, visit.wish);
    if (!doors) return tl::unexpected(doors.error());
    visit.doors = std::move(*doors);
  }
  return desk.pass(setup_, visit.wish, visit.doors->first, visit.last_token, typed_);
}

void JumpServerTransport::tell_way(const std::string& line) {
  if (line.empty() || !hooks_.on_way) return;
  setup_.fiber().run_outside([this, &line] {
    const auto call = hooks_.on_way;
    call(line);
  });
}

std::unique_ptr<Transport> JumpServerTransport::over_websocket(KokoTicket ticket) {
  KokoTransport::Target target;
  target.size = options_.size;
  target.times.idle_limit = ticket.idle_limit;
  target.times.longest = ticket.longest;
  target.ticket = std::move(ticket);
  KokoTransport::Hooks hooks;
  hooks.on_progress = hooks_.on_progress;
  hooks.on_ready = hooks_.on_ready;
  hooks.on_event = hooks_.on_event;
  auto koko = std::make_unique<KokoTransport>(loop_, std::move(target), std::move(hooks));
  koko_ = koko.get();
  return koko;
}

std::unique_ptr<Transport> JumpServerTransport::over_ssh(const ConnectionToken& token, const Endpoint& endpoint) {
  ssh_user_ = "JMS-" + token.id;
  SshTransport::Target target;
  target.destination = {endpoint.host, ssh_user_, endpoint.ssh_port};
  token_prompter_ = std::make_unique<TokenPrompter>(prompter_, target.destination, token.value);
  target.config = options_.ssh;
  target.config.user.clear();
  target.config.port = 0;
  target.config.identity_files.clear();
  target.config.forward_agent = false;
  target.config.files_for_hops_only = true;
  target.config.options.insert(target.config.options.begin(), std::begin(kPasswordOnly), std::end(kPasswordOnly));
  target.config.openssh_options.assign(std::begin(kNothingElse), std::end(kNothingElse));
  target.engine = options_.ssh_engine;
  target.askpass = options_.askpass;
  target.hidden_user = ssh_user_;
  target.refusal =
      "JumpServer did not take the one-time token: it was used already, has expired, or the permission has ended";
  target.term = options_.term;
  target.size = options_.size;
  SshTransport::Hooks hooks;
  // The SSH session is koko's; the asset's comes later, told by koko's words alone.
  const auto koko = std::make_shared<KokoSshTransport*>(nullptr);
  hooks.on_ready = [koko] { (*koko)->on_signed_in(); };
  if (hooks_.on_progress)
    hooks.on_progress = [tell = hooks_.on_progress, user = ssh_user_](const std::string& what) {
      tell(without_name(what, user));
    };
  auto session = std::make_unique<KokoSshTransport>(
      loop_, std::make_unique<SshTransport>(loop_, std::move(target), *token_prompter_, std::move(hooks)),
      hooks_.on_ready, KokoSshTransport::Times{});
  *koko = session.get();
  return session;
}

void JumpServerTransport::begin(std::unique_ptr<Transport> inner) {
  inner_ = std::move(inner);
  begun_ = std::chrono::steady_clock::now();
  if (paused_) inner_->pause_reading();
  inner_->resize(options_.size);
  // Each callback is copied before the call: it may destroy us.
  inner_->start({.on_bytes =
                     [this](std::string_view bytes) {
                       if (const auto call = events_.on_bytes) call(bytes);
                     },
                 .on_closed = [this](Closed closed) { on_inner_closed(std::move(closed)); },
                 .on_drained =
                     [this] {
                       if (const auto call = events_.on_drained) call();
                     }});
  if (!early_.empty()) inner_->send(std::exchange(early_, {}));
}

void JumpServerTransport::stand() {
  if (std::exchange(stood_, true)) return;
  typed_ = {};
  SlowWay(visit_->kept).opened(visit_->doors->first.via);
  visit_->kept.save();
  if (const auto call = on_ready_) call();
}

/// Nothing but the link between us and the bastion can have failed: it has not said a word, and the token is not used.
bool JumpServerTransport::link_failed() const {
  if (stood_ || closing_ || !inner_) return false;
  return koko_ ? !koko_->heard() : token_prompter_ && !token_prompter_->given();
}

/// Not after a verdict, nor when somebody is in the middle of something. A host key that has changed, or that a person
/// did not accept, is not gone round; where nobody is there to accept it, the other way has its own proof of who
/// answers.
bool JumpServerTransport::other_door_may_help(const std::string& reason) const {
  if (sent_ || reviewed_ || !failed_way_.empty() || !visit_->doors->other || !link_failed()) return false;
  if (koko_) return true;
  const bool refused = visit_->wish.may_wait_for_review && reason.find(kKeyNotAccepted) != std::string::npos;
  return !refused && reason.find(kKeyChanged) == std::string::npos && reason.find(kKeyNotVerified) == std::string::npos;
}

void JumpServerTransport::on_inner_closed(Closed closed) {
  if (!ssh_user_.empty()) closed.reason = without_name(std::move(closed.reason), ssh_user_);
  if (closed.kind == Closed::Kind::lost && link_failed()) {
    // Which door it was says more.
    if (closed.reason.starts_with(kOutOfReach)) closed.reason.erase(0, kOutOfReach.size());
    if (sign_in_may_help(closed.reason)) return sign_in_again(std::move(closed));
    if (other_door_may_help(closed.reason)) return take_the_other_door(closed.reason);
    closed.reason = opening_failure(closed.reason);
  }
  finish(std::move(closed));
}

/// koko sent us to the login page: the web session has ended, whatever else still opens the API.
bool JumpServerTransport::sign_in_may_help(const std::string& reason) const {
  return koko_ && !sent_ && !reviewed_ && !signed_in_again_ && reason.find(kSignInAgain) != std::string::npos;
}

/// Where somebody can answer, the session is had anew and this door tried again; otherwise the other one.
void JumpServerTransport::sign_in_again(Closed closed) {
  signed_in_again_ = true;
  const bool other = other_door_may_help(closed.reason);
  koko_ = nullptr;
  loop_.defer([gone = std::shared_ptr<Transport>(std::move(inner_))] {});
  fiber_ = std::make_unique<event::Fiber>(loop_, [this, other, closed]() mutable {
    const auto done = visit_->client.sign_in_again(setup_, {CoreError::Kind::signed_out, 0, "", closed.reason});
    if (done) {
      visit_->last_token.clear();  // It belongs to the sign-in that has ended.
      return connect();
    }
    setup_.fiber().run_outside([&] {
      if (other) return take_the_other_door(std::string(closed.reason));
      closed.reason = opening_failure(done.error().message);
      finish(Closed(closed));
    });
  });
  setup_.set_fiber(fiber_.get());
  fiber_->wake();
}

void JumpServerTransport::take_the_other_door(const std::string& reason) {
  Doors& doors = *visit_->doors;
  SlowWay(visit_->kept).failed(doors.first.via, std::chrono::steady_clock::now() - begun_);
  failed_way_ = std::string(way_name(doors.first.via)) + ": " + reason;
  std::swap(doors.first, *doors.other);
  visit_->last_token.clear();  // A token is for one connect method, and this one may be used up.
  koko_ = nullptr;
  // It is in the middle of its last callback.
  loop_.defer([gone = std::shared_ptr<Transport>(std::move(inner_))] {});
  const std::weak_ptr<bool> alive = alive_;
  if (const auto call = hooks_.on_way)
    call(std::string(way_name(doors.other->via)) + " did not open (" + reason + "); going over " +
         (doors.first.via == Via::ssh ? "SSH" : "the WebSocket"));
  if (!alive.expired()) run_connect();
}

std::string JumpServerTransport::opening_failure(const std::string& reason) const {
  const Doors& doors = *visit_->doors;
  const std::string way = way_name(doors.first.via);
  if (reviewed_ && doors.other)
    return way + " did not open: " + reason + "; the other way would need another approval and was not tried";
  return way + " did not open: " + reason;
}

void JumpServerTransport::finish(Closed closed) {
  if (closed.kind == Closed::Kind::lost && !failed_way_.empty() && !stood_ && !closing_)
    closed.reason = failed_way_ + "; then " + closed.reason;
  if (const auto call = std::exchange(events_, {}).on_closed) call(std::move(closed));
}

void JumpServerTransport::send(std::string_view bytes) {
  sent_ = true;
  if (inner_) return inner_->send(bytes);
  if (early_.size() + bytes.size() <= kMostEarly) early_.append(bytes);
}

void JumpServerTransport::resize(base::Size size) {
  options_.size = size;
  if (inner_) inner_->resize(size);
}

void JumpServerTransport::pause_reading() {
  paused_ = true;
  if (inner_) inner_->pause_reading();
}

void JumpServerTransport::resume_reading() {
  paused_ = false;
  if (inner_) inner_->resume_reading();
}

void JumpServerTransport::close() {
  closing_ = true;
  if (inner_) return inner_->close();
  if (fiber_) fiber_->cancel();
  loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (!alive.expired()) finish({Closed::Kind::lost, std::nullopt, "the connection was given up"});
  });
}

}  // namespace transport::jumpserver
