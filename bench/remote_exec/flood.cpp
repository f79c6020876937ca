#include "bench/remote_exec/flood.h"

#include <chrono>
#include <stdexcept>

#include "bench/remote_exec/typist.h"
#include "remote_exec/exec_session.h"
#include "terminal/screen.h"

namespace bench {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFloodLimit{240'000};
constexpr const char* kShell = "exec bash --norc --noprofile";

}  // namespace

double Flood::megabytes() const {
  double bytes = 0;
  long long from = 1, to = 10;
  for (int digits = 1; from <= lines_; ++digits, from = to, to *= 10)
    bytes += static_cast<double>(std::min<long long>(to - 1, lines_) - from + 1) * (digits + 2);  // And \r\n.
  return bytes / 1e6;
}

double Flood::rate(const OpenShell& open, const std::function<void(std::string_view)>& take) const {
  event::EventLoop loop;
  const auto transport = open(loop, command());
  bool closed = false;
  Clock::time_point first{};  // The time to connect is another bench's matter.
  transport->start({[&](std::string_view bytes) {
                      if (first == Clock::time_point{}) first = Clock::now();
                      take(bytes);
                    },
                    [&](const transport::Closed&) { closed = true; },
                    {}});
  if (!loop.run_until([&] { return closed; }, kFloodLimit)) throw std::runtime_error("the flood does not end");
  return megabytes() / micros(Clock::now() - first) * 1e6;
}

double Flood::drained(const OpenShell& open) const {
  return rate(open, [](std::string_view) {});
}

double Flood::passed_through(const OpenShell& open) const {
  terminal::Screen screen({.size = {24, 80}});
  return rate(open, [&](std::string_view bytes) { screen.write(bytes); });
}

double Flood::framed(const OpenShell& open) const {
  event::EventLoop loop;
  remote_exec::ExecSession session(loop, open(loop, kShell), {.size = {24, 80}});
  session.start();
  const auto run = [&](const std::string& command) {
    bool done = false;
    session.run({.command = command, .timeout = kFloodLimit},
                {{}, {}, [&](const remote_exec::CommandResult& result) { done = result.exit_code == 0; }});
    if (!loop.run_until([&] { return done; }, kFloodLimit)) throw std::runtime_error("the framed flood does not end");
  };
  run("true");  // Proves the prompt.
  const auto begun = Clock::now();
  run(command());
  return megabytes() / micros(Clock::now() - begun) * 1e6;
}

}  // namespace bench
