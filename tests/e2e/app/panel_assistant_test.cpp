// The panel on the real binary with a model played on loopback: what it shows, asks and inserts, and what never leaves
// it.

#include <filesystem>
#include <random>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/eventually.h"
#include "tests/support/jumpserver.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"

namespace app {
namespace {

using model_streams::anthropic_call_turn;
using model_streams::anthropic_text_turn;
using test_server::ModelServer;
using test_server::stream_reply;

class PanelAssistant : public BareSession {
 protected:
  void SetUp() override {
    server_ = std::make_unique<ModelServer>(loop_, ModelServer::Api::anthropic);
    env_.set("ANTHROPIC_BASE_URL", server_->base_url()).set("ANTHROPIC_API_KEY", "made-up");
    env_.write_config("[model]\nname = \"claude-opus-5-5\"\n");
  }
  void model_runs(const std::string& command) { model_calls({{"command", command}}); }
  void model_changes(const std::string& command, const std::string& rollback) {
    model_calls({{"command", command}, {"rollback", rollback}});
  }
  void model_calls(const nlohmann::json& arguments) {
    const std::string input = arguments.dump();
    server_->script(stream_reply(anthropic_call_turn("toolu_" + std::to_string(++calls_), "execute_command", input)));
  }
  void model_says(const std::string& text) { server_->script(stream_reply(anthropic_text_turn(text))); }

  /// Waits while the model's server answers too.
  [[nodiscard]] bool wait(const std::function<bool()>& done, Ms limit = Ms(20'000)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      loop_.run_until([] { return false; }, Ms(5));
      jms_->wait_until([] { return false; }, Ms(5));
    }
    return true;
  }
  [[nodiscard]] bool wait_for_screen(const std::string& text) {
    return wait([&] { return shows(text); });
  }
  void ask(const std::string& question, base::Size size = {30, 100}) {
    start(size);
    ASSERT_TRUE(command("PS1='$ '"));
    ask_in_panel(question);
  }
  void ask_in_panel(const std::string& question) {
    ASSERT_TRUE(open_panel());
    jms_->send(question);
    ASSERT_TRUE(wait_for_screen(question));
    jms_->send("\r");
  }
  /// The question has been there for longer than keys that were on their way count.
  void let_it_listen() {
    ASSERT_FALSE(wait([] { return false; }, Ms(650)));
  }

  event::EventLoop loop_;
  std::unique_ptr<ModelServer> server_;
  int calls_ = 0;
};

TEST_F(PanelAssistant, ShowsTheCommandAsACardAndTheAnswerInMarkdown) {
  model_runs("echo one; echo two; echo three; echo four; echo five");
  model_says("## Result\n\nIt **works**:\n\n- first\n- second\n\n| a | b |\n|--|--|\n| 1 | 2 |\n");
  ask("what is there?", {40, 100});
  ASSERT_TRUE(wait_for_screen("│ 1 │ 2 │")) << jms_->screen_text();
  jms_->send("\x1b[23~");  // F11: all of it fits
  ASSERT_TRUE(wait_for_screen("› what is there?")) << jms_->screen_text();
  EXPECT_TRUE(shows("⚡ echo one; echo two; echo three; echo four; echo five  ✓")) << jms_->screen_text();
  EXPECT_TRUE(shows("2 more lines, Ctrl+O unfolds")) << jms_->screen_text();
  EXPECT_TRUE(shows("• second"));
  EXPECT_FALSE(shows("**"));
  jms_->send("\x0f");
  ASSERT_TRUE(wait_for_screen("│ five")) << jms_->screen_text();
}

TEST_F(PanelAssistant, AsksBeforeAChangeAndRunsItOnYes) {
  model_runs("touch made-by-jms");
  model_says("It is there.");
  ask("make the file");
  ASSERT_TRUE(wait_for_screen("Run this on local?")) << jms_->screen_text();
  EXPECT_TRUE(shows("touch made-by-jms")) << jms_->screen_text();
  EXPECT_TRUE(shows("changes: ")) << jms_->screen_text();
  let_it_listen();
  jms_->send("y");
  ASSERT_TRUE(wait_for_screen("It is there.")) << jms_->screen_text();
  EXPECT_TRUE(std::filesystem::exists(env_.home().path() + "/made-by-jms"));
}

TEST_F(PanelAssistant, OffersTheRollbackOfAChangeThatRan) {
  model_changes("touch made-by-jms", "rm made-by-jms");
  model_says("It is there.");
  ask("make the file");
  ASSERT_TRUE(wait_for_screen("Run this on local?")) << jms_->screen_text();
  let_it_listen();
  jms_->send("y");
  ASSERT_TRUE(wait_for_screen("It is there.")) << jms_->screen_text();
  EXPECT_TRUE(shows("Alt+R puts the rollback on the prompt: rm made-by-jms")) << jms_->screen_text();
  jms_->send("\x1br");
  EXPECT_TRUE(wait_for_screen("$ rm made-by-jms")) << jms_->screen_text();
}

TEST_F(PanelAssistant, OffersNoRollbackOfAChangeThatNeverBegan) {
  model_changes("touch made-by-jms", "rm made-by-jms");
  model_says("The terminal is busy.");
  start({30, 100});
  ASSERT_TRUE(command("PS1='$ '"));
  enter("cat");  // Reads what is typed: the command is not given to it.
  ASSERT_TRUE(open_panel());
  jms_->send("make the file\r");
  ASSERT_TRUE(wait_for_screen("Run this on local?")) << jms_->screen_text();
  let_it_listen();
  jms_->send("y");
  ASSERT_TRUE(wait_for_screen("The terminal is busy.")) << jms_->screen_text();
  EXPECT_FALSE(shows("Alt+R")) << jms_->screen_text();
  EXPECT_FALSE(std::filesystem::exists(env_.home().path() + "/made-by-jms"));
}

TEST_F(PanelAssistant, ANoWithANoteReachesTheModel) {
  model_runs("touch made-by-jms");
  model_says("Then not.");
  ask("make the file");
  ASSERT_TRUE(wait_for_screen("Run this on local?"));
  let_it_listen();
  jms_->send("n");
  ASSERT_TRUE(wait_for_screen("Why?"));
  jms_->send("wait for the window\r");
  ASSERT_TRUE(wait_for_screen("Then not.")) << jms_->screen_text();
  EXPECT_TRUE(shows("Not run: wait for the window")) << jms_->screen_text();
  EXPECT_NE(server_->body(1)["messages"].back().dump().find("wait for the window"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(env_.home().path() + "/made-by-jms"));
}

TEST_F(PanelAssistant, WhatIsDestructiveWantsTheHostsNameTyped) {
  const auto file = script("precious", "x");
  model_runs("rm -rf " + file);
  model_says("Gone.");
  ask("remove it");
  ASSERT_TRUE(wait_for_screen("This destroys something on local.")) << jms_->screen_text();
  let_it_listen();
  jms_->send("y");
  ASSERT_TRUE(wait_for_screen("Type local and Enter"));
  jms_->send("yes\r");
  ASSERT_TRUE(wait_for_screen("That is not it."));
  EXPECT_TRUE(std::filesystem::exists(file));
  jms_->send("local\r");
  ASSERT_TRUE(wait_for_screen("Gone.")) << jms_->screen_text();
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(PanelAssistant, PutsASuggestedCommandOnThePromptWithoutRunningIt) {
  model_says("Try this:\n\n```sh\necho in''serted\n```\n");
  ask("how?");
  ASSERT_TRUE(wait_for_screen("Alt+1 ─")) << jms_->screen_text();
  jms_->send(
      "\x1b"
      "1");
  ASSERT_TRUE(wait_for_screen("$ echo in''serted")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  jms_->settle(Ms(100));
  EXPECT_FALSE(shows("\ninserted")) << "nobody pressed Enter: " << jms_->screen_text();
  jms_->send("\r");
  EXPECT_TRUE(jms_->wait_for_screen("\ninserted")) << jms_->screen_text();
}

/// The secret goes to the program and not to the panel; then the panel is there again.
TEST_F(PanelAssistant, StepsAsideForAPasswordAndComesBackAtTheEnd) {
  const std::string ask_it =
      script("ask", "stty -echo; printf 'Password: '; read x; stty echo; echo; echo got-${#x}\n");
  model_runs("cat " + script("harmless", "harmless\n") + "; sh " + ask_it);
  model_says("All done here.");
  ask("run it");
  ASSERT_TRUE(wait_for_screen("Run this on local?")) << jms_->screen_text();
  let_it_listen();
  jms_->send("y");
  ASSERT_TRUE(wait([&] { return !panel_is_open() && shows("Password:"); })) << jms_->screen_text();
  jms_->send("geheim\r");
  ASSERT_TRUE(wait_for_screen("All done here.")) << jms_->screen_text();
  EXPECT_TRUE(panel_is_open());
  EXPECT_NE(server_->body(1).dump().find("got-6"), std::string::npos);
  EXPECT_EQ(server_->body(1).dump().find("geheim"), std::string::npos);
}

/// Whether reviewers are asked is the operator's to say, and said in the terminal.
TEST_F(PanelAssistant, StepsAsideForTheBastionsReviewAndComesBackAtTheEnd) {
  test_server::KokoOptions options;
  options.filters = {{"reviewed-thing", test_server::KokoFilter::Action::review}};
  test_server::ServedJumpServer site(options);
  env_.set("JMS_SERVER", site.url());
  site.with([this](test_server::JumpServer& open) { env_.set("JMS_COOKIE", open.core.open_web_session()); });
  model_runs("echo reviewed-thing");
  model_says("All done here.");
  launch({30, 100}, {"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  ask_in_panel("run it");
  ASSERT_TRUE(wait([&] { return !panel_is_open() && shows("[Y/n]?"); })) << jms_->screen_text();
  jms_->send("y");
  ASSERT_TRUE(site.wait([](auto& open) { return open.koko.reviewing(); })) << jms_->screen_text();
  EXPECT_FALSE(panel_is_open()) << "the ticket is to be read: " << jms_->screen_text();
  site.with([](test_server::JumpServer& open) { open.koko.approve("Bob"); });
  ASSERT_TRUE(wait_for_screen("All done here.")) << jms_->screen_text();
  EXPECT_TRUE(panel_is_open());
}

TEST_F(PanelAssistant, WhatAnAdministratorDoesToTheSessionStandsInThePanelThatCoversIt) {
  test_server::ServedJumpServer site({});
  env_.set("JMS_SERVER", site.url());
  site.with([this](test_server::JumpServer& open) { env_.set("JMS_COOKIE", open.core.open_web_session()); });
  launch({30, 100}, {"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  ASSERT_TRUE(open_panel());
  site.with([](test_server::JumpServer& open) { open.koko.lock("Root Admin"); });
  ASSERT_TRUE(wait_for_screen("the session is locked by Root Admin: what is typed is dropped")) << jms_->screen_text();
  EXPECT_TRUE(panel_is_open());
  site.with([](test_server::JumpServer& open) { open.koko.unlock("Root Admin"); });
  ASSERT_TRUE(wait_for_screen("the session is unlocked by Root Admin")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(shows("jms: the session is unlocked by Root Admin")) << jms_->screen_text();
}

TEST_F(PanelAssistant, ACommandWhoseSessionAnAdministratorEndsHasATrueEnd) {
  test_server::ServedJumpServer site({});
  env_.set("JMS_SERVER", site.url());
  site.with([this](test_server::JumpServer& open) { env_.set("JMS_COOKIE", open.core.open_web_session()); });
  model_runs("sleep 100");
  model_says("So it was ended.");
  launch({30, 100}, {"--mode", "auto", "--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  ask_in_panel("run it");
  ASSERT_TRUE(wait([&] {
    bool typed = false;
    site.with([&](test_server::JumpServer& open) { typed = open.koko.input.find("sleep 100") != std::string::npos; });
    return typed;
  })) << jms_->screen_text();
  site.with([](test_server::JumpServer& open) { open.koko.terminate("Root Admin"); });
  ASSERT_TRUE(wait_for_screen("press r to reconnect")) << jms_->screen_text();
  EXPECT_TRUE(shows("jms: an administrator ended the session (Terminated by admin Root Admin)")) << jms_->screen_text();
  ASSERT_TRUE(wait([&] { return server_->requests().size() == 2; }));
  const std::string result = server_->body(1)["messages"].back().dump();
  EXPECT_NE(result.find("an administrator ended the session (Terminated by admin Root Admin)"), std::string::npos)
      << result;
  EXPECT_NE(result.find("may or may not have run"), std::string::npos) << result;
}

TEST_F(PanelAssistant, ABadgeTellsWhatHappensWhileThePanelIsClosedAndLeavesNoTrace) {
  const support::Gate gate(env_.home(), "gate");
  model_runs(gate.wait());
  model_says("All done here.");
  ask("wait for it");
  ASSERT_TRUE(wait_for_screen("running")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  ASSERT_TRUE(wait_for_screen("jms: running")) << jms_->screen_text();
  const auto cursor = jms_->screen().cursor();
  gate.open();
  ASSERT_TRUE(wait_for_screen("jms: done")) << jms_->screen_text();
  EXPECT_EQ(jms_->screen().cursor().col, 2) << "behind the prompt; before it was at column " << cursor.col;
  ASSERT_TRUE(open_panel());
  EXPECT_TRUE(shows("All done here.")) << jms_->screen_text();
  ASSERT_TRUE(close_panel());
  EXPECT_FALSE(shows("jms: done")) << jms_->screen_text();
  ASSERT_TRUE(command("echo after"));
  EXPECT_EQ(jms_->row(0).find("jms: r"), std::string::npos) << jms_->screen_text();
}

TEST_F(PanelAssistant, AltTMovesTheKeyboardToTheTerminalAndBack) {
  start();
  ASSERT_TRUE(open_panel());
  jms_->send(
      "\x1b"
      "t");
  ASSERT_TRUE(wait_for_screen("back to the panel"));
  jms_->send("echo typed-a''bove\r");
  ASSERT_TRUE(wait_for_screen("typed-above")) << jms_->screen_text();
  jms_->send(
      "\x1b"
      "t");
  ASSERT_TRUE(wait_for_screen("Esc close"));
  jms_->send("in the panel");
  ASSERT_TRUE(wait_for_screen("› in the panel"));
}

TEST_F(PanelAssistant, OnlyTheSplitChangesTheRemotesSize) {
  start({30, 160});
  ASSERT_TRUE(open_panel());
  jms_->send("\x1b[23~");  // F11
  jms_->settle(Ms(100));
  jms_->send("\x1b[21~");  // F10
  ASSERT_TRUE(wait_for_screen("│── jms"));
  jms_->send(
      "\x1b"
      "t");
  ASSERT_TRUE(wait_for_screen("back to the panel"));
  jms_->send("stty size\r");
  EXPECT_TRUE(wait_for_screen("30 96")) << jms_->screen_text();
  jms_->send(kHotkey);
  ASSERT_TRUE(wait_for_no_panel());
  EXPECT_TRUE(wait_for_remote_size({30, 160})) << jms_->screen_text();
}

TEST_F(PanelAssistant, HostileTextOfTheModelStaysInsideThePanel) {
  std::string evil =
      "\x1b[1;1HOWNED\x1b[2J\x1b]0;title\x07\x1b[?1049l\x1b"
      "c\x9b"
      "31m\r\n\x08\x08\x1b[10A&#27;[2J\xe2\x80\xae"
      "evil ";
  for (int i = 0; i < 32; ++i) evil += static_cast<char>(i == 27 ? 7 : i);
  std::string json = nlohmann::json(evil).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  model_says(nlohmann::json::parse(json).get<std::string>() + "\n\n[link](\x1b[H) the end");
  ask("be evil", {24, 80});
  ASSERT_TRUE(wait_for_screen("the end")) << jms_->screen_text();
  for (int row = 0; row < 14; ++row) EXPECT_EQ(jms_->row(row).find("OWNED"), std::string::npos) << jms_->screen_text();
  EXPECT_TRUE(jms_->screen().alternate());
  EXPECT_TRUE(panel_is_open());
  EXPECT_EQ(jms_->output().find("\x1b]0;title"), std::string::npos);
}

/// Minutes of work for a nervous operator, in seconds: any keys, no crash, and not a byte for the remote.
TEST_F(PanelAssistant, RandomKeysNeitherCrashItNorReachTheRemote) {
  start();
  const std::string got = env_.home().file("got-by-remote");
  enter("cat -v > " + got);
  ASSERT_TRUE(jms_->wait_for("cat -v"));
  ASSERT_TRUE(support::eventually([&] { return std::filesystem::exists(got); }));
  ASSERT_TRUE(open_panel());
  const std::vector<std::string> special = {"\x1b[A",
                                            "\x1b[B",
                                            "\x1b[C",
                                            "\x1b[D",
                                            "\x1b[5~",
                                            "\x1b[6~",
                                            "\x1b[H",
                                            "\x1b[F",
                                            "\x1b[1;3A",
                                            "\x1b[1;3B",
                                            "\x1b[23~",
                                            "\x1b[21~",
                                            "\x1b\r",
                                            "\x7f",
                                            "\x1b[3~",
                                            "\x0f",
                                            "\x06",
                                            "\x0c",
                                            "\x12",
                                            "\t",
                                            "\x1b[1;5H",
                                            "\x1b"
                                            "1",
                                            "\x1b"
                                            "c",
                                            "\x1b"
                                            "r",
                                            "\x01",
                                            "\x05",
                                            "\x17",
                                            "\x15",
                                            "\x1b[200~pasted\ntext\x1b[201~",
                                            "\x1b[<64;10;20M",
                                            "\x1b[<0;5;20M",
                                            "\x1b[<65;1;1M",
                                            "漢",
                                            "🎉",
                                            "\xff",
                                            "\x1b[99;99;99~",
                                            "\x1b[I",
                                            "\x1b[O"};
  std::mt19937 random(20261116);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(12);
  while (std::chrono::steady_clock::now() < until) {
    std::string keys;
    for (int i = 0; i < 40; ++i) {
      if (random() % 3 == 0) {
        keys += special[random() % special.size()];
      } else {
        // No Enter and no '!' or '/': those may run things on purpose. Esc and Ctrl+C close, Alt+T hands over.
        char c = static_cast<char>(' ' + random() % 95);
        keys += c == '!' || c == '/' ? 'x' : c;
      }
    }
    jms_->send(keys);
    ASSERT_FALSE(wait([] { return false; }, Ms(20)));
    // A key that the pieces before it turned into Esc may have closed it; then it is opened again.
    if (!jms_->screen().alternate()) {
      jms_->settle(Ms(100));
      ASSERT_TRUE(open_panel()) << jms_->screen_text();
    }
  }
  // Whatever the keys opened in it, the hotkey closes it; too soon after the last one it would go to the remote.
  pause(kNotQuickly);
  jms_->settle(Ms(200));
  if (jms_->screen().alternate()) jms_->send(kHotkey);
  ASSERT_TRUE(jms_->wait_until([&] { return !jms_->screen().alternate(); })) << jms_->screen_text();
  jms_->send("\x04");
  ASSERT_TRUE(command("true")) << jms_->screen_text();
  EXPECT_EQ(std::filesystem::file_size(got), 0u) << jms_->screen_text();
}

}  // namespace
}  // namespace app
