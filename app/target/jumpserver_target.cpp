#include <signal.h>

#include <charconv>
#include <memory>
#include <utility>

#include "app/session/tty_prompter.h"
#include "app/target/jumpserver.h"
#include "app/target/ssh_answers.h"
#include "app/target/target.h"
#include "base/one_line.h"
#include "base/words.h"
#include "transport/jumpserver/directory.h"
#include "transport/jumpserver/jumpserver_transport.h"

namespace app {
namespace {

namespace js = transport::jumpserver;
using transport::SshQuestion;

/// `jms://[account@]asset` taken apart; %XX stands for what a URL cannot hold.
struct AssetName {
  std::string account, asset;
};

base::Result<AssetName> parse(const std::string& target) {
  std::string_view rest = std::string_view(target).substr(std::string_view("jms://").size());
  while (rest.ends_with('/')) rest.remove_suffix(1);
  // The last one: names of accounts may hold one, as in `bob@corp@web-01`.
  const auto at = rest.rfind('@');
  AssetName name;
  if (at != std::string_view::npos) name.account = base::percent_decode(rest.substr(0, at));
  name.asset = base::percent_decode(at == std::string_view::npos ? rest : rest.substr(at + 1));
  if (name.asset.empty() || (at != std::string_view::npos && name.account.empty()))
    return base::fail("`" + base::one_line(target, 100) + "` names no asset; write jms://[account@]asset");
  return name;
}

/// Finds the asset and the account, asking where somebody can be asked.
class AssetLookup {
 public:
  AssetLookup(transport::ConnectionSetup& setup, js::Visit& visit, const js::AssetCache& cache, bool headless)
      : setup_(setup), visit_(visit), cache_(cache), headless_(headless) {}

  base::Result<void> find(const AssetName& name, js::Via via) {
    auto found = look_for(name.asset, js::Directory::Age::of_a_minute, via);
    if (!found) return base::fail(found.error().message);
    auto account = choose(found->detail, name.account);
    // An account that is not there may have come since; several to choose from stay several.
    if (!account && found->old && (!name.account.empty() || js::usable_accounts(found->detail).empty())) {
      found = look_for(name.asset, js::Directory::Age::new_only, via);
      if (!found) return base::fail(found.error().message);
      account = choose(found->detail, name.account);
    }
    if (!account) return base::fail(account.error());
    // Forgetting the choice only costs a question the next time.
    (void)cache_.remember_account(found->detail.asset.id, account->alias);
    visit_.wish.detail = std::move(found->detail);
    visit_.wish.old = found->old;
    visit_.wish.account = std::move(*account);
    return {};
  }

 private:
  js::CoreResult<js::FoundAsset> look_for(const std::string& asset, js::Directory::Age age, js::Via via) {
    const auto along = js::DoorChooser::wanted(visit_.client.credentials(), via);
    return js::Directory(visit_.client, visit_.facts).find(setup_, asset, age, along);
  }

  base::Result<js::Account> choose(const js::AssetDetail& detail, const std::string& named) {
    auto account = js::choose_account(detail, named);
    if (account || !named.empty()) return account;
    const auto usable = js::usable_accounts(detail);
    if (usable.empty()) return account;
    const std::string last = cache_.last_account(detail.asset.id);
    for (const auto& candidate : usable)
      if (candidate.alias == last) return candidate;
    if (!headless_) return ask(detail, usable);
    // Most sites offer "your own name" and "you type it" beside the one account that can be opened without a person.
    const bool only_one = usable.front().complete() && !usable[1].complete();
    return only_one ? usable.front() : account;
  }

  base::Result<js::Account> ask(const js::AssetDetail& detail, const std::vector<js::Account>& usable) {
    SshQuestion question{.kind = SshQuestion::Kind::challenge, .hop = detail.asset.name, .echo = true};
    question.instruction = "Accounts on " + base::one_line(detail.asset.name, 80) + ":";
    for (std::size_t i = 0; i < usable.size(); ++i)
      question.instruction += "\n  " + std::to_string(i + 1) + ") " + base::one_line(usable[i].label(), 80);
    question.text = "Which one [1]: ";
    for (;;) {
      const auto answer = setup_.ask(question);
      if (!answer) return js::choose_account(detail, "");
      const std::string text(answer->view());
      if (text.empty()) return usable.front();
      std::size_t number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      if (number >= 1 && number <= usable.size()) return usable[number - 1];
      if (auto named = js::choose_account(detail, text)) return named;
    }
  }

  transport::ConnectionSetup& setup_;
  js::Visit& visit_;
  const js::AssetCache& cache_;
  bool headless_;
};

base::Result<void> look_up(event::EventLoop& loop, const JumpServerAccess& access, js::Visit& visit,
                           const AssetName& name, bool headless, int& ended_by) {
  const js::AssetCache cache = access.cache();
  transport::NobodyToAsk nobody;  // The error says what there is to choose from.
  TtyPrompter tty(loop);
  base::Result<void> found = base::fail("interrupted");
  transport::SshPrompter& prompter = headless ? static_cast<transport::SshPrompter&>(nobody) : tty;
  bool cancelled = false;
  const auto progress = [&](const std::string& what) { headless ? void() : tty.tell(what); };
  const int signal_number = run_in_fiber(loop, prompter, progress, [&](transport::ConnectionSetup& setup) {
    found = AssetLookup(setup, visit, cache, headless).find(name, visit.wish.via);
    visit.kept.save();
    cancelled = setup.fiber().cancelled();
  });
  tty.clear();
  ended_by = cancelled && signal_number == 0 ? SIGINT : signal_number;
  if (ended_by != 0) return base::fail("interrupted");
  return found;
}

/// What commands and files give, before anything is asked of the server with it.
base::Result<void> fetch_secrets(event::EventLoop& loop, JumpServerAccess& access, int& ended_by) {
  if (!access.has_sources()) return {};
  transport::NobodyToAsk nobody;
  base::Result<void> fetched;
  bool cancelled = false;
  const int signal_number = run_in_fiber(loop, nobody, {}, [&](transport::ConnectionSetup& setup) {
    fetched = access.fetch(&setup);
    cancelled = setup.fiber().cancelled();
  });
  ended_by = cancelled && signal_number == 0 ? SIGINT : signal_number;
  return fetched;
}

transport::ConfigOptions ssh_options(const TargetOptions& options) {
  transport::ConfigOptions config;
  config.config_file = options.ssh_config;
  config.jump = options.jump;
  config.options = options.ssh_options;
  return config;
}

/// The visit for a further connection: the operator may have signed in again meanwhile.
std::shared_ptr<js::Visit> renewed(event::EventLoop& loop, const std::shared_ptr<js::Visit>& last, const Config& config,
                                   const std::string& profile) {
  if (last->last_token.empty() || runs_commands(config, profile)) return last;
  auto access = jumpserver_access(config, profile, Lookup::with_credentials);
  if (!access || access->settings.credentials.server != last->client.credentials().server) return last;
  if (!access->fetch(nullptr)) return last;
  auto visit = std::make_shared<js::Visit>(loop, access->settings, access->directory, access->profile);
  visit->wish = last->wish;
  visit->doors = last->doors;
  visit->last_token = last->last_token;
  return visit;
}

/// What is done to the session is a notice; the rest is worth a line.
void tell(const Connection::Hooks& hooks, const js::KokoEvent& event) {
  using Kind = transport::SessionNotice::Kind;
  if (event.text.empty()) return;
  switch (event.kind) {
    case js::KokoEvent::Kind::locked:
      return hooks.on_notice({Kind::locked, event.text});
    case js::KokoEvent::Kind::unlocked:
      return hooks.on_notice({Kind::unlocked, event.text});
    case js::KokoEvent::Kind::permission_expired:
    case js::KokoEvent::Kind::permission_valid:
    case js::KokoEvent::Kind::idle_soon:
    case js::KokoEvent::Kind::time_soon:
      return hooks.on_notice({Kind::warning, event.text});
    default:
      return hooks.on_remark(event.text);
  }
}

}  // namespace

base::Result<Connection::Factory> connect_to_asset(event::EventLoop& loop, const TargetOptions& options,
                                                   const Config& config, TargetFacts& facts) {
  const auto name = parse(options.target);
  if (!name) return base::fail(name.error());
  auto access = jumpserver_access(config, options.profile, Lookup::with_credentials);
  if (!access) return base::fail(access.error());
  if (access->settings.credentials.server.empty())
    return base::fail("no JumpServer is set up; begin with `jms login SERVER`");
  const auto via = options.via.empty() ? base::Result<js::Via>(access->via) : via_named(options.via);
  if (!via) return base::fail(via.error());
  if (auto fetched = fetch_secrets(loop, *access, facts.ended_by); !fetched) return base::fail(fetched.error());
  auto visit = std::make_shared<js::Visit>(loop, access->settings, access->directory, access->profile);
  visit->wish.via = *via;
  visit->wish.protocol = options.protocol;
  visit->wish.may_wait_for_review = !options.headless;
  if (auto found = look_up(loop, *access, *visit, *name, options.headless, facts.ended_by); !found)
    return base::fail(found.error());

  const js::Asset& asset = visit->wish.detail.asset;
  facts.place = {.name = asset.name, .nodes = asset.nodes, .labels = asset.labels, .also = {asset.address}};
  facts.client = asset.kind() == js::AssetKind::device || asset.kind() == js::AssetKind::database;
  auto answers = std::make_shared<SshAnswers>(loop, config.ssh_credentials);
  return [&loop, visit = std::move(visit), config, profile = options.profile, ssh = ssh_options(options),
          answers = std::move(answers)](
             base::Size size, transport::SshPrompter& prompter,
             Connection::Hooks hooks) mutable -> base::Result<std::unique_ptr<transport::Transport>> {
    visit = renewed(loop, visit, config, profile);
    js::JumpServerTransport::Options transport_options;
    transport_options.size = size;
    transport_options.term = operators_term();
    transport_options.ssh = ssh;
    transport_options.ssh_engine = config.ssh_engine;
    transport_options.askpass = own_program();
    return std::make_unique<js::JumpServerTransport>(
        loop, visit, std::move(transport_options), answers->before(prompter),
        js::JumpServerTransport::Hooks{hooks.on_progress, hooks.on_ready,
                                       [hooks](const js::KokoEvent& event) { tell(hooks, event); }, hooks.on_way});
  };
}

}  // namespace app
