#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/self_measure.h"
#include "app/version.h"

namespace app {
namespace {

double megabytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}
double millis(std::chrono::microseconds time) {
  return static_cast<double>(time.count()) / 1e3;
}

void print_text(const Footprint& print) {
  std::printf("jms %s\n", std::string(version()).c_str());
  std::printf("binary  %.1f MB  %s\n", megabytes(print.binary_bytes), print.path.c_str());
  std::printf("start   %.1f ms  from exec to exit of `jms --version`, median of nine\n", millis(print.start));
  if (print.session_bytes) std::printf("memory  %.1f MB  resident, one session\n", megabytes(*print.session_bytes));
  std::printf("echo    %.3f ms  median, %.3f ms p99; a bare pty: %.3f ms, %.3f ms (300 keys each, in turns)\n",
              millis(print.through_jms.median), millis(print.through_jms.p99), millis(print.bare.median),
              millis(print.bare.p99));
}

void print_json(const Footprint& print) {
  const auto delay = [](const EchoDelay& echo) {
    return nlohmann::ordered_json{{"median_ms", millis(echo.median)}, {"p99_ms", millis(echo.p99)}};
  };
  nlohmann::ordered_json json{{"version", version()},
                              {"path", print.path},
                              {"binary_bytes", print.binary_bytes},
                              {"start_ms", millis(print.start)},
                              {"session_bytes", nullptr},
                              {"echo", delay(print.through_jms)},
                              {"bare_echo", delay(print.bare)}};
  if (print.session_bytes) json["session_bytes"] = *print.session_bytes;
  std::printf("%s\n", json.dump().c_str());
}

}  // namespace

void add_about(CLI::App& jms, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("about", "What this binary costs here: size, start, memory, echo delay");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As one JSON object");
  command->callback([json, &outcome] {
    event::EventLoop loop;
    const auto print = measure_self(loop);
    if (!print) {
      outcome.exit_code = complain(print.error().message, kFailed);
      return;
    }
    *json ? print_json(*print) : print_text(*print);
  });
}

}  // namespace app
