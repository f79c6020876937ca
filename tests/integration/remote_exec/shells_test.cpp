#include <gtest/gtest.h>

#include "shell_session.h"

namespace remote_exec {
namespace {

class EveryShell : public testing::TestWithParam<ShellUnderTest> {};

TEST_P(EveryShell, IsRecognised) {
  ShellSession s(GetParam());
  const auto result = s.run("echo hello");
  EXPECT_EQ(result.output, "hello\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.status, Status::done);
  ASSERT_TRUE(s.session->shell().memory().dialect);
  EXPECT_EQ(shell_name(s.session->shell().memory().dialect->shell), shell_name(GetParam().dialect));
  EXPECT_TRUE(s.wait_idle());
  std::cerr << s.screen_text() << "\n";
}

INSTANTIATE_TEST_SUITE_P(Matrix, EveryShell, testing::ValuesIn(all_shells()),
                         [](const auto& name) { return name.param.name; });

}  // namespace
}  // namespace remote_exec
