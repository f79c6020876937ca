#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/session/tty_prompter.h"
#include "app/target/jumpserver.h"
#include "app/target/sign_in_desk.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "base/words.h"
#include "transport/jumpserver/directory.h"

namespace app {
namespace {

namespace js = transport::jumpserver;

struct AssetsOptions {
  std::string profile, org;
  js::AssetQuery query;
  bool json = false;
  bool cached = false;
  bool accounts = false;
};

std::string line_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::ordered_json shown(const js::Asset& asset) {
  return {{"id", asset.id},
          {"name", asset.name},
          {"address", asset.address},
          {"platform", asset.platform},
          {"category", asset.category},
          {"type", asset.type},
          {"nodes", asset.nodes},
          {"labels", asset.labels},
          {"org", asset.org_name},
          {"comment", asset.comment}};
}

/// Names from a server, in columns as wide as the widest; the last one ends where its text does.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], base::text_width(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(static_cast<std::size_t>(widths[i] - base::text_width(row[i]) + 2), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << "\n";
  }
}

void print_assets(const std::vector<js::Asset>& assets) {
  std::set<std::string> orgs;
  for (const auto& asset : assets) orgs.insert(asset.org_name);
  std::vector<std::vector<std::string>> rows;
  for (const auto& asset : assets) {
    std::vector<std::string> row = {asset.name, asset.address, asset.platform, base::joined(asset.nodes, ","),
                                    base::joined(asset.labels, ",")};
    if (orgs.size() > 1) row.push_back(asset.org_name);
    for (auto& cell : row) cell = base::one_line(cell, 120);
    if (!asset.active) row.push_back("(switched off)");
    rows.push_back(std::move(row));
  }
  print_table(rows);
}

bool mentions(const js::Asset& asset, const std::string& word) {
  return base::mentions(asset.name, word) || base::mentions(asset.address, word) || base::mentions(asset.comment, word);
}

std::vector<js::Asset> from_cache(const JumpServerAccess& access, const js::AssetQuery& query) {
  auto assets = access.cache().load().assets;
  std::erase_if(assets, [&](const js::Asset& asset) {
    return !mentions(asset, query.search) || (!query.category.empty() && asset.category != query.category);
  });
  if (query.limit != 0 && assets.size() > query.limit) assets.resize(query.limit);
  return assets;
}

void print_detail(const js::AssetDetail& detail, bool json) {
  if (json) {
    auto line = shown(detail.asset);
    line["protocols"] = detail.protocols;
    line["accounts"] = nlohmann::ordered_json::array();
    for (const auto& account : detail.accounts)
      line["accounts"].push_back({{"name", account.name},
                                  {"username", account.username},
                                  {"has_secret", account.has_secret},
                                  {"may_connect", account.may_connect}});
    std::cout << line_of(line) << "\n";
    return;
  }
  print_assets({detail.asset});
  std::cout << "  protocols: " << base::one_line(base::joined(detail.protocols, ",")) << "\n";
  for (const auto& account : detail.accounts)
    std::cout << "  account: " << base::one_line(account.label(), 120)
              << (account.may_connect ? "" : " (may not connect)")
              << (account.has_secret || account.manual() ? "" : " (its password will be asked)") << "\n";
}

js::CoreResult<void> list(transport::ConnectionSetup& setup, js::CoreClient& client, const JumpServerAccess& access,
                          const AssetsOptions& options) {
  js::Directory directory(client);
  if (options.accounts) {
    const auto found = directory.find(setup, options.query.search);
    if (!found) return tl::unexpected(found.error());
    print_detail(found->detail, options.json);
    return {};
  }
  const auto assets = directory.assets(setup, options.query, [&](const std::vector<js::Asset>& page) {
    // As they come: the first of thousands are there at once.
    if (options.json)
      for (const auto& asset : page) std::cout << line_of(shown(asset)) << "\n";
  });
  if (!assets) return tl::unexpected(assets.error());
  if (!options.json) print_assets(*assets);
  const auto& query = options.query;
  const bool whole = query.search.empty() && query.category.empty() && query.node.empty() && query.limit == 0;
  if (whole) (void)access.cache().save(*assets);  // Only a convenience for the next picker.
  return {};
}

/// Gives the signal to die by, 0 for none; `opens` is what the sign-in opens, where that is not everything.
int fetch_and_list(JumpServerAccess& access, const AssetsOptions& options, js::CoreResult<void>& done,
                   std::string& opens) {
  event::EventLoop loop;
  TtyPrompter prompter(loop);
  js::CoreClient client(loop, access.settings);
  const int ended_by = run_in_fiber(
      loop, prompter, [&](const std::string& what) { prompter.tell(what); },
      [&](transport::ConnectionSetup& setup) {
        if (auto fetched = access.fetch(&setup); !fetched) return void(done = js::refused("", fetched.error().message));
        if (!options.org.empty()) access.settings.credentials.org = options.org;
        client.use(access.settings.credentials);
        done = list(setup, client, access, options);
      });
  prompter.clear();
  if (client.credentials().web.id.empty()) opens = what_opens(client.credentials());
  return ended_by;
}

int assets(const AssetsOptions& options, const CommonOptions& common) {
  if (options.accounts && options.query.search.empty())
    return complain("name the asset whose accounts to show", kUsage);
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  auto access = jumpserver_access(*config, options.profile, Lookup::with_credentials);
  if (!access) return complain(access.error().message, kFailed);
  js::Credentials& credentials = access->settings.credentials;
  if (credentials.server.empty()) return complain("no JumpServer is set up; begin with `jms login SERVER`", kFailed);
  if (!options.org.empty()) credentials.org = options.org;
  if (options.cached) {
    const auto kept = from_cache(*access, options.query);
    if (options.json)
      for (const auto& asset : kept) std::cout << line_of(shown(asset)) << "\n";
    else
      print_assets(kept);
    return kDone;
  }
  js::CoreResult<void> done;
  std::string opens;
  const int ended_by = fetch_and_list(*access, options, done, opens);
  if (ended_by != 0) die_by(ended_by);
  // For a person, beside the list: what opens these, where it is not everything.
  if (done && isatty(STDERR_FILENO) && isatty(STDOUT_FILENO) && !opens.empty())
    std::fprintf(stderr, "jms: this sign-in %s\n", opens.c_str());
  if (done) return kDone;
  return complain(done.error().message, done.error().kind == js::CoreError::Kind::cancelled ? kInterrupted : kFailed);
}

}  // namespace

void add_assets(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("assets", "What a JumpServer lets you reach");
  auto options = std::make_shared<AssetsOptions>();
  command->add_option("SEARCH", options->query.search, "Words in name, address or comment; `|` between alternatives");
  command->add_flag("--json", options->json, "One asset per line, as JSON");
  command->add_flag("--accounts", options->accounts, "Of the one asset named: its accounts and protocols too");
  command->add_option("--node", options->query.node, "Only below this node")->type_name("PATH");
  command->add_option("--category", options->query.category, "Only host, device, database, cloud or web")
      ->type_name("CATEGORY");
  command->add_option("--limit", options->query.limit, "At most so many")->type_name("N");
  command->add_flag("--cached", options->cached, "The list as it was last fetched, without asking the server");
  command->add_option("--org", options->org, "Organisation to look in")->type_name("ORG");
  command->add_option("--profile", options->profile, "Which JumpServer")->type_name("NAME");
  command->callback([options, &common, &outcome] { outcome.exit_code = assets(*options, common); });
}

}  // namespace app
