// What the panel costs: time from a streamed delta to the bytes for the terminal, and how many those are, with a long
// conversation above; time from a key to its picture while an answer streams in.

#include <time.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/session/panel_host.h"
#include "bench/support/rows.h"
#include "event/event_loop.h"
#include "event/timer.h"
#include "safety/sanitizer.h"
#include "terminal/backlog.h"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;
using std::chrono::milliseconds;

constexpr int kLines = 10'000;
constexpr std::string_view kParagraph =
    "The **root** filesystem is nearly full: `/var/log` holds 中文日志 and more words than one row can take, so it "
    "wraps.\n\n- a list item\n- and `another`\n\n```sh\ndf -h | tail -1\n```\n\n| a | b |\n|---|---|\n| 1 | two |\n\n";

/// A conversation of at least kLines rows, of many questions and answers.
void fill(panel::Panel& panel, base::Size size) {
  int rows = 0;
  for (int i = 0; rows < kLines; ++i) {
    panel.add(panel::Speaker::operator_, "question " + std::to_string(i));
    panel.add(panel::Speaker::assistant, kParagraph);
    rows += 15;
  }
  terminal::Frame frame(size);
  panel.draw(frame, panel.layout().area(size));
}

struct Cost {
  std::vector<double> cpu_ms;
  std::vector<double> wall_ms;
  std::size_t text = 0;
  std::size_t bytes = 0;
};

double ms_since(Clock::time_point begun) {
  return duration<double, std::milli>(Clock::now() - begun).count();
}

/// Processor time: what the panel itself takes, however busy the machine is.
double cpu_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// `per_frame` deltas share a picture: 1 is the worst case, 6 is what 200 deltas a second come to with the host's pace.
Cost stream(panel::Panel& panel, base::Size size, std::size_t piece, int deltas, int per_frame) {
  Cost cost;
  terminal::Capabilities capabilities;
  capabilities.scrolls_region = true;
  terminal::Display display(capabilities);
  display.allow_scrolling(true);
  terminal::Frame first(size);
  panel.draw(first, panel.layout().area(size));
  display.render(first);
  std::string text;
  while (text.size() < piece * static_cast<std::size_t>(deltas)) text += kParagraph;
  safety::Sanitizer sanitizer;
  for (int i = 0; i < deltas; ++i) {
    const double cpu = cpu_ms();
    const auto wall = Clock::now();
    panel.append(panel::Speaker::assistant,
                 sanitizer.feed(std::string_view(text).substr(static_cast<std::size_t>(i) * piece, piece)));
    cost.text += piece;
    if (i % per_frame != per_frame - 1) continue;
    terminal::Frame frame(size);
    panel.draw(frame, panel.layout().area(size));
    const std::string bytes = display.render(frame);
    cost.cpu_ms.push_back(cpu_ms() - cpu);
    cost.wall_ms.push_back(ms_since(wall));
    cost.bytes += bytes.size();
  }
  return cost;
}

/// Keys typed while deltas arrive 200 times a second, through the real host and loop.
std::vector<double> key_to_paint(base::Size size, int keys) {
  event::EventLoop loop;
  terminal::Screen screen({.size = size});
  const terminal::Capabilities capabilities;
  std::vector<double> ms;
  Clock::time_point pressed{};
  int waiting = -1;
  app::PanelHost::Surroundings around;
  around.write = [&](std::string_view bytes) {
    // The key's own letter is somewhere in the picture; the title and the answer hold none of these.
    if (waiting < 0 || bytes.find(static_cast<char>('A' + waiting % 26)) == std::string_view::npos) return;
    ms.push_back(ms_since(pressed));
    waiting = -1;
  };
  around.terminal_busy = [] { return false; };
  around.update_shadow = [] {};
  around.send = around.reply = [](std::string_view) {};
  around.on_hotkey = around.on_switched = [] {};
  around.resize_remote = [](base::Size) {};
  around.on_action = [](const panel::PanelAction&) {};
  app::PanelHost host(loop, screen, capabilities, {.target = "web", .has_assistant = true}, around);
  fill(host.panel(), size);
  host.panel().set_activity("thinking");
  host.open();
  event::Timer deltas(loop), typing(loop);
  deltas.repeat(milliseconds(5), [&] {
    host.panel().append(panel::Speaker::assistant, "more words ");
    host.schedule_paint();
  });
  int sent = 0;
  typing.repeat(milliseconds(41), [&] {
    if (sent == keys) return loop.stop();
    waiting = sent++;
    pressed = Clock::now();
    const char key = static_cast<char>('A' + waiting % 26);
    host.input(std::string_view(&key, 1));
  });
  loop.run();
  return ms;
}

double share(const Cost& cost) {
  return static_cast<double>(cost.bytes) / static_cast<double>(cost.text);
}

using bench::Better;
using bench::Goal;
using bench::Of;

/// Deltas of `piece` bytes: a few letters of a slow model, a word or two, a line of a fast one.
void report_deltas(panel::Panel& panel, base::Size size, std::size_t piece, int deltas) {
  const std::string name = std::to_string(piece) + "-byte delta";
  panel.add(panel::Speaker::operator_, "go on");
  const Cost each = stream(panel, size, piece, deltas, 1);
  panel.add(panel::Speaker::operator_, "go on");
  const Cost paced = stream(panel, size, piece, deltas, 6);
  bench::print(
      {name + ", cpu p99", "ms", bench::percentile(each.cpu_ms, 0.99), "", 0, Better::lower, Goal{Of::figure, 5}});
  bench::print(
      {name + ", wall p99", "ms", bench::percentile(each.wall_ms, 0.99), "", 0, Better::lower, Goal{Of::figure, 5}});
  bench::print({name + ", 200/s", "bytes/byte", share(paced), "the text itself", 1, Better::lower, Goal{Of::ratio, 3}});
  bench::print(
      {name + ", a frame each", "bytes/byte", share(each), "the text itself", 1, Better::lower, Goal{Of::ratio, 3}});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = bench::quick(argc, argv);
  const base::Size size{40, 120};
  panel::Panel panel({.target = "web", .has_assistant = true});
  panel.set_terminal_size(size);
  const auto begin = Clock::now();
  fill(panel, size);
  bench::print({"first layout of 10,000 rows", "ms", ms_since(begin)});
  for (const std::size_t piece : {4u, 20u, 80u}) report_deltas(panel, size, piece, quick ? 500 : 2000);
  const int typed = quick ? 80 : 300;
  const auto keys = key_to_paint(size, typed);
  if (static_cast<int>(keys.size()) < typed * 9 / 10) {
    std::fprintf(stderr, "bench_panel: only %zu of %d keys were painted before the next one\n", keys.size(), typed);
    return 2;
  }
  bench::print({"key to paint, p99", "ms", bench::percentile(keys, 0.99), "", 0, Better::lower, Goal{Of::figure, 16}});
}
