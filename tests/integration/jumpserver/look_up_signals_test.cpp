// A JumpServer that is silent while an asset is looked up, and an operator who does not want to wait.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "base/unique_fd.h"
#include "tests/integration/jumpserver/jms_program.h"

namespace jumpserver_test {
namespace {

class SilentServer : public testing::Test, protected JmsProgram {
 protected:
  SilentServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
    EXPECT_EQ(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    env_.set("JMS_SERVER", "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
    env_.set("JMS_ACCESS_KEY", "made-up-id");
    env_.set("JMS_SECRET_KEY", "made-up-secret");
  }
  /// jms when its question is on the way and nobody answers.
  std::unique_ptr<support::PtyProgram> waiting(const Words& arguments) {
    auto program = at_terminal(arguments);
    pollfd asked{listener_.get(), POLLIN, 0};
    EXPECT_EQ(::poll(&asked, 1, 10'000), 1) << "it never asked";
    return program;
  }

  /// So that the next one is waited for.
  void forget_connections() {
    pollfd asked{listener_.get(), POLLIN, 0};
    while (::poll(&asked, 1, 0) == 1) const base::UniqueFd taken(::accept(listener_.get(), nullptr, nullptr));
  }

  base::UniqueFd listener_;
};

TEST_F(SilentServer, CtrlCWhileAnAssetIsLookedUpIs130) {
  for (const Words& arguments : {Words{"exec", "jms://web-01", "--", "true"}, Words{"jms://web-01"},
                                 Words{"ask", "jms://web-01", "what is here?"}}) {
    const auto program = waiting(arguments);
    program->send("\x03");
    EXPECT_EQ(program->wait_for_exit(), (support::Ending{130, 0})) << arguments[0] << program->output();
    forget_connections();
  }
}

TEST_F(SilentServer, ASignalWhileAnAssetIsLookedUpIsDiedBy) {
  for (const int signal_number : {SIGTERM, SIGHUP}) {
    const auto program = waiting({"exec", "jms://web-01", "--", "true"});
    program->kill(signal_number);
    EXPECT_EQ(program->wait_for_exit(), (support::Ending{0, signal_number})) << program->output();
    forget_connections();
  }
}

}  // namespace
}  // namespace jumpserver_test
