// Every state of the panel as the operator sees it: drawn into a frame, written as terminal bytes, read back by our own
// emulator, compared with tests/golden/panel/. JMS_GOLDEN=write makes the files anew; look at the difference before
// committing it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "panel/panel.h"
#include "terminal/display.h"
#include "terminal/screen.h"
#include "terminal/sgr.h"
#include "tests/unit/panel/ended_card.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;

constexpr std::string_view kAnswer =
    "# Disk report\n\nThe **root** filesystem is *nearly* full: `/var/log` holds 中文日志 and 🎉. See [the "
    "docs](https://example.org/df).\n\n| Mount | Used | What |\n|:--|--:|--|\n| / | 91% | system and logs, described "
    "in "
    "rather too many words |\n| /home | 12% | 用户数据 |\n\n1. Find the largest:\n   ```bash\n   du -xh /var/log | "
    "sort -h | tail "
    "-5\n   ```\n2. Truncate them\n\n> Careful: `rm` is for ever.\n\n- one\n  - nested\n\n```sh\njournalctl "
    "--vacuum-size=200M  # frees \"$SPACE\"\n```\n\nDone.\n";

struct Scene {
  std::string name;
  std::function<void(Panel&)> set;
  friend std::ostream& operator<<(std::ostream& out, const Scene& scene) { return out << scene.name; }
};

ApprovalView change() {
  ApprovalView view;
  view.command = "systemctl restart nginx && echo \"back on $(hostname)\"";
  view.target = "web1";
  view.user = "deploy";
  view.effect = "changes";
  view.reason = "restarts a service";
  view.recorded = "the line exactly as shown, with its output";
  view.purpose = "load the new certificate";
  view.check = "systemctl is-active nginx";
  view.backup = "cp -a /etc/nginx /root/nginx.bak";
  view.rollback = "cp -a /root/nginx.bak /etc/nginx && systemctl restart nginx";
  view.may_last = true;
  view.always_rule = "allow `systemctl restart nginx` on web1";
  return view;
}

ApprovalView destruction() {
  ApprovalView view;
  view.command = "rm -rf /var/log/old";
  view.target = "web1";
  view.effect = "destructive";
  view.reason = "removes files for ever";
  view.destructive = true;
  view.confirm_word = "web1";
  return view;
}

void type_letters(Panel& panel, std::string_view text) {
  for (const char c : text) panel.handle_key(Key::of(static_cast<char32_t>(c)));
}

void busy(Panel& panel, const std::string& activity) {
  panel.set_activity(activity);
  panel.status().round = 3;
  panel.status().max_rounds = 10;
}

/// The operator has seen it: what keys do may depend on what is in view.
void look(Panel& panel) {
  terminal::Frame frame(panel.terminal_size());
  panel.draw(frame, panel.layout().area(panel.terminal_size()));
}

std::string numbers(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

std::vector<Scene> scenes() {
  return {
      {"welcome", [](Panel&) {}},
      {"answer",
       [](Panel& p) {
         p.add(Speaker::operator_, "why is the disk full?");
         p.append(Speaker::assistant, kAnswer);
       }},
      {"streaming",
       [](Panel& p) {
         p.add(Speaker::operator_, "why?");
         busy(p, "thinking");
         p.append(Speaker::assistant, "Look at this:\n\n```sh\ndf -h | ta");
       }},
      {"thinking",
       [](Panel& p) {
         p.add(Speaker::operator_, "why?");
         busy(p, "thinking");
         p.conversation().think("First the disks.\nThen the logs.\n");
       }},
      {"cards",
       [](Panel& p) {
         p.add(Speaker::operator_, "check it");
         p.conversation().begin_card("1", Card::Place::remote, "df -h | tail -1").finish(ended(0, numbers(20)));
         p.conversation().begin_card("2", Card::Place::local, "grep x notes.txt").finish(ended(1, ""));
         p.conversation().begin_card("3", Card::Place::skill, "disk-full").finish(ended(0, "## 1. Look\n"));
         p.conversation().begin_card("4", Card::Place::remote, "sleep 60");
         busy(p, "running sleep 60");
       }},
      {"unfolded",
       [](Panel& p) {
         p.conversation().begin_card("1", Card::Place::remote, "seq 20").finish(ended(0, numbers(20)));
         look(p);
         p.handle_key(Key::of(KeyKind::enter));
       }},
      {"approval",
       [](Panel& p) {
         busy(p, "waits for you");
         p.ask_approval(change());
       }},
      {"approval-always",
       [](Panel& p) {
         p.ask_approval(change());
         type_letters(p, "a");
       }},
      {"approval-edit",
       [](Panel& p) {
         p.ask_approval(change());
         type_letters(p, "e");
       }},
      {"approval-note",
       [](Panel& p) {
         p.ask_approval(change());
         type_letters(p, "nnot before midnight");
       }},
      {"approval-destructive", [](Panel& p) { p.ask_approval(destruction()); }},
      {"approval-word",
       [](Panel& p) {
         p.ask_approval(destruction());
         type_letters(p, "yweb2");
         p.handle_key(Key::of(KeyKind::enter));
       }},
      {"limit",
       [](Panel& p) {
         busy(p, "waits for you");
         p.ask_limit("Ten rounds are done and there is no answer yet.");
       }},
      {"needs-input",
       [](Panel& p) {
         p.conversation().begin_card("1", Card::Place::remote, "sudo -k id").set_state(Card::State::needs_input);
         busy(p, "running sudo -k id");
       }},
      {"review",
       [](Panel& p) {
         p.conversation().begin_card("1", Card::Place::remote, "reboot").set_state(Card::State::review);
         busy(p, "running reboot");
       }},
      {"disconnected",
       [](Panel& p) {
         auto end = ended(0, "", "the connection was lost; whether the command ended is not known");
         end.exit_code.reset();
         end.state = Card::State::failed;
         p.conversation().begin_card("1", Card::Place::remote, "apt-get upgrade").finish(end);
       }},
      {"stalled",
       [](Panel& p) {
         busy(p, "thinking");
         p.conversation().note("The model has been silent for 30 s; Ctrl+C stops waiting.", Role::muted);
       }},
      {"retrying",
       [](Panel& p) {
         busy(p, "thinking");
         p.conversation().note("Trying again in 4 s: overloaded", Role::muted);
       }},
      {"compacted",
       [](Panel& p) {
         p.conversation().note("The conversation was summarised to make room.", Role::muted);
         p.status().context_percent = 85;
       }},
      {"search",
       [](Panel& p) {
         p.append(Speaker::assistant, kAnswer);
         look(p);
         p.handle_key(Key::of(U'f', terminal::kCtrl));
         type_letters(p, "log");
       }},
      {"scrolled",
       [](Panel& p) {
         for (int i = 0; i < 90; ++i) p.add(Speaker::notice, "remark " + std::to_string(i));
         look(p);
         p.handle_key(Key::of(KeyKind::page_up));
       }},
      {"queued",
       [](Panel& p) {
         busy(p, "running");
         p.set_queue({"and look at the logs too"});
         type_letters(p, "one more");
       }},
      {"shell", [](Panel& p) { type_letters(p, "!ls -l"); }},
      {"keyboard-above", [](Panel& p) { p.set_keyboard_above(true); }},
      {"production", [](Panel& p) { p.status().mode = Mode::production; }},
      {"read-only", [](Panel& p) { p.status().mode = Mode::read_only; }},
      {"auto", [](Panel& p) { p.status().mode = Mode::automatic; }},
      {"full",
       [](Panel& p) {
         p.add(Speaker::assistant, kAnswer);
         p.layout().set(Layout::full);
       }},
      {"split",
       [](Panel& p) {
         p.add(Speaker::assistant, kAnswer);
         p.layout().set(Layout::split);
       }},
  };
}

/// A frame as the operator's terminal shows it.
void show(Panel& panel, base::Size size, terminal::Screen& screen) {
  terminal::Frame frame(size);
  for (int row = 0; row < size.rows; ++row) frame.put_text(row, 0, std::string(size.cols, '.'), {}, size.cols);
  panel.set_terminal_size(size);
  panel.draw(frame, panel.layout().area(size));
  terminal::Display display(terminal::Capabilities{});
  screen.write(display.render(frame));
}

std::string text_rows(const terminal::Screen& screen) {
  std::string text;
  for (int row = 0; row < screen.size().rows; ++row) text += terminal::row_text(screen.row(row)) + "\n";
  return text + "cursor " + std::to_string(screen.cursor().row) + "," + std::to_string(screen.cursor().col) + "\n";
}

/// A letter for each look, and what they mean.
std::string look_rows(const terminal::Screen& screen) {
  std::map<std::string, char> looks;
  std::string text;
  for (int row = 0; row < screen.size().rows; ++row) {
    std::string line;
    for (const auto& cell : screen.row(row).cells) {
      const std::string sgr = terminal::sgr_parameters(cell.style);
      const char next = static_cast<char>(looks.size() < 26 ? 'A' + looks.size() : 'a' + looks.size() - 26);
      line += sgr == "0" ? '.' : looks.try_emplace(sgr, next).first->second;
    }
    line.erase(line.find_last_not_of('.') + 1);
    text += line + "\n";
  }
  for (const auto& [sgr, letter] : looks) text += std::string(1, letter) + " = " + sgr + "\n";
  return text;
}

std::string picture(const Scene& scene, base::Size size, bool light, bool unicode, bool looks) {
  Panel::Time now{std::chrono::hours(1)};
  Panel::Options options{.target = "web1", .has_assistant = true, .model = "claude-sonnet-4-5"};
  options.theme.name = light ? ThemeName::light : ThemeName::dark;
  options.theme.unicode = unicode;
  // Each look at the clock is a second later: no key counts as one that was on its way.
  options.clock = [&now] { return now += std::chrono::seconds(1); };
  Panel panel(options);
  panel.status().mode = Mode::ask;
  panel.status().context_percent = 12;
  panel.status().cost_usd = 0.034;
  panel.set_terminal_size(size);
  scene.set(panel);
  terminal::Screen screen({.size = size});
  show(panel, size, screen);
  return looks ? look_rows(screen) : text_rows(screen);
}

std::string golden(const Scene& scene) {
  std::ostringstream out;
  for (const base::Size size : {base::Size{10, 40}, {24, 80}, {50, 160}})
    out << "=== " << size.cols << "x" << size.rows << "\n" << picture(scene, size, false, true, false);
  out << "=== 80x24 ascii\n" << picture(scene, {24, 80}, false, false, false);
  out << "=== 80x24 dark, looks\n" << picture(scene, {24, 80}, false, true, true);
  out << "=== 80x24 light, looks\n" << picture(scene, {24, 80}, true, true, true);
  return out.str();
}

class Golden : public testing::TestWithParam<Scene> {};

INSTANTIATE_TEST_SUITE_P(States, Golden, testing::ValuesIn(scenes()), [](const auto& one) {
  std::string name = one.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Golden, LooksAsItDid) {
  const std::string path = std::string(JMS_SOURCE_DIR) + "/tests/golden/panel/" + GetParam().name + ".txt";
  const std::string now = golden(GetParam());
  if (std::getenv("JMS_GOLDEN")) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << now;
  }
  std::ifstream file(path);
  std::stringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(now, kept.str()) << "JMS_GOLDEN=write if this is meant";
}

}  // namespace
}  // namespace panel
