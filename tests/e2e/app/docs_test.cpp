// Every command that the documents show is run, in their order, on a machine where the names they use mean something.

#include <filesystem>
#include <regex>
#include <set>

#include "tests/e2e/app/documents.h"
#include "tests/e2e/app/ssh_session_fixture.h"
#include "tests/support/jumpserver.h"
#include "tests/support/model_server.h"
#include "tests/support/server_thread.h"
#include "tests/support/test_ca.h"
#include "tests/support/ttyd_server.h"

namespace app {
namespace {

using test_server::HttpRequest;
using test_server::HttpServer;

constexpr const char* kTtydPassword = "secret-word";

/// A ttyd with a password and TLS, one with neither, and a server that lists models.
struct DocumentedServers {
  DocumentedServers(event::EventLoop& loop, const test_server::TestCa& ca)
      : guarded(loop, {.credential = std::string("ops:") + kTtydPassword},
                {.certificate = ca.certificate(), .key = ca.key()}),
        open(loop),
        models(loop, list_models) {}

  static test_server::Reply list_models(const HttpRequest& request) {
    if (request.method != "GET" || request.target != "/v1/models") return test_server::reply(404, "{}");
    return test_server::reply(200, R"({"data":[{"id":"claude-sonnet-5-5"},{"id":"qwen3:8b"}]})",
                              {{"content-type", "application/json"}});
  }

  test_server::TtydOnLoopback guarded, open;
  HttpServer models;
};

class DocumentsTest : public SshSession {
 protected:
  using Shown = documents::Shown;

  DocumentsTest() {
    for (const char* host : {"db1", "gate1", "gate2"}) {
      sshds_.push_back(serve_known());
      name(host, sshds_.back()->port());
    }
    env_.set("JMS_CA_FILE", ca_.ca_file()).set("ANTHROPIC_BASE_URL", addresses_.models);
    // A prompt that outlives the scripts on the way: bash forgets PS1 when it runs one.
    env_.set("ENV", env_.home().write("prompt", "PS1='$ '\n"));
    make_source_tree();
    // The ~/.ssh/config of whoever runs the test is not the test's.
    functions_ = "jms() { case \"$*\" in *@db1*) case $1 in\n  exec|ask) set -- $1 -F '" + options()[1] +
                 "' \"${@:2}\";;\n  *) set -- -F '" + options()[1] + "' \"$@\";; esac;; esac; command jms \"$@\"; }\n";
  }

  /// The folder of the documents: the scripts as they are, a build that is done, a system that has every package.
  void make_source_tree() {
    namespace fs = std::filesystem;
    const auto& home = env_.home();
    fs::copy(JMS_SOURCE_DIR "/scripts", home / "scripts");
    fs::create_directories(home / "build/release/app");
    fs::create_symlink(JMS_BINARY, home / "build/release/app/jms");
    home.write("bin/cmake",
               "#!/bin/sh\n[ \"$1 $2\" != '--install build/release' ] || "
               "{ shift 2; exec /usr/bin/cmake --install '" JMS_BUILD_DIR "' \"$@\"; }\n",
               0700);
    for (const char* tool : {"bin/apt-get", "bin/sudo"}) home.write(tool, "#!/bin/sh\n", 0700);
    // Nothing but the installed jms: a document that does not say how it comes here cannot use it.
    env_.set("PATH", home / ".local/bin" + ":" + home / "bin" + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
  }

  std::string as_meant(std::string text) const {
    for (const auto& [written, meant] : meanings_)
      for (auto at = text.find(written); at != std::string::npos; at = text.find(written, at + meant.size()))
        text.replace(at, written.size(), meant);
    return text;
  }

  /// Gives the answer to what stands on the cursor's line, each at most once: a session that opens is left again.
  void answer_questions() {
    std::set<std::string> given;
    const std::pair<std::regex, std::string>* due = nullptr;
    const auto asked = [&] {
      const std::string row = jms_->row(jms_->screen().cursor().row);
      for (const auto& answer : answers_)
        if (!given.count(answer.second) && std::regex_search(row, answer.first)) return (due = &answer) != nullptr;
      return false;
    };
    while (jms_->wait_until(asked, Ms(60'000))) {
      given.insert(due->second);
      jms_->send(due->second + "\r");
    }
  }

  void run(const Shown& shown) {
    const std::string script =
        env_.home().write("line.sh", functions_ + as_meant(shown.exports + shown.command) + "\n");
    jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{.argv = {"bash", script},
                                                                              .environment = env_.variables(),
                                                                              .size = {40, 120},
                                                                              .directory = env_.home().path(),
                                                                              .emulate = true,
                                                                              .answer_queries = true});
    answer_questions();
    const auto ending = jms_->wait_for_exit();
    const std::string what = shown.place + ": " + shown.command + "\n" + jms_->output();
    ASSERT_TRUE(ending) << what;
    EXPECT_EQ(*ending, (support::Ending{shown.code, 0})) << what;
  }

  const test_server::TestCa ca_;
  std::vector<std::unique_ptr<support::Sshd>> sshds_;
  test_server::ServedJumpServer jumpserver_{{}};
  struct {
    std::string guarded, open, models;
  } addresses_;
  const test_server::ServerThread servers_{[this](event::EventLoop& loop) {
    auto servers = std::make_shared<DocumentedServers>(loop, ca_);
    addresses_ = {"127.0.0.1:" + std::to_string(servers->guarded.http.port()),
                  "127.0.0.1:" + std::to_string(servers->open.http.port()), servers->models.url()};
    return servers;
  }};
  /// What the documents write, and what is there on this machine.
  const std::vector<std::pair<std::string, std::string>> meanings_ = {
      {"https://jump.example.com", jumpserver_.url()}, {"ops@db1", at("db1")},
      {"ops@host:7681", "ops@" + addresses_.guarded},  {"127.0.0.1:7681", addresses_.open},
      {"http://127.0.0.1:11434", addresses_.models},
  };
  std::string functions_;
  const std::vector<std::pair<std::regex, std::string>> answers_ = {
      {std::regex("^\\$"), "exit"},
      {std::regex("^User:"), "alice"},
      {std::regex("^alice's password:"), "correct-horse-7"},
      {std::regex("^ops@.*'s password:"), kTtydPassword},
  };
};

TEST_F(DocumentsTest, ShowCommandsThatWork) {
  std::size_t count = 0;
  for (const auto& document : documents::all())
    for (const auto& shown : documents::shown_commands(document)) run(shown), ++count;
  EXPECT_GE(count, 30u);
  EXPECT_EQ(jumpserver_.violations(), std::vector<std::string>{});
}

TEST(Documents, ShowNoCommandThatIsNotRun) {
  for (const auto& document : documents::all())
    EXPECT_EQ(documents::commands_out_of_sight(document), std::vector<std::string>{});
}

}  // namespace
}  // namespace app
