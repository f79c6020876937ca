// Who may ask at the desk where ssh's questions arrive, and who gets nothing there.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>

#include "event/child_process.h"
#include "event/event_loop.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/askpass_desk.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kToken = "one-time-token-value";
constexpr int kNothing = 10, kSomething = 11;  // What a raw client got.

int connected_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 ? socket : -1;
}

/// Sends and waits for the end; says whether anything came back.
int talk(const std::string& path, const std::string& bytes) {
  const int socket = connected_to(path);
  if (socket < 0) return kNothing;
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
  char byte = 0;
  return ::recv(socket, &byte, 1, 0) > 0 ? kSomething : kNothing;
}

class AskpassDeskTest : public testing::Test {
 protected:
  AskpassDeskTest() {
    setenv("XDG_RUNTIME_DIR", runtime_.path().c_str(), 1);
    open();
  }
  ~AskpassDeskTest() override { unsetenv("XDG_RUNTIME_DIR"); }

  void open() {
    AskpassDesk::Events events;
    events.on_question = [this](const AskpassDesk::Question& asked) {
      questions_.push_back(asked.request.prompt);
      descents_.push_back(asked.asker);
      if (answering_) desk_->answer(Secret(kToken));
    };
    events.on_withdrawn = [this] { ++withdrawn_; };
    events.on_notice = [this](const std::string& text) { notices_.push_back(text); };
    auto desk = AskpassDesk::open(loop_, std::move(events));
    ASSERT_TRUE(desk) << desk.error().message;
    desk_ = std::move(*desk);
  }

  /// A child that waits until `begin` closes, so that the desk knows it before it moves.
  static pid_t forked(const int (&begin)[2], const std::function<int()>& work) {
    const pid_t child = fork();
    if (child != 0) return child;
    ::close(begin[1]);
    char byte = 0;
    (void)!::read(begin[0], &byte, 1);
    _exit(work());
  }
  int exit_code_of(pid_t child, milliseconds limit = seconds(30)) {
    std::optional<event::ExitStatus> status;
    const event::ChildProcess watched(loop_, child, [&](event::ExitStatus ended) { status = ended; });
    if (!loop_.run_until([&] { return status.has_value(); }, limit)) kill(child, SIGKILL);
    return status ? status->code : -1;
  }
  /// Runs `work` in a child of the process that stands for ssh.
  int in_family(const std::function<int()>& work) { return exit_code_of(start_family(work)); }
  pid_t start_family(const std::function<int()>& work) {
    int begin[2];
    (void)!::pipe2(begin, O_CLOEXEC);
    const pid_t ssh = forked(begin, [&] {
      const pid_t child = fork();
      if (child == 0) _exit(work());
      int status = 0;
      waitpid(child, &status, 0);
      return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
    });
    desk_->serve(ssh);
    ::close(begin[0]);
    ::close(begin[1]);
    return ssh;
  }
  /// The real helper, its answer into a file.
  int ask_as_helper(const std::string& prompt) const {
    setenv(kAskpassVariable, desk_->path().c_str(), 1);
    dup2(::open((runtime_ / "said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    execl(JMS_BINARY, "jms", prompt.c_str(), nullptr);
    return 98;
  }
  std::string said() const { return support::read_text(runtime_ / "said"); }

  support::TempDir runtime_;
  event::EventLoop loop_;
  bool answering_ = true;
  std::vector<std::string> questions_, notices_;
  std::vector<Descent> descents_;
  int withdrawn_ = 0;
  std::unique_ptr<AskpassDesk> desk_;
};

TEST_F(AskpassDeskTest, AHelperOfOurSshGetsItsAnswer) {
  EXPECT_EQ(in_family([this] { return ask_as_helper("what?\nwell: "); }), 0);
  EXPECT_EQ(said(), std::string(kToken) + "\n");
  EXPECT_THAT(questions_, ElementsAre("what?\nwell: "));
  EXPECT_TRUE(descents_[0].asked_by_ssh);
  EXPECT_EQ(descents_[0].hop, 0);
}

TEST_F(AskpassDeskTest, ARefusedHelperEndsWithOneAndSaysNothing) {
  answering_ = false;
  const pid_t ssh = start_family([this] { return ask_as_helper("what? "); });
  ASSERT_TRUE(loop_.run_until([this] { return !questions_.empty(); }, seconds(20)));
  desk_->refuse();
  EXPECT_EQ(exit_code_of(ssh), 1);
  EXPECT_EQ(said(), "");
}

TEST_F(AskpassDeskTest, AGrandchildOfSshIsNotTakenForSsh) {
  EXPECT_EQ(in_family([this] {
              const pid_t child = fork();
              if (child == 0) _exit(ask_as_helper("what? "));
              int status = 0;
              waitpid(child, &status, 0);
              return WEXITSTATUS(status);
            }),
            0);
  ASSERT_EQ(descents_.size(), 1u);
  EXPECT_FALSE(descents_[0].asked_by_ssh);
}

TEST_F(AskpassDeskTest, AStrangerGetsNothingThoughItIsOurs) {
  const pid_t ssh = start_family([] {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // It ends with the one that stands for ssh.
    return ::pause();
  });
  int begin[2];  // Not before: the family would hold it open.
  (void)!::pipe2(begin, O_CLOEXEC);
  const pid_t stranger = forked(begin, [this] { return ask_as_helper("what? "); });
  ::close(begin[0]);
  ::close(begin[1]);
  EXPECT_EQ(exit_code_of(stranger), 1);
  EXPECT_EQ(said(), "");
  EXPECT_THAT(questions_, IsEmpty());
  kill(ssh, SIGKILL);
  waitpid(ssh, nullptr, 0);
}

TEST_F(AskpassDeskTest, BeforeItServesAnSshNobodyGetsAnything) {
  int begin[2];
  (void)!::pipe2(begin, O_CLOEXEC);
  const pid_t child = forked(begin, [this] { return ask_as_helper("what? "); });
  ::close(begin[0]);
  ::close(begin[1]);
  EXPECT_EQ(exit_code_of(child), 1);
  EXPECT_THAT(questions_, IsEmpty());
}

TEST_F(AskpassDeskTest, AnotherUserGetsNothingEvenWhereTheDirectoryLetsItIn) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  const std::string request = to_wire({AskpassRequest::Hint::question, "what? "});
  const auto as_nobody = [&] {
    if (setgid(65534) != 0 || setuid(65534) != 0) return 97;
    return talk(desk_->path(), request);
  };
  EXPECT_EQ(in_family(as_nobody), kNothing);
  for (auto place = std::filesystem::path(desk_->path()); place != runtime_.path(); place = place.parent_path())
    ASSERT_EQ(chmod(place.c_str(), 0777), 0);
  ASSERT_EQ(chmod(runtime_.path().c_str(), 0755), 0);
  EXPECT_EQ(in_family(as_nobody), kNothing);
  EXPECT_THAT(questions_, IsEmpty());
  EXPECT_EQ(in_family([&] { return talk(desk_->path(), request); }), kSomething) << "the same from us is served";
}

TEST_F(AskpassDeskTest, GarbageIsDroppedAtOnce) {
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(10'000'000, 'x'), std::string("\0\0\xff\xff", 4),
        std::string(4, '\0'), to_wire({AskpassRequest::Hint::question, "what? "}).substr(0, 20) + std::string(50, 'y'),
        to_wire({AskpassRequest::Hint::question, "a? "}) + to_wire({AskpassRequest::Hint::question, "b? "})})
    EXPECT_EQ(in_family([&] { return talk(desk_->path(), bytes); }), kNothing);
  EXPECT_THAT(questions_, IsEmpty());
}

TEST_F(AskpassDeskTest, ASlowOneIsSentAwayAndHoldsNobodyUp) {
  const auto began = std::chrono::steady_clock::now();
  const pid_t ssh = start_family([this] {
    const int slow = connected_to(desk_->path());
    (void)!::send(slow, "\0\0", 2, MSG_NOSIGNAL);
    const pid_t helper = fork();
    if (helper == 0) _exit(ask_as_helper("what? "));
    int status = 0;
    waitpid(helper, &status, 0);
    if (WEXITSTATUS(status) != 0) return 96;
    char byte = 0;
    return ::recv(slow, &byte, 1, 0) > 0 ? kSomething : kNothing;
  });
  EXPECT_EQ(exit_code_of(ssh), kNothing);
  EXPECT_EQ(said(), std::string(kToken) + "\n");
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds(20));
}

TEST_F(AskpassDeskTest, ManyAtOnceAreTurnedAwayAndTheNextIsServed) {
  EXPECT_EQ(in_family([this] {
              std::vector<int> sockets;
              for (int i = 0; i < 100; ++i) sockets.push_back(connected_to(desk_->path()));
              int closed = 0;
              for (const int socket : sockets) {
                pollfd end{socket, POLLIN, 0};
                char byte = 0;
                if (socket < 0 || (poll(&end, 1, 500) == 1 && ::recv(socket, &byte, 1, 0) <= 0)) ++closed;
                if (closed >= 92) break;
              }
              return closed >= 92 ? kNothing : kSomething;
            }),
            kNothing);
  EXPECT_EQ(in_family([this] { return ask_as_helper("what? "); }), 0);
}

TEST_F(AskpassDeskTest, OneQuestionIsOpenAtATimeAndGoesWithWhoAsked) {
  answering_ = false;
  const pid_t ssh = start_family([this] {
    const std::string request = to_wire({AskpassRequest::Hint::question, "first? "});
    const int first = connected_to(desk_->path());
    (void)!::send(first, request.data(), request.size(), MSG_NOSIGNAL);
    const pid_t second = fork();
    if (second == 0) {
      ::close(first);
      _exit(ask_as_helper("second? "));
    }
    ::sleep(1);  // The second has asked meanwhile; the first goes away.
    ::close(first);
    int status = 0;
    waitpid(second, &status, 0);
    return WEXITSTATUS(status);
  });
  ASSERT_TRUE(loop_.run_until([this] { return withdrawn_ == 1; }, seconds(20)));
  ASSERT_TRUE(loop_.run_until([this] { return questions_.size() == 2; }, seconds(20)));
  EXPECT_EQ(questions_[1], "second? ");
  desk_->answer(Secret(kToken));
  EXPECT_EQ(exit_code_of(ssh), 0);
}

TEST_F(AskpassDeskTest, ANoticeIsToldAndNotAnswered) {
  const pid_t ssh = start_family([this] {
    setenv("SSH_ASKPASS_PROMPT", "none", 1);
    return ask_as_helper("Confirm user presence for key x");
  });
  ASSERT_TRUE(loop_.run_until([this] { return !notices_.empty(); }, seconds(20)));
  EXPECT_THAT(notices_, ElementsAre("Confirm user presence for key x"));
  EXPECT_THAT(questions_, IsEmpty());
  desk_.reset();
  EXPECT_EQ(exit_code_of(ssh), 1);
}

TEST_F(AskpassDeskTest, ItsDirectoryIsOursAloneAndGoesWithIt) {
  const auto directory = std::filesystem::path(desk_->path()).parent_path();
  struct stat info {};
  ASSERT_EQ(stat(directory.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  desk_.reset();
  EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST_F(AskpassDeskTest, WhatAKilledOneLeftBehindIsRemovedByTheNext) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const auto left = [&](pid_t maker) {
    const std::string name = "jms-ask-" + std::to_string(maker) + "-abcdef";
    runtime_.write(name + "/ask", "");
    std::filesystem::permissions(runtime_ / name, std::filesystem::perms::owner_all);
    return runtime_ / name;
  };
  const std::string dead = left(gone), alive = left(getppid());
  desk_.reset();
  open();
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(alive));
}

}  // namespace
}  // namespace transport
