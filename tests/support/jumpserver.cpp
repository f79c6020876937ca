#include "tests/support/jumpserver.h"

#include "event/timer.h"
#include "tests/support/eventually.h"

namespace test_server {

using std::chrono::milliseconds;

JumpServer::JumpServer(event::EventLoop& loop, KokoOptions options)
    : koko(loop, std::move(options)), http(loop, [this](const HttpRequest& request) { return answer(request); }) {
  koko.redeem = [this](const std::string& id) -> std::optional<KokoToken> {
    KokoToken token;
    const auto found = core.redeem(id, token.error);
    if (found) describe(*found, token);
    return token;
  };
  core.session_list = [this] { return koko.session_list(); };
}

/// What koko is told of a token's asset and account.
void JumpServer::describe(const CoreServer::Token& found, KokoToken& token) const {
  token.owner = found.user;
  for (const auto& asset : core.assets) {
    if (asset.id != found.asset) continue;
    token.asset = asset.name;
    token.address = asset.address;
    for (const auto& account : asset.accounts) {
      if (found.account != account.offered()) continue;
      token.account = account.name;
      token.username = account.username;
    }
  }
}

Reply JumpServer::answer(const HttpRequest& request) {
  if (!request.target.starts_with("/koko/")) return core.handle(request);
  const auto cookie = request.headers.find("cookie");
  const auto owner = cookie == request.headers.end() ? std::nullopt : core.user_of_cookies(cookie->second);
  return koko.handle(request, owner);
}

ServedJumpServer::ServedJumpServer(KokoOptions options) {
  std::promise<std::string> ready;
  auto url = ready.get_future();
  thread_ = std::thread([this, options = std::move(options), &ready] { serve(options, ready); });
  url_ = url.get();
}

ServedJumpServer::~ServedJumpServer() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  thread_.join();
}

void ServedJumpServer::serve(KokoOptions options, std::promise<std::string>& ready) {
  event::EventLoop loop;
  JumpServer server(loop, std::move(options));
  ready.set_value(server.http.url());
  bool over = false;
  event::Timer timer(loop);
  timer.repeat(milliseconds(5), [&] {
    std::vector<std::function<void(JumpServer&)>> actions;
    {
      const std::lock_guard lock(mutex_);
      actions.swap(actions_);
      over = over_;
    }
    for (const auto& action : actions) action(server);
  });
  while (!over) loop.run_until([&] { return over; }, std::chrono::hours(1));
}

void ServedJumpServer::with(const std::function<void(JumpServer&)>& action) {
  std::promise<void> done;
  {
    const std::lock_guard lock(mutex_);
    actions_.push_back([&](JumpServer& server) {
      action(server);
      done.set_value();
    });
  }
  done.get_future().get();
}

bool ServedJumpServer::wait(const std::function<bool(JumpServer&)>& wanted) {
  return support::eventually([&] {
    bool seen = false;
    with([&](JumpServer& server) { seen = wanted(server); });
    return seen;
  });
}

std::vector<std::string> ServedJumpServer::violations() {
  std::vector<std::string> all;
  with([&](JumpServer& server) {
    all = server.koko.violations;
    for (const auto& violation : server.core.violations()) all.push_back(violation);
  });
  return all;
}

}  // namespace test_server
