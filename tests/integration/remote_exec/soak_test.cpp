#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

#include "tests/support/exec/shell_session.h"
#include "tests/support/passing_transport.h"
#include "tests/support/process_info.h"
#include "tests/support/sanitized.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::all_shells;
using support::ShellSession;

long resident_kilobytes() {
  return support::process_status(::getpid(), "VmRSS").value_or(0);
}

/// A link that cuts what the remote sends into random pieces.
class CuttingTransport final : public support::PassingTransport {
 public:
  using PassingTransport::PassingTransport;
  void start(Events events) override {
    events_ = std::move(events);
    inner_->start({[this](std::string_view bytes) {
                     while (!bytes.empty()) {
                       const auto piece = bytes.substr(0, 1 + random_() % 40);
                       bytes.remove_prefix(piece.size());
                       events_.on_bytes(piece);
                     }
                   },
                   [this](transport::Closed closed) { events_.on_closed(std::move(closed)); },
                   {}});
  }

 private:
  Events events_;
  std::mt19937 random_{7};
};

TEST(Soak, AThousandCommandsGiveAThousandExactResults) {
  ShellSession s(all_shells().front(), {24, 80}, {},
                 [](event::EventLoop&, std::unique_ptr<transport::Transport> inner) {
                   return std::make_unique<CuttingTransport>(std::move(inner));
                 });
  std::mt19937 random(42);
  long after_warm_up = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i);
    if (i == 300) after_warm_up = resident_kilobytes();
    CommandResult result;
    switch (random() % 8) {
      case 0:
        result = s.run("printf 'no newline " + n + "'");
        ASSERT_EQ(result.output, "no newline " + n);
        break;
      case 1:
        result = s.run("(exit " + std::to_string(i % 256) + ")");
        ASSERT_EQ(result.exit_code, i % 256);
        continue;
      case 2:
        result = s.run("printf '\\033[3" + std::to_string(i % 8) + "mcoloured " + n + "\\033[m\\n'");
        ASSERT_EQ(result.output, "coloured " + n + "\n");
        break;
      case 3:
        result = s.run("cat <<EOF\nhere " + n + "\nEOF");
        ASSERT_EQ(result.output, "here " + n + "\n");
        break;
      case 4:
        result = s.run("seq 1 300 | tail -n 2 # " + n);
        ASSERT_EQ(result.output, "299\n300\n");
        break;
      case 5:
        result = s.run("echo \"bang! " + n + " and !" + n + "\"");
        ASSERT_EQ(result.output, "bang! " + n + " and !" + n + "\n");
        break;
      case 6:
        result = s.run("printf '\\033]7717;0123456789abcdef;e;0\\007" + n + "\\n'");
        ASSERT_EQ(result.output, n + "\n");
        break;
      default:
        result = s.run("cd /tmp && echo " + n + " " + std::string(1 + random() % 150, 'z'));
        ASSERT_TRUE(result.output.starts_with(n + " "));
    }
    ASSERT_EQ(result.exit_code, 0) << i;
    ASSERT_EQ(result.status, Status::done);
  }
  ASSERT_TRUE(s.wait_idle());
  // A sanitizer keeps freed memory for a while.
  if (!support::sanitized_build()) {
    EXPECT_LT(resident_kilobytes(), after_warm_up + 4096);
  }
  EXPECT_EQ(s.screen_text().find("command printf"), std::string::npos);
}

TEST(Soak, AFloodIsRecordedInConstantMemory) {
  ShellSession s(all_shells().front());
  s.run("true");
  const long before = resident_kilobytes();
  const auto result = s.run("yes 0123456789012345678901234567890123456789 | head -c 30000000", milliseconds(60'000));
  EXPECT_EQ(result.total_bytes, 30'000'000u);
  EXPECT_TRUE(result.truncated);
  EXPECT_EQ(result.exit_code, 0);
  const auto one_line = s.run("head -c 10000000 /dev/zero | tr '\\0' x", milliseconds(60'000));
  EXPECT_EQ(one_line.total_bytes, 10'000'000u);
  if (!support::sanitized_build()) {
    EXPECT_LT(resident_kilobytes(), before + 40 * 1024);
  }
}

}  // namespace
}  // namespace remote_exec
