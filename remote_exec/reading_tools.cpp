#include "remote_exec/reading_tools.h"

#include <algorithm>
#include <utility>

#include "remote_exec/output_store.h"

namespace remote_exec {
namespace {

using agent::Json;

constexpr std::size_t kMostBytes = 20'000;
constexpr int kMostLines = 500;

Json integer(int least, const char* description) {
  return {{"type", "integer"}, {"minimum", least}, {"description", description}};
}

model::ToolSpec read_output_spec() {
  model::ToolSpec spec;
  spec.name = "read_output";
  spec.description =
      "Reads a part of an earlier command's output that was too long to show whole: by offset and limit in bytes, or "
      "the "
      "lines that contain a text (grep).";
  spec.input_schema = {{"type", "object"},
                       {"properties",
                        {{"id", {{"type", "string"}, {"description", "The id that execute_command gave."}}},
                         {"offset", integer(0, "First byte; default 0.")},
                         {"limit", integer(1, "How many bytes; at most 20000.")},
                         {"grep", {{"type", "string"}, {"description", "Only lines that contain this text."}}}}},
                       {"required", Json::array({"id"})},
                       {"additionalProperties", false}};
  return spec;
}

model::ToolSpec read_terminal_spec() {
  model::ToolSpec spec;
  spec.name = "read_terminal";
  spec.description =
      "Reads text of the operator's terminal, scrollback included: the last lines, or a range of line numbers. Runs "
      "nothing.";
  spec.input_schema = {{"type", "object"},
                       {"properties",
                        {{"lines", integer(1, "How many of the last lines; default 100, at most 500.")},
                         {"from", integer(0, "First line number of a range.")},
                         {"to", integer(0, "Line number after the last of the range.")}}},
                       {"additionalProperties", false}};
  return spec;
}

class Later final : public agent::Tool::Run {
 public:
  std::unique_ptr<agent::Clock::Alarm> alarm;
};

}  // namespace

std::unique_ptr<agent::Tool::Run> ReadingTool::start(const Json& input, Done done) {
  auto run = std::make_unique<Later>();
  run->alarm = clock_.after(std::chrono::milliseconds(0),
                            [result = read(input), done = std::move(done)]() mutable { done(std::move(result)); });
  return run;
}

ReadOutputTool::ReadOutputTool(agent::Clock& clock, std::string directory)
    : ReadingTool(clock, read_output_spec()), directory_(std::move(directory)) {}

agent::ToolResult ReadOutputTool::read(const Json& input) const {
  const std::string id = input.at("id").get<std::string>();
  const std::size_t limit = std::min<std::size_t>(input.value("limit", kMostBytes), kMostBytes);
  const auto part = input.contains("grep")
                        ? grep_output(directory_, id, input.at("grep").get<std::string>(), limit)
                        : remote_exec::read_output(directory_, id, input.value("offset", std::uint64_t{0}), limit);
  if (!part) return {part.error().message, true};
  const std::string end = part->more ? "there is more" : "that is all";
  return {part->text + "\n[" + end + "; the whole has " + std::to_string(part->size) + " bytes]", false};
}

ReadTerminalTool::ReadTerminalTool(agent::Clock& clock, std::function<const terminal::Screen&()> screen)
    : ReadingTool(clock, read_terminal_spec()), screen_(std::move(screen)) {}

agent::ToolResult ReadTerminalTool::read(const Json& input) const {
  const terminal::Screen& screen = screen_();
  const std::uint64_t end = screen.end_line();
  std::uint64_t from = end - std::min<std::uint64_t>(
                                 end, static_cast<std::uint64_t>(std::clamp(input.value("lines", 100), 1, kMostLines)));
  std::uint64_t to = end;
  if (input.contains("from")) {
    from = input.at("from").get<std::uint64_t>();
    to = std::min(input.value("to", end), from + kMostLines);
  }
  from = std::max(from, screen.first_line());
  if (from >= to)
    return {"there are lines " + std::to_string(screen.first_line()) + " to " + std::to_string(end) + " only", true};
  return {screen.text(from, to) + "[lines " + std::to_string(from) + " to " + std::to_string(std::min(to, end)) +
              " of " + std::to_string(screen.first_line()) + "…" + std::to_string(end) + "]",
          false};
}

}  // namespace remote_exec
