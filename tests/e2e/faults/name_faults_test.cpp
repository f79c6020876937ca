// Names that do not resolve, and a name server that does not answer.

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "tests/e2e/faults/phases.h"

namespace faults {
namespace {

using testing::HasSubstr;

class NameFault : public PhaseTest, public testing::WithParamInterface<support::Named<const char*>> {
 protected:
  void SetUp() override { env_.set("JMS_SERVER", "http://no-such-host.invalid").set("JMS_TOKEN", "made-up"); }
};

TEST_P(NameFault, IsASentenceWhateverTheLink) {
  const std::string target = GetParam().value;
  using Words = std::vector<std::string>;
  for (const auto& words : {Words{"exec", target, "--", witness_.command()},
                            Words{"ask", "--yes-changes", target, Witness::kQuestion}, Words{target}}) {
    launch({24, 100}, words);
    EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{1, 0})) << jms_->output();
    EXPECT_THAT(jms_->output(), HasSubstr("no-such-host.invalid"));
    expect_restored(*jms_);
  }
  witness_.expect_whole(kNothing);
}

INSTANTIATE_TEST_SUITE_P(Of, NameFault,
                         testing::Values(support::Named<const char*>{"no-such-host.invalid", "Ssh"},
                                         support::Named<const char*>{"ws://no-such-host.invalid/", "Ttyd"},
                                         support::Named<const char*>{"jms://web-01", "JumpServer"}),
                         [](const auto& choice) { return std::string(choice.param.name); });

TEST_F(NameFault, ANameServerThatDoesNotAnswerHoldsUpNobody) {
  if (!support::Sshd::can_hide_files()) GTEST_SKIP() << "needs mount namespaces";
  // Bound and never read: questions arrive and stay unanswered.
  const base::UniqueFd silent(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // An address of the loopback that no name server of this machine has, and no other test at the same time.
  const auto low = static_cast<std::uint32_t>(::getpid());
  const in_addr host{htonl(0x7f350000u | (low & 0xffffu))};
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(53), .sin_addr = host, .sin_zero = {}};
  ASSERT_EQ(::bind(silent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << strerror(errno);
  const std::string servers =
      env_.home().write("resolv.conf", std::string("nameserver ") + ::inet_ntoa(host) + "\noptions timeout:30\n");
  jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{
      .argv = {"unshare", "-m", "sh", "-c",
               "mount --bind " + servers + " $(readlink -f /etc/resolv.conf) && exec \"$@\"", "sh", JMS_BINARY,
               "somewhere.example.com"},
      .environment = env_.variables(),
      .size = {24, 100},
      .directory = env_.home().path()});
  ASSERT_TRUE(jms_->wait_for_screen("somewhere.example.com")) << jms_->screen_text();
  jms_->send("\x03");
  expect_whole({130, 0}, kNothing);
}

}  // namespace
}  // namespace faults
