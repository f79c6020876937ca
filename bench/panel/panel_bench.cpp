// What the panel costs: time from a streamed delta to the bytes for the terminal, and how many those are, with a long
// conversation above; time from a key to its picture while an answer streams in.

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/panel_host.h"
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

double percentile(std::vector<double>& values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(static_cast<double>(values.size() - 1) * part)];
}

void report(const char* what, std::vector<double> ms, const char* goal) {
  std::printf("%-34s p50 %7.3f ms   p99 %7.3f ms   max %7.3f ms   goal %s\n", what, percentile(ms, 0.5),
              percentile(ms, 0.99), percentile(ms, 1), goal);
}

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
  std::vector<double> ms;
  std::size_t text = 0;
  std::size_t bytes = 0;
};

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
    const double begin = cpu_ms();
    panel.append(panel::Speaker::assistant,
                 sanitizer.feed(std::string_view(text).substr(static_cast<std::size_t>(i) * piece, piece)));
    cost.text += piece;
    if (i % per_frame != per_frame - 1) continue;
    terminal::Frame frame(size);
    panel.draw(frame, panel.layout().area(size));
    const std::string bytes = display.render(frame);
    cost.ms.push_back(cpu_ms() - begin);
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
    ms.push_back(duration<double, std::milli>(Clock::now() - pressed).count());
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

}  // namespace

int main() {
  const base::Size size{40, 120};
  panel::Panel panel({.target = "web", .has_assistant = true});
  panel.set_terminal_size(size);
  const auto begin = Clock::now();
  fill(panel, size);
  std::printf("laying out %d rows once                                %7.1f ms\n", kLines,
              duration<double, std::milli>(Clock::now() - begin).count());
  for (const std::size_t piece : {4u, 20u, 80u}) {
    panel.add(panel::Speaker::operator_, "go on");
    Cost cost = stream(panel, size, piece, 2000, 1);
    const std::string what = "delta of " + std::to_string(piece) + " bytes to bytes written";
    report(what.c_str(), cost.ms, "p99 <= 5 ms of processor time");
    panel.add(panel::Speaker::operator_, "go on");
    const Cost paced = stream(panel, size, piece, 2000, 6);
    std::printf("    written per byte of text: %.2f at 200 deltas/s (goal <= 3), %.2f with a frame for each delta\n",
                static_cast<double>(paced.bytes) / static_cast<double>(paced.text),
                static_cast<double>(cost.bytes) / static_cast<double>(cost.text));
  }
  report("key to paint, 200 deltas/s", key_to_paint(size, 300), "p99 <= 16 ms");
}
