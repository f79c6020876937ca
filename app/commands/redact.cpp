#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/command_line.h"
#include "app/commands/commands.h"
#include "app/commands/json_line.h"
#include "app/config/config.h"
#include "safety/redactor.h"

namespace app {
namespace {

int redact(bool json, const CommonOptions& common) {
  const auto config = load_config_or_defaults(common.config_path);
  if (!config) return complain(config.error().message, kUsage);
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto redactor = safety::Redactor::create({config->redact_patterns, config->redact_exceptions});
  if (!redactor) return complain(redactor.error().message, kFailed);
  safety::SecretBook book;
  if (!json) {
    std::cout << redactor->redact(text, book);
    return kDone;
  }
  nlohmann::ordered_json result = {{"text", redactor->redact(text, book)}, {"spans", nlohmann::ordered_json::array()}};
  for (const auto& span : redactor->find(text))
    result["spans"].push_back({{"start", span.start}, {"end", span.end}, {"kind", span.kind}});
  std::cout << as_line(result);
  return kDone;
}

}  // namespace

void add_redact(CLI::App& jms, const CommonOptions& common, Outcome& outcome) {
  CLI::App* command = jms.add_subcommand("redact", "Standard input to standard output, secrets masked");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Text and spans, as JSON");
  command->callback([json, &common, &outcome] { outcome.exit_code = redact(*json, common); });
}

}  // namespace app
