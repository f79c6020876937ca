// A koko transport with the koko it talks to, in one of its dialects.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/koko_fixture.h"
#include "transport/jumpserver/koko_transport.h"

namespace transport::jumpserver {

class KokoTransportTest : public testing::TestWithParam<test_server::KokoVersion> {
 protected:
  void serve(test_server::KokoOptions options = {}) {
    options.version = GetParam();
    server_.emplace(loop_, std::move(options));
  }
  void connect(KokoTicket ticket) {
    transport_.reset();
    output_.clear();
    closed_.reset();
    ready_ = false;
    transport_ = std::make_unique<KokoTransport>(
        loop_, KokoTransport::Target{std::move(ticket), {24, 80}, times_},
        KokoTransport::Hooks{.on_progress = {},
                             .on_event = [this](const KokoEvent& event) { events_.push_back(event); },
                             .on_ready = [this] { ready_ = true; }});
    transport_->start({.on_bytes = [this](std::string_view bytes) { output_ += bytes; },
                       .on_closed = [this](Closed closed) { closed_ = std::move(closed); },
                       .on_drained = {}});
  }
  bool wait(const std::function<bool()>& done) { return loop_.run_until(done, std::chrono::seconds(20)); }
  bool open() {
    if (!server_) serve();
    connect(server_->ticket(server_->fresh_token()));
    return wait([this] { return (ready_ && output_.ends_with("$ ")) || closed_; }) && !closed_;
  }
  bool sees(const std::string& text) {
    return wait([&] { return output_.find(text) != std::string::npos; });
  }
  bool has_event(KokoEvent::Kind kind) const {
    return std::any_of(events_.begin(), events_.end(), [&](const auto& event) { return event.kind == kind; });
  }
  void pass(std::chrono::milliseconds time) {
    loop_.run_until([] { return false; }, time);
  }
  auto& koko() { return server_->koko; }

  event::EventLoop loop_;
  std::optional<test_server::KokoOnLoopback> server_;
  KokoTransport::Times times_;
  std::unique_ptr<KokoTransport> transport_;
  std::string output_;
  std::vector<KokoEvent> events_;
  std::optional<Closed> closed_;
  bool ready_ = false;
};

}  // namespace transport::jumpserver
