#include "tests/support/ssh_fixture.h"

#include <cstdlib>
#include <fstream>

namespace support {

using transport::Closed;
using transport::SshTransport;

SshTest::SshTest() {
  unsetenv("SSH_AUTH_SOCK");
  key_ = make_key(home_, "id_test");
}

SshTransport::Target SshTest::target(int port) {
  SshTransport::Target where;
  where.destination = {"127.0.0.1", current_user(), port};
  where.config.home = home_.path();
  where.config.config_file = home_.write(".ssh/config", "");
  where.config.identity_files = {key_};
  where.config.options = {"UserKnownHostsFile " + (home_ / ".ssh/known_hosts"), "GlobalKnownHostsFile none",
                          "ConnectTimeout 10"};
  where.engine = transport::EngineChoice::libssh2;
  return where;
}

void SshTest::know(const Sshd& server) {
  std::ofstream(home_ / ".ssh/known_hosts", std::ios::app) << server.known_hosts_lines();
}

SshTransport::Target SshTest::target(const Sshd& server) {
  auto where = target(server.port());
  know(server);
  server.authorize(key_);
  return where;
}

void SshTest::connect(SshTransport::Target where) {
  SshTransport::Hooks hooks;
  hooks.on_progress = [this](const std::string& text) { progress_.push_back(text); };
  hooks.on_engine = [this](const transport::EngineDecision& decision) { engines_.push_back(decision); };
  hooks.on_ready = [this] { ready_ = true; };
  ready_ = false;
  output_.clear();
  closed_.reset();
  ssh_ = std::make_unique<SshTransport>(loop_, std::move(where), prompter_, std::move(hooks));
  ssh_->start(
      {[this](std::string_view bytes) { output_ += bytes; }, [this](Closed closed) { closed_ = closed; }, nullptr});
}

bool SshTest::wait_for(const std::function<bool()>& done, std::chrono::milliseconds limit) {
  return loop_.run_until(done, limit);
}

bool SshTest::wait_ready() {
  wait_for([this] { return ready_ || closed_; });
  return ready_;
}

bool SshTest::wait_closed(std::chrono::milliseconds limit) {
  return wait_for([this] { return closed_.has_value(); }, limit);
}

bool SshTest::wait_output(const std::string& text) {
  return wait_for([&] { return output_.find(text) != std::string::npos; });
}

std::string SshTest::run(SshTransport::Target where, const std::string& command) {
  where.command = command;
  connect(std::move(where));
  wait_closed();
  std::string text = output_;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace support
