#include "transport/jumpserver/jumpserver_transport.h"

#include <utility>

#include "base/one_line.h"
#include "base/words.h"
#include "transport/jumpserver/koko_ssh_transport.h"
#include "transport/ssh/ssh_words.h"

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
      setup_(loop, prompter, hooks_.on_progress) {}

JumpServerTransport::~JumpServerTransport() {
  fiber_.reset();
  inner_.reset();
}

void JumpServerTransport::start(Events events) {
  events_ = std::move(events);
  fiber_ = std::make_unique<event::Fiber>(loop_, [this] { connect(); });
  setup_.set_fiber(fiber_.get());
  fiber_->wake();
}

void JumpServerTransport::connect() {
  auto inner = prepare();
  setup_.fiber().run_outside([&] {
    if (inner) return begin(std::move(*inner));
    finish({Closed::Kind::lost, std::nullopt, inner.error().message});
  });
}

CoreResult<std::unique_ptr<Transport>> JumpServerTransport::prepare() {
  Visit& visit = *visit_;
  TokenDesk desk(visit.client);
  setup_.tell("asking " + visit.client.host() + " for a way to " + base::one_line(visit.wish.detail.asset.name, 80) +
              "…");
  if (!visit.door) {
    auto door = desk.choose_door(setup_, visit.wish);
    if (!door) return tl::unexpected(door.error());
    visit.door = *door;
  }
  const auto token = visit.last_token.empty() ? desk.create(setup_, visit.wish, *visit.door)
                                              : desk.exchange(setup_, visit.wish, *visit.door, visit.last_token);
  if (!token) return tl::unexpected(token.error());
  visit.last_token = token->id;
  const auto endpoint = desk.endpoint(setup_, *visit.door, visit.wish.detail.asset.id);
  if (!endpoint) return tl::unexpected(endpoint.error());
  if (visit.door->via == Via::ssh) return over_ssh(*token, *endpoint);
  auto ticket = desk.koko_ticket(*token, *endpoint);
  desk.add_limits(setup_, ticket);
  return over_websocket(std::move(ticket));
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
  return std::make_unique<KokoTransport>(loop_, std::move(target), std::move(hooks));
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
  if (paused_) inner_->pause_reading();
  inner_->resize(options_.size);
  // Each callback is copied before the call: it may destroy us.
  inner_->start({.on_bytes =
                     [this](std::string_view bytes) {
                       if (const auto call = events_.on_bytes) call(bytes);
                     },
                 .on_closed = [this](Closed closed) { finish(std::move(closed)); },
                 .on_drained =
                     [this] {
                       if (const auto call = events_.on_drained) call();
                     }});
  if (!early_.empty()) inner_->send(std::exchange(early_, {}));
}

void JumpServerTransport::finish(Closed closed) {
  if (!ssh_user_.empty()) closed.reason = without_name(std::move(closed.reason), ssh_user_);
  if (const auto call = std::exchange(events_, {}).on_closed) call(std::move(closed));
}

void JumpServerTransport::send(std::string_view bytes) {
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
  if (inner_) return inner_->close();
  if (fiber_) fiber_->cancel();
  loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (!alive.expired()) finish({Closed::Kind::lost, std::nullopt, "the connection was given up"});
  });
}

}  // namespace transport::jumpserver
