#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "model/debug_stream.h"
#include "terminal/screen.h"
#include "terminal/screen_dump.h"

namespace app {
namespace {

struct ScreenOptions {
  std::string size = "80x24";
  bool json = false;
  bool cells = false;
};

bool read_number(const char*& at, const char* end, int& number) {
  const auto [stopped, error] = std::from_chars(at, end, number);
  at = stopped;
  return error == std::errc() && number >= 1 && number <= 1000;
}

/// "80x24": columns by rows, as people say it.
bool read_size(const std::string& text, base::Size& size) {
  const char* at = text.data();
  const char* end = at + text.size();
  if (!read_number(at, end, size.cols) || at == end || *at++ != 'x') return false;
  return read_number(at, end, size.rows) && at == end;
}

int show_screen(const ScreenOptions& options) {
  base::Size size;
  if (!read_size(options.size, size))
    return complain("--size wants COLUMNSxROWS, each from 1 to 1000, such as 80x24; got `" + options.size + "`",
                    kUsage);
  terminal::Screen screen({.size = size});
  std::array<char, 64 * 1024> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stdin))
    screen.write({buffer.data(), count});
  const std::string text =
      options.json ? terminal::dump_json(screen, options.cells) + "\n" : terminal::dump_text(screen);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kDone;
}

int show_turn(const std::string& api_name, bool json) {
  const auto api = model::api_named(api_name);
  if (!api) return complain("--api wants anthropic or openai; got `" + api_name + "`", kUsage);
  const std::string body{std::istreambuf_iterator<char>(std::cin), {}};
  const auto turn = model::debug_stream(*api, body);
  std::cout << turn.dump(json ? -1 : 2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  return kDone;
}

}  // namespace

void add_debug(CLI::App& jms, Outcome& outcome) {
  CLI::App* debug = jms.add_subcommand("debug", "Look inside: what jms makes of given bytes");
  debug->require_subcommand(1);
  CLI::App* screen = debug->add_subcommand("screen", "Print the screen after the bytes on standard input");
  auto options = std::make_shared<ScreenOptions>();
  screen->add_option("--size", options->size, "Size of the screen")->type_name("COLSxROWS")->capture_default_str();
  screen->add_flag("--json", options->json, "Everything, as JSON");
  screen->add_flag("--cells", options->cells, "With --json: every cell with its colours and attributes");
  screen->callback([options, &outcome] { outcome.exit_code = show_screen(*options); });

  CLI::App* stream =
      debug->add_subcommand("stream", "Print the turn that the response body on standard input decodes to");
  struct StreamOptions {
    std::string api;
    bool json = false;
  };
  auto stream_options = std::make_shared<StreamOptions>();
  stream->add_option("--api", stream_options->api, "Whose format: anthropic or openai")->required();
  stream->add_flag("--json", stream_options->json, "On one line");
  stream->callback(
      [stream_options, &outcome] { outcome.exit_code = show_turn(stream_options->api, stream_options->json); });
}

}  // namespace app
