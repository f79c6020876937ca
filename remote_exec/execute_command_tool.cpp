#include "remote_exec/execute_command_tool.h"

#include <algorithm>
#include <utility>

#include "agent/command_text.h"
#include "agent/intent.h"
#include "agent/schema.h"

namespace remote_exec {
namespace {

using agent::Json;

model::ToolSpec make_spec(const ExecuteCommandTool::Options& options) {
  model::ToolSpec spec;
  spec.name = "execute_command";
  spec.description =
      "Runs one command in the operator's own terminal session, exactly as if it were typed there, and returns what it "
      "printed and its exit code. The shell's directory and variables persist between calls. The operator sees the "
      "command and its output. Use plain, non-interactive commands: no editors, no pagers, no `watch`; limit output "
      "with "
      "head, tail or grep.";
  spec.input_schema = {
      {"type", "object"},
      {"properties",
       {{"command", {{"type", "string"}, {"minLength", 1}, {"description", "The command line to type."}}},
        {"timeout_s",
         {{"type", "integer"},
          {"minimum", 1},
          {"maximum", options.max_timeout_s},
          {"description", "Seconds it may take; default " + std::to_string(options.default_timeout_s) + "."}}},
        {"purpose", agent::purpose_property()}}},
      {"required", Json::array({"command"})},
      {"additionalProperties", false}};
  agent::add_change_properties(spec.input_schema["properties"]);
  return spec;
}

std::string where_kept(const CommandResult& result) {
  const bool whole = result.kept_bytes == result.total_bytes;
  const std::string what = whole ? "whole output is" : "first " + std::to_string(result.kept_bytes) + " bytes are";
  return "The " + what + " kept: read_output with id " + result.output_id + ".";
}

std::string command_of(const Json& input) {
  return input.at("command").get<std::string>();
}

}  // namespace

ExecuteCommandTool::ExecuteCommandTool(Runner runner, agent::CommandClassifier classifier, Options options)
    : runner_(std::move(runner)), classifier_(std::move(classifier)), options_(options), spec_(make_spec(options)) {}

std::string ExecuteCommandTool::prompt_fragment(agent::Mode mode) const {
  if (mode == agent::Mode::read_only)
    return "Only commands that change nothing run in this mode; everything else is refused. Do not try to get around "
           "it.";
  return {};
}

base::Result<void> ExecuteCommandTool::validate(const Json& input) const {
  return agent::check_input(spec_.input_schema, input);
}

agent::Classification ExecuteCommandTool::classify(const Json& input) const {
  return classifier_(command_of(input));
}

std::string ExecuteCommandTool::activity(const Json& input) const {
  return "Running " + command_of(input);
}

std::string ExecuteCommandTool::subject(const Json& input) const {
  return command_of(input);
}

std::optional<agent::Json> ExecuteCommandTool::with_subject(const Json& input, const std::string& text) const {
  agent::Json edited = input;
  edited["command"] = text;
  return edited;
}

std::unique_ptr<agent::Tool::Run> ExecuteCommandTool::start(const Json& input, Done done) {
  ExecRequest request;
  request.command = command_of(input);
  const int wanted = input.value("timeout_s", options_.default_timeout_s);
  request.timeout = std::chrono::seconds(std::clamp(wanted, 1, options_.max_timeout_s));
  request.attended = options_.attended;
  return runner_(std::move(request),
                 [done = std::move(done)](const CommandResult& result) { done(to_tool_result(result)); });
}

agent::ToolResult to_tool_result(const CommandResult& result) {
  agent::CommandText text;
  text.output = result.output;
  text.exit_code = result.exit_code;
  text.note = result.note_for_model;
  if (result.truncated && !result.output_id.empty()) text.note += (text.note.empty() ? "" : " ") + where_kept(result);
  agent::ToolResult told;
  told.content = agent::describe_command(text);
  told.is_error = result.status != Status::done;
  told.details = {{"status", status_name(result.status)},
                  {"exit_code", result.exit_code ? Json(*result.exit_code) : Json(nullptr)},
                  {"duration_ms", result.duration.count()},
                  {"total_bytes", result.total_bytes},
                  {"truncated", result.truncated},
                  {"framing", framing_name(result.framing)}};
  return told;
}

}  // namespace remote_exec
