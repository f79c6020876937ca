#include <map>
#include <utility>

#include "app/target/jumpserver.h"
#include "app/target/target_sources.h"
#include "base/one_line.h"
#include "http/failure.h"

namespace app {
namespace {

namespace js = transport::jumpserver;

/// A name as it stands in jms://.
std::string target_of(const std::string& name) {
  std::string text = "jms://";
  for (const char c : name) text += c == '%' ? "%25" : c == '@' ? "%40" : c == '/' ? "%2F" : std::string(1, c);
  return text;
}

/// One JumpServer: the list that was kept when it was last asked.
class JumpServerSource final : public TargetSource {
 public:
  JumpServerSource(const Config& config, TargetOptions options, JumpServerAccess access)
      : config_(config), options_(std::move(options)), access_(std::move(access)) {}

  std::string title() const override { return "JumpServer " + http::shown_host(access_.settings.credentials.server); }

  std::vector<Offer> offers() const override {
    const auto cached = access_.cache().load();
    std::map<std::string, int> same_name;
    for (const auto& asset : cached.assets) ++same_name[asset.name];
    std::vector<Offer> offers;
    for (const auto& asset : cached.assets) {
      if (!asset.active) continue;
      Offer offer;
      offer.options = options_;
      offer.options.target = same_name[asset.name] == 1 ? target_of(asset.name) : "jms://" + asset.id;
      offer.shown.target = "jms://" + base::one_line(asset.name, 120);
      offer.shown.labels.push_back(base::one_line(asset.address, 80));
      if (!asset.nodes.empty()) offer.shown.labels.push_back(base::one_line(asset.nodes.front(), 80));
      for (const auto& label : asset.labels) offer.shown.labels.push_back(base::one_line(label, 40));
      offers.push_back(std::move(offer));
    }
    return offers;
  }

  std::shared_ptr<void> refresh(event::EventLoop& loop) const override {
    if (runs_commands(config_, options_.profile)) return nullptr;
    auto access = jumpserver_access(config_, options_.profile, Lookup::with_credentials);
    if (!access || !(access->settings.credentials.has_any() || access->has_sources())) return nullptr;
    return std::make_shared<AssetRefresh>(loop, std::move(*access), AssetRefresh::Done());
  }

 private:
  const Config& config_;
  TargetOptions options_;
  JumpServerAccess access_;
};

}  // namespace

std::vector<std::unique_ptr<TargetSource>> jumpserver_sources(const Config& config, const TargetOptions& given) {
  std::vector<std::string> profiles = {given.profile};
  if (given.profile.empty())
    for (const auto& known : jumpserver_profiles(config))
      if (known != "default") profiles.push_back(known);
  std::vector<std::unique_ptr<TargetSource>> sources;
  for (const auto& profile : profiles) {
    // What is wrong with one is told when it is used.
    auto access = jumpserver_access(config, profile, Lookup::server_only);
    if (!access || access->settings.credentials.server.empty()) continue;
    TargetOptions options = given;
    options.profile = profile;
    sources.push_back(std::make_unique<JumpServerSource>(config, std::move(options), std::move(*access)));
  }
  return sources;
}

}  // namespace app
