// scripts/try-jumpserver, as whoever has a JumpServer runs it: here against the stand-in, and without any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/jumpserver/jms_program.h"
#include "tests/support/jumpserver.h"
#include "tests/support/koko_ssh_server.h"
#include "tests/support/temp_dir.h"

namespace jumpserver_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class TryJumpServer : public testing::Test, protected JmsProgram {
 protected:
  support::CommandOutput try_it() const {
    return support::run_command({.argv = {JMS_SOURCE_DIR "/scripts/try-jumpserver", JMS_BINARY},
                                 .environment = env_.variables(),
                                 .input = {},
                                 .limit = std::chrono::milliseconds(120'000)});
  }
};

TEST_F(TryJumpServer, WithoutAServerNothingIsTried) {
  const auto output = try_it();
  EXPECT_EQ(output.code, 0);
  EXPECT_THAT(output.out, HasSubstr("No JumpServer to try"));
}

TEST_F(TryJumpServer, EveryWayInOpensAnAssetAndLeavesNothingBehind) {
  const support::TempDir tokens;
  const support::KokoSshServer ssh(tokens.path());
  test_server::ServedJumpServer server{test_server::KokoOptions{}};
  server.with([&](test_server::JumpServer& site) {
    site.core.write_tokens_to(tokens.path());
    site.core.site.ssh_port = ssh.port();
    env_.set("JMS_TRY_USER", site.core.site.user);
    env_.set("JMS_TRY_PASSWORD", site.core.site.password);
    env_.set("JMS_TRY_ACCESS_KEY", site.core.site.key_id);
    env_.set("JMS_TRY_SECRET_KEY", site.core.site.secret);
    env_.set("JMS_TRY_TOKEN", site.core.site.private_token);
  });
  env_.set("JMS_TRY_SERVER", server.url());
  env_.set("JMS_TRY_ASSETS", "web-01");
  env_.set("JMS_TRY_NOT_MINE", "no-such-asset");
  env_.home().write("known", ssh.known_hosts_line());
  env_.set("JMS_TRY_SSH_OPTIONS", "-o UserKnownHostsFile=" + env_.home().file("known"));
  const auto output = try_it();
  EXPECT_EQ(output.code, 0) << output.out << output.err;
  EXPECT_THAT(output.out, Not(HasSubstr("FAILED")));
  for (const char* row : {"ok     password, ws, web-01", "ok     password, ssh, web-01", "ok     web, ws, web-01",
                          "ok     access key, auto, web-01", "ok     token, ssh, web-01", "ok     wrong password",
                          "ok     asset: not_mine"})
    EXPECT_THAT(output.out, HasSubstr(row));
  EXPECT_TRUE(server.wait([](test_server::JumpServer& site) { return site.koko.running().empty(); }));
  EXPECT_THAT(server.violations(), IsEmpty());
}

}  // namespace
}  // namespace jumpserver_test
