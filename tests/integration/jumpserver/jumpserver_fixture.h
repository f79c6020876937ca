#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "event/event_loop.h"
#include "tests/integration/jumpserver/jms_program.h"
#include "tests/support/core_server.h"
#include "tests/support/eventually.h"
#include "tests/support/http_server.h"
#include "tests/support/koko_server.h"

namespace jumpserver_test {

using test_server::CoreServer;

/// A core on a loopback port, with koko's WebSocket beside it when asked for, served by a thread of its own, so that a
/// test can sit at a terminal meanwhile. Look at `core` only while no request is under way.
class ServedCore {
 public:
  explicit ServedCore(test_server::HttpServer::Options options = {},
                      std::optional<test_server::KokoOptions> koko_options = std::nullopt)
      : core(CoreServer::with_usual_assets()) {
    core.over_tls(!options.certificate.empty());
    std::atomic<bool> ready = false;
    thread_ = std::thread([this, options, koko_options, &ready] {
      event::EventLoop loop;
      std::unique_ptr<test_server::KokoServer> koko;
      if (koko_options) koko = make_koko(loop, *koko_options);
      test_server::HttpServer server(
          loop,
          [this, &koko](const test_server::HttpRequest& request) {
            const std::lock_guard lock(mutex_);
            if (!koko && request.target.starts_with("/koko/")) return test_server::reply(404, "404 page not found");
            if (!koko || !request.target.starts_with("/koko/")) return core.handle(request);
            const auto cookie = request.headers.find("cookie");
            return koko->handle(request,
                                cookie == request.headers.end() ? std::nullopt : core.user_of_cookies(cookie->second));
          },
          options);
      url_ = server.url();
      ready = true;
      while (!stop_) {
        loop.run_until([this] { return stop_.load() || asked_.load(); }, std::chrono::milliseconds(20));
        if (asked_) {
          work_(*koko);
          asked_ = false;
        }
        proxied_ = !server.connect_targets().empty();
      }
    });
    while (!ready) std::this_thread::yield();
  }
  ~ServedCore() {
    stop_ = true;
    thread_.join();
  }

  const std::string& url() const { return url_; }
  /// Whether it was reached as a proxy; its thread says so a moment later.
  bool proxied() const {
    return support::eventually([this] { return proxied_.load(); }, std::chrono::milliseconds(2'000));
  }
  std::vector<std::string> violations() {
    const std::lock_guard lock(mutex_);
    return core.violations();
  }

  /// Does something to koko in its own thread.
  void with_koko(std::function<void(test_server::KokoServer&)> work) {
    work_ = std::move(work);
    asked_ = true;
    while (asked_) std::this_thread::yield();
  }

  CoreServer core;

 private:
  std::unique_ptr<test_server::KokoServer> make_koko(event::EventLoop& loop, const test_server::KokoOptions& options) {
    auto koko = std::make_unique<test_server::KokoServer>(loop, options);
    koko->redeem = [this](const std::string& id) -> std::optional<test_server::KokoToken> {
      test_server::KokoToken token;
      const auto redeemed = core.redeem(id, token.error);
      if (redeemed) token.owner = redeemed->user;
      return token;
    };
    koko->owner_of_headers = [this](const test_server::HttpRequest& request) { return core.user_of_headers(request); };
    return koko;
  }

  std::mutex mutex_;
  std::atomic<bool> stop_ = false, proxied_ = false, asked_ = false;
  std::function<void(test_server::KokoServer&)> work_;
  std::string url_;
  std::thread thread_;
};

/// jms against a JumpServer.
class JumpServerTest : public testing::Test, protected JmsProgram {
 protected:
  using Json = nlohmann::json;

  void TearDown() override {
    if (!served_) return;
    EXPECT_THAT(served_->violations(), testing::IsEmpty());
  }

  CoreServer& core() { return served().core; }
  ServedCore& served() {
    if (!served_) served_ = std::make_unique<ServedCore>();
    return *served_;
  }

  /// Signs in at a terminal: each pair is what is asked and what is answered. Gives the exit code and the output.
  std::pair<int, std::string> login(const Words& more,
                                    const std::vector<std::pair<std::string, std::string>>& dialogue) {
    Words arguments = {"login"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto program = at_terminal(arguments);
    for (const auto& [asked, answer] : dialogue) {
      EXPECT_TRUE(program->wait_for(asked)) << "not asked: " << asked << "\n" << program->output();
      program->send(answer + "\r");
    }
    const auto ending = program->wait_for_exit(std::chrono::milliseconds(20'000));
    EXPECT_TRUE(ending) << program->output();
    return {ending ? ending->code : -1, program->output()};
  }

  /// The usual sign-in, from nothing to kept.
  void sign_in() {
    const auto [code, output] =
        login({served().url()}, {{"User: ", core().site.user}, {"password: ", core().site.password}});
    ASSERT_EQ(code, 0) << output;
  }

  /// The access key in the environment: nothing to ask.
  void use_access_key() {
    env_.set("JMS_SERVER", served().url());
    env_.set("JMS_ACCESS_KEY", core().site.key_id);
    env_.set("JMS_SECRET_KEY", core().site.secret);
  }

  std::string state(const std::string& name) const { return env_.home().file("state/jms/jumpserver/" + name); }

  static std::vector<Json> json_lines(const std::string& text) {
    std::vector<Json> found;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      found.push_back(Json::parse(text.substr(at, end - at), nullptr, false));
      at = end + 1;
    }
    return found;
  }

  std::unique_ptr<ServedCore> served_;
};

}  // namespace jumpserver_test
