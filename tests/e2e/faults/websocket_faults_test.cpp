// A WebSocket that ends in every way it can, with each code, while a command runs and while nothing does: the command
// is unknown and ran once, its record is whole, the operator is told why, the next start works.

#include <fstream>
#include <optional>

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/session_fixture.h"
#include "tests/support/describe_modes.h"
#include "tests/support/jumpserver.h"
#include "tests/support/ttyd_server.h"

namespace faults {
namespace {

using test_server::ServerSocket;
using testing::HasSubstr;

/// One way to end, and a word of what the operator hears of it.
struct Close {
  std::string name;
  std::function<void(ServerSocket&)> make;
  std::string told;
  bool in_order = false;  ///< The session ended as sessions do: no offer to reconnect.

  friend std::ostream& operator<<(std::ostream& out, const Close& close) { return out << close.name; }
};

Close with_code(int code, const std::string& told, const std::string& reason = {}) {
  return {"Code" + std::to_string(code) + (reason.empty() ? "" : "WithAReason"),
          [=](ServerSocket& socket) { socket.close(code, reason); }, told};
}

Close with_payload(const char* name, const std::string& payload) {
  return {name, [=](ServerSocket& socket) { socket.send_frame(ServerSocket::Opcode::close, true, payload); }, ""};
}

std::vector<Close> all_closes() {
  Close normal = with_code(1000, "");
  normal.in_order = true;
  return {normal,
          with_code(1001, "shutting down or restarting"),
          with_code(1002, "restarts or is overloaded"),
          with_code(1003, "could not read"),
          {"Code1006IsATornConnection", [](ServerSocket& socket) { socket.drop(); }, "broke"},
          with_code(1007, "could not read"),
          with_code(1008, "policy"),
          with_code(1009, "too long"),
          with_code(1010, "(1010)"),
          with_code(1011, "failed inside"),
          with_code(1012, "restarts or is overloaded"),
          with_code(1013, "restarts or is overloaded"),
          with_code(1014, "restarts or is overloaded"),
          with_code(3000, "(3000)"),
          with_code(4000, "write_timeout", "koko:write_timeout"),
          with_code(4999, "(4999)"),
          with_code(1011, "out of memory", "out of memory\x1b[2J"),
          // What RFC 6455 forbids.
          with_code(999, ""),
          with_code(1005, ""),
          with_code(1006, ""),
          with_code(1015, ""),
          with_code(65535, ""),
          with_payload("NoCodeAtAll", ""),
          with_payload("HalfACode", "\x03"),
          with_payload("AReasonThatIsNotUtf8", std::string("\x03\xf3\xff\xfe", 4)),
          {"AFrameThatIsCutInTheMiddle",
           [](ServerSocket& socket) {
             socket.send_raw("\x82\x7e\x10");
             socket.drop();
           },
           ""}};
}

const auto kName = [](const auto& choice) { return choice.param.name; };

/// Who speaks WebSocket to jms. Everything is served on the test's own loop.
class Bastion {
 public:
  virtual ~Bastion() = default;
  virtual std::vector<std::string> target() const = 0;
  virtual ServerSocket& socket() = 0;
};

class Ttyd final : public Bastion {
 public:
  explicit Ttyd(event::EventLoop& loop)
      : ttyd_(loop, {}),
        http_(loop, [this](const test_server::HttpRequest& request) { return ttyd_.handle(request); }) {}
  std::vector<std::string> target() const override { return {"ws://127.0.0.1:" + std::to_string(http_.port()) + "/"}; }
  ServerSocket& socket() override { return ttyd_.socket(); }

 private:
  test_server::TtydServer ttyd_;
  test_server::HttpServer http_;
};

class Koko final : public Bastion {
 public:
  Koko(event::EventLoop& loop, support::TestEnv& env) : site_(loop, {}) {
    env.set("JMS_SERVER", site_.http.url()).set("JMS_COOKIE", site_.core.open_web_session());
  }
  std::vector<std::string> target() const override { return {"--via", "ws", "jms://web-01"}; }
  ServerSocket& socket() override { return site_.koko.socket(); }

 private:
  test_server::JumpServer site_;
};

class CloseFault : public app::CommandTest, public testing::WithParamInterface<Close> {
 protected:
  /// Runs jms with `words` and the bastion's target behind them; breaks the socket when the command has left its mark.
  support::CommandOutput run_broken(Words words, const Words& more) {
    add(words, more);
    auto result = std::async(std::launch::async, [this, words] { return run(words); });
    const auto ready = [&result] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    bool broken = false;
    while (!ready()) {
      loop_.run_until(ready, std::chrono::milliseconds(10));
      if (broken || marks().empty()) continue;
      GetParam().make(bastion_->socket());
      broken = true;
    }
    EXPECT_TRUE(broken) << "the command never ran";
    return result.get();
  }
  void add(Words& words, const Words& more) const {
    const auto target = bastion_->target();
    words.insert(words.end(), target.begin(), target.end());
    words.insert(words.end(), more.begin(), more.end());
  }
  std::string marks() const { return std::filesystem::exists(marks_) ? support::read_text(marks_) : ""; }
  void expect_next_start_works() {
    Words words = {"exec"};
    add(words, {"--", "echo back"});
    const auto again = run_served(words);
    EXPECT_EQ(again.out, "back\n") << again.err;
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(marks(), "x\n") << "nothing ran twice";
  }
  void expect_unknown(const support::CommandOutput& result) {
    EXPECT_EQ(result.code, 125) << result.err;
    const auto json = Json::parse(result.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << result.out << result.err;
    EXPECT_EQ(json.value("status", ""), "disconnected") << result.out;
    EXPECT_TRUE(json["exit_code"].is_null()) << result.out;
    EXPECT_THAT(json.value("note", ""), HasSubstr(GetParam().told));
    EXPECT_THAT(json.value("note", ""), testing::Not(HasSubstr("\x1b")));
    EXPECT_EQ(marks(), "x\n");
  }

  std::string marks_ = env_.home().file("marks");
  std::string command_ = "echo x >> " + marks_ + "; sleep 60";
  std::unique_ptr<Bastion> bastion_;
};

TEST_P(CloseFault, OfTtydWhileACommandRuns) {
  bastion_ = std::make_unique<Ttyd>(loop_);
  expect_unknown(run_broken({"exec", "--json"}, {"--", command_}));
  expect_next_start_works();
}

TEST_P(CloseFault, OfKokoWhileACommandRuns) {
  bastion_ = std::make_unique<Koko>(loop_, env_);
  expect_unknown(run_broken({"exec", "--json"}, {"--", command_}));
  expect_next_start_works();
}

TEST_P(CloseFault, WhileTheAssistantsCommandRuns) {
  bastion_ = std::make_unique<Koko>(loop_, env_);
  env_.home().write("config/jms/skills/slow-frobnicator/SKILL.md",
                    "---\nname: slow-frobnicator\ndescription: Find out why the frobnicator is slow.\n---\n"
                    "## 1. Wait\n```bash\n" +
                        command_ + "\n```\nexpect: exit 0\n");
  const auto asked = run_broken({"ask", "--yes-changes"}, {"why is the frobnicator slow?"});
  EXPECT_GE(asked.code, 0) << "it hangs";
  EXPECT_EQ(run({"audit", "verify"}).code, 0);
  const auto records = json_lines(run({"audit", "list"}).out);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["event"], "start");
  EXPECT_EQ(records[1]["event"], "end");
  EXPECT_TRUE(records[1]["exit_code"].is_null()) << records[1];
  expect_next_start_works();
}

INSTANTIATE_TEST_SUITE_P(Every, CloseFault, testing::ValuesIn(all_closes()), kName);

class CloseInASession : public app::BareSession, public testing::WithParamInterface<Close> {
 protected:
  /// Waits while the server answers too.
  [[nodiscard]] bool wait(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && std::chrono::steady_clock::now() < end) {
      loop_.run_until([] { return false; }, Ms(5));
      jms_->wait_until([] { return false; }, Ms(5));
    }
    return done();
  }
  [[nodiscard]] bool wait_for_screen(const std::string& text) {
    return wait([&] { return shows(text); });
  }
  void expect_end(int code) {
    std::optional<support::Ending> ending;
    ASSERT_TRUE(wait([&] { return (ending = jms_->wait_for_exit(Ms(1))).has_value(); })) << jms_->screen_text();
    EXPECT_EQ(*ending, (support::Ending{code, 0})) << jms_->output();
    EXPECT_EQ(jms_->settings().c_lflag, before_.c_lflag);
    EXPECT_EQ(support::describe(jms_->screen().modes()), support::describe(terminal::Modes{}));
  }

  event::EventLoop loop_;
  Ttyd ttyd_{loop_};
  termios before_{};
};

TEST_P(CloseInASession, IsToldAndTheSessionCanBeOpenedAgain) {
  launch({24, 100}, ttyd_.target());
  before_ = jms_->first_settings();
  ASSERT_TRUE(wait_for_screen("\n$")) << jms_->screen_text();
  jms_->send("printf '\\033[?1049h\\033[?1000h'; echo full''-screen\r");
  ASSERT_TRUE(wait_for_screen("full-screen"));
  GetParam().make(ttyd_.socket());
  if (GetParam().in_order) return expect_end(0);
  ASSERT_TRUE(wait_for_screen("press r to reconnect")) << jms_->screen_text();
  EXPECT_TRUE(shows(GetParam().told)) << jms_->screen_text();
  EXPECT_FALSE(jms_->screen().alternate());
  jms_->send("r");
  ASSERT_TRUE(wait_for_screen("reconnecting"));
  jms_->send("echo ba''ck\r");
  ASSERT_TRUE(wait_for_screen("\nback")) << jms_->screen_text();
  jms_->send("exit 0\r");
  expect_end(0);
}

INSTANTIATE_TEST_SUITE_P(Every, CloseInASession, testing::ValuesIn(all_closes()), kName);

}  // namespace
}  // namespace faults
