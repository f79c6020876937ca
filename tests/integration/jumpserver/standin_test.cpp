// The stand-in itself, by its own doors: what a client must not get wrong.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "event/event_loop.h"
#include "tests/support/jumpserver.h"

namespace jumpserver_test {
namespace {

using Json = nlohmann::json;
using test_server::HttpRequest;
using test_server::JumpServer;
using test_server::KokoListed;

class StandIn : public testing::Test {
 protected:
  std::pair<int, Json> ask(const std::string& method, const std::string& target, const Json& body = {}) {
    HttpRequest request{method, target, {{"authorization", "Token " + site_.core.site.private_token}}, body.dump()};
    const std::string bytes = site_.core.handle(request).steps.at(0).bytes;
    return {std::stoi(bytes.substr(9, 3)), Json::parse(bytes.substr(bytes.find("\r\n\r\n") + 4), nullptr, false)};
  }

  event::EventLoop loop_;
  JumpServer site_{loop_, {}};
};

TEST_F(StandIn, AnAccountIsAskedForByItsAliasNeverByItsName) {
  const auto& asset = site_.core.assets[1];
  Json wanted = {{"asset", asset.id}, {"account", "root"}, {"protocol", "ssh"}, {"connect_method", "web_cli"}};
  const auto [status, answer] = ask("POST", "/api/v1/authentication/connection-token/", wanted);
  EXPECT_EQ(status, 400);
  EXPECT_EQ(answer, (Json{{"code", "perm_account_invalid"}, {"detail", "Account not found"}}));
  wanted["account"] = asset.accounts[0].id;
  EXPECT_EQ(ask("POST", "/api/v1/authentication/connection-token/", wanted).first, 201);
}

TEST_F(StandIn, ListsSessionsAsJumpServerDoes) {
  site_.koko.listed = {KokoListed{.id = "one", .user = "alice", .finished = true}, KokoListed{.id = "two"}};
  for (const std::string path : {"/api/v1/terminal/sessions/", "/api/v1/terminal/my-sessions/"}) {
    EXPECT_EQ(ask("GET", path).second.size(), 2u);
    const Json running = ask("GET", path + "?is_finished=0&limit=10").second;
    EXPECT_EQ(running["count"], 1);
    EXPECT_EQ(running["results"][0]["id"], "two");
    EXPECT_EQ(running["results"][0]["is_finished"], false);
    EXPECT_EQ(ask("GET", path + "?is_finished=true").second[0]["id"], "one");
  }
}

}  // namespace
}  // namespace jumpserver_test
