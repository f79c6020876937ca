#include "agent/intent.h"

namespace agent {
namespace {

constexpr std::size_t kMostIntent = 400;

model::Json text_property(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

}  // namespace

model::Json purpose_property() {
  return text_property("One short sentence for the operator: what this is for.");
}

void add_change_properties(model::Json& properties) {
  properties["check"] = text_property("For a change: the command or sign that will show it worked.");
  properties["backup"] = text_property("For a change: what keeps the old state.");
  properties["rollback"] = text_property("For a change: how to take it back.");
}

Intent intent_of(const model::Json& input) {
  const auto line = [&input](const char* name) { return model::one_line(model::string_at(input, name), kMostIntent); };
  return {line("purpose"), line("check"), line("backup"), line("rollback")};
}

model::Json without_intent(const model::Json& input) {
  model::Json rest = input;
  if (rest.is_object())
    for (const char* name : {"purpose", "check", "backup", "rollback"}) rest.erase(name);
  return rest;
}

}  // namespace agent
