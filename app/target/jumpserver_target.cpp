#include <signal.h>

#include <charconv>
#include <memory>
#include <utility>

#include "app/session/tty_prompter.h"
#include "app/target/jumpserver.h"
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
  AssetLookup(transport::ConnectionSetup& setup, js::CoreClient& client, const js::AssetCache& cache, bool headless)
      : setup_(setup), client_(client), cache_(cache), headless_(headless) {}

  base::Result<js::OpenWish> find(const AssetName& name) {
    auto detail = js::Directory(client_).find(setup_, name.asset);
    if (!detail) return base::fail(detail.error().message);
    auto account = choose(*detail, name.account);
    if (!account) return base::fail(account.error());
    // Forgetting the choice only costs a question the next time.
    (void)cache_.remember_account(detail->asset.id, account->alias);
    js::OpenWish wish;
    wish.detail = std::move(*detail);
    wish.account = std::move(*account);
    return wish;
  }

 private:
  base::Result<js::Account> choose(const js::AssetDetail& detail, const std::string& named) {
    auto account = js::choose_account(detail, named);
    if (account || !named.empty()) return account;
    const auto usable = js::usable_accounts(detail);
    if (usable.empty()) return account;
    const std::string last = cache_.last_account(detail.asset.id);
    for (const auto& candidate : usable)
      if (candidate.alias == last) return candidate;
    return headless_ ? account : ask(detail, usable);
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
  js::CoreClient& client_;
  const js::AssetCache& cache_;
  bool headless_;
};

/// Looks the asset up, signing in again where that is needed: `access` holds the credentials that are good then.
base::Result<js::OpenWish> look_up(event::EventLoop& loop, JumpServerAccess& access, const AssetName& name,
                                   bool headless, int& ended_by) {
  js::CoreClient client(loop, access.settings);
  const js::AssetCache cache = access.cache();
  transport::NobodyToAsk nobody;  // The error says what there is to choose from.
  TtyPrompter tty(loop);
  base::Result<js::OpenWish> wish = base::fail("interrupted");
  transport::SshPrompter& prompter = headless ? static_cast<transport::SshPrompter&>(nobody) : tty;
  bool cancelled = false;
  const auto progress = [&](const std::string& what) { headless ? void() : tty.tell(what); };
  const int signal_number = run_in_fiber(loop, prompter, progress, [&](transport::ConnectionSetup& setup) {
    if (auto fetched = access.fetch(&setup); !fetched) {
      wish = base::fail(fetched.error());
    } else {
      client.use(access.settings.credentials);
      wish = AssetLookup(setup, client, cache, headless).find(name);
      access.settings.credentials = client.credentials();
    }
    cancelled = setup.fiber().cancelled();
  });
  tty.clear();
  ended_by = cancelled && signal_number == 0 ? SIGINT : signal_number;
  if (ended_by != 0) return base::fail("interrupted");
  return wish;
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
  auto visit = std::make_shared<js::Visit>(loop, access->settings, last->wish);
  visit->door = last->door;
  visit->last_token = last->last_token;
  return visit;
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
  auto wish = look_up(loop, *access, *name, options.headless, facts.ended_by);
  if (!wish) return base::fail(wish.error());
  wish->via = *via;
  wish->protocol = options.protocol;
  wish->may_wait_for_review = !options.headless;

  const js::Asset& asset = wish->detail.asset;
  facts.place = {.name = asset.name, .nodes = asset.nodes, .labels = asset.labels, .also = {asset.address}};
  facts.client = asset.kind() == js::AssetKind::device || asset.kind() == js::AssetKind::database;
  auto visit = std::make_shared<js::Visit>(loop, access->settings, std::move(*wish));
  return [&loop, visit = std::move(visit), config, profile = options.profile, ssh = ssh_options(options)](
             base::Size size, transport::SshPrompter& prompter,
             Connection::Hooks hooks) mutable -> base::Result<std::unique_ptr<transport::Transport>> {
    visit = renewed(loop, visit, config, profile);
    js::JumpServerTransport::Options transport_options;
    transport_options.size = size;
    transport_options.term = operators_term();
    transport_options.ssh = ssh;
    return std::make_unique<js::JumpServerTransport>(
        loop, visit, std::move(transport_options), prompter,
        js::JumpServerTransport::Hooks{std::move(hooks.on_progress), std::move(hooks.on_ready),
                                       [remark = std::move(hooks.on_remark)](const js::KokoEvent& event) {
                                         if (!event.text.empty()) remark(event.text);
                                       }});
  };
}

}  // namespace app
