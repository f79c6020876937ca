#include "app/target/target_sources.h"

#include <algorithm>
#include <utility>

#include "panel/messages.h"
#include "transport/ssh/ssh_config.h"

namespace app {
namespace {

// Reading the configuration for each host is what tells its user and hops; beyond this only the names are listed.
constexpr std::size_t kMostResolved = 300;

class RecentSource final : public TargetSource {
 public:
  explicit RecentSource(const std::string& state_directory) : recent_(state_directory) {}

  std::string title() const override { return panel::say(panel::Message::picker_recent); }

  std::vector<Offer> offers() const override {
    std::vector<Offer> offers;
    for (auto& options : recent_.load()) {
      Offer offer;
      offer.shown.target = options.target;
      offer.shown.user = options.user;
      offer.shown.hops = options.jump;
      if (!options.profile.empty()) offer.shown.labels.push_back(options.profile);
      if (options.port != 0) offer.shown.labels.push_back(":" + std::to_string(options.port));
      offer.options = std::move(options);
      offers.push_back(std::move(offer));
    }
    return offers;
  }

 private:
  RecentTargets recent_;
};

class SshConfigSource final : public TargetSource {
 public:
  explicit SshConfigSource(TargetOptions options) : options_(std::move(options)) {}

  std::string title() const override {
    return options_.ssh_config.empty() ? panel::say(panel::Message::picker_ssh) : options_.ssh_config;
  }

  std::vector<Offer> offers() const override {
    transport::ConfigOptions config;
    config.config_file = options_.ssh_config;
    std::vector<Offer> offers;
    // A mistake in the file is told when a host is opened; here it only means that nothing is listed.
    const auto hosts = transport::configured_hosts(config);
    if (!hosts) return offers;
    for (const auto& host : *hosts) {
      Offer offer;
      offer.options = options_;
      offer.options.target = offer.shown.target = host;
      if (offers.size() < kMostResolved) describe(offer, config);
      offers.push_back(std::move(offer));
    }
    return offers;
  }

 private:
  static void describe(Offer& offer, const transport::ConfigOptions& config) {
    const auto chain = transport::resolve_chain({offer.shown.target, "", 0}, config);
    if (!chain || chain->empty()) return;
    const auto& host = chain->back();
    offer.shown.user = host.user;
    for (std::size_t hop = 0; hop + 1 < chain->size(); ++hop)
      offer.shown.hops += (hop == 0 ? "" : ", ") + (*chain)[hop].alias;
    if (host.host_name != host.alias) offer.shown.labels.push_back(host.host_name);
    if (host.port != 22) offer.shown.labels.push_back(":" + std::to_string(host.port));
  }

  TargetOptions options_;
};

class LocalSource final : public TargetSource {
 public:
  std::string title() const override { return panel::say(panel::Message::picker_here); }
  std::vector<Offer> offers() const override {
    Offer offer;
    offer.shown.target = offer.options.target = "local";
    offer.shown.labels = {panel::say(panel::Message::picker_local_about)};
    return {offer};
  }
};

}  // namespace

std::unique_ptr<TargetSource> recent_source(const std::string& state_directory) {
  return std::make_unique<RecentSource>(state_directory);
}

std::unique_ptr<TargetSource> ssh_config_source(TargetOptions options) {
  return std::make_unique<SshConfigSource>(std::move(options));
}

std::unique_ptr<TargetSource> local_source() {
  return std::make_unique<LocalSource>();
}

}  // namespace app
