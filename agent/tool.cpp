#include "agent/tool.h"

#include "agent/schema.h"

namespace agent {

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::read_only:
      return "read-only";
    case Effect::changes:
      return "changes";
    case Effect::destructive:
      return "destructive";
  }
  return "destructive";
}

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::read_only:
      return "read-only";
    case Mode::ask:
      return "ask";
    case Mode::automatic:
      return "auto";
  }
  return "read-only";
}

base::Result<void> Tool::validate(const Json& input) const {
  return check_input(spec().input_schema, input);
}

std::string Tool::activity(const Json&) const {
  return "Running " + spec().name;
}

std::string Tool::subject(const Json& input) const {
  return spec().name + " " + model::dump_json(input);
}

}  // namespace agent
