// koko over SSH, where its words are all there is: why a session did not open, and why it ended.
#include "transport/jumpserver/koko_ssh_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "transport/hang_up.h"
#include "transport/pty_transport.h"

namespace transport::jumpserver {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A shell script on a pty plays koko's SSH port; it reads what is typed as koko would.
class KokoSsh : public testing::Test {
 protected:
  void connect(const std::string& script) {
    auto pty = PtyTransport::launch(loop_, {.argv = {"sh", "-c", script}, .environment = {"PS1=$ "}, .size = {24, 80}});
    ASSERT_TRUE(pty);
    transport_ = std::make_unique<KokoSshTransport>(
        loop_, std::move(*pty), [this] { ready_ = true; }, KokoSshTransport::Times{});
    transport_->start({.on_bytes = [this](std::string_view bytes) { output_ += bytes; },
                       .on_closed = [this](Closed closed) { closed_ = std::move(closed); },
                       .on_drained = {}});
    transport_->on_signed_in();
  }
  bool wait(const std::function<bool()>& done) { return loop_.run_until(done, std::chrono::seconds(20)); }
  bool ended() {
    return wait([this] { return closed_.has_value(); });
  }
  bool sees(const std::string& text) {
    return wait([&] { return output_.find(text) != std::string::npos; });
  }

  event::EventLoop loop_;
  std::unique_ptr<KokoSshTransport> transport_;
  std::string output_;
  std::optional<Closed> closed_;
  bool ready_ = false;
};

constexpr const char* kCounter = "printf 'Connecting to root(root)@10.0.0.5  0.0\\b\\b\\b0.1\\r\\n'; ";

TEST_F(KokoSsh, AFailedOpeningIsToldInItsWordsThoughTheChannelClosesInOrder) {
  connect(std::string(kCounter) + "echo 'Connecting to root(root)@10.0.0.5 error: Connection refused'");
  ASSERT_TRUE(ended());
  EXPECT_FALSE(ready_);
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_EQ(closed_->reason, "the bastion could not reach the host: Connection refused");
}

TEST_F(KokoSsh, WhatIsTypedWaitsForTheTitleThatTellsThatTheAssetIsThere) {
  connect(std::string(kCounter) + "read go; printf '\\033]2;ssh://root@10.0.0.5\\007'; read line; echo \"got $line\"");
  ASSERT_TRUE(sees("0.1"));
  transport_->send("early\n");
  ASSERT_FALSE(loop_.run_until([this] { return ready_; }, std::chrono::milliseconds(1500)));
  EXPECT_GT(transport_->unsent(), 0u);
  // Nothing goes on until somebody types, so the counter was not typed into.
  EXPECT_THAT(output_, Not(HasSubstr("\033]2;")));
}

TEST_F(KokoSsh, AnAnswerToItsOwnQuestionIsNotHeldBack) {
  connect(
      "printf \"root(root)'s password: \"; stty -echo; read line; printf '\\r\\n\\033]2;x\\007'; echo \"got $line\"; "
      "read rest");
  ASSERT_TRUE(sees("password: "));
  transport_->send("secret\n");
  ASSERT_TRUE(sees("got secret"));
  EXPECT_TRUE(ready_);
}

TEST_F(KokoSsh, AnAdministratorsEndIsReadFromTheLastWords) {
  connect(std::string(kCounter) +
          "printf '\\033]2;x\\007$ '; sleep 0.2; printf '\\n\\r\\033[31mTerminated by admin Bob(bob)\\r\\n\\033[0m'");
  ASSERT_TRUE(ended());
  EXPECT_TRUE(ready_);
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_EQ(closed_->reason, "an administrator ended the session (Terminated by admin Bob(bob))");
}

TEST_F(KokoSsh, APlainEndStaysOneAndHangingUpIsOne) {
  connect("printf '\\033]2;x\\007$ '; read line; exit 3");
  ASSERT_TRUE(wait([this] { return ready_; }));
  transport_->send("exit\n");
  ASSERT_TRUE(ended());
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  EXPECT_EQ(closed_->exit_code, 3);
  closed_.reset();
  output_.clear();
  connect("printf '\\033]2;x\\007$ '; read line");
  ASSERT_TRUE(sees("$ "));
  hang_up(loop_, *transport_, [this] { return closed_.has_value(); });
  ASSERT_TRUE(closed_);
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
}

}  // namespace
}  // namespace transport::jumpserver
