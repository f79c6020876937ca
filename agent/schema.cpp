#include "agent/schema.h"

#include <algorithm>
#include <string>

namespace agent {
namespace {

using model::Json;

bool has_type(const Json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return true;
}

std::string article(std::string_view type) {
  const bool vowel = !type.empty() && std::string_view("aeiou").find(type[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(type);
}

base::Result<void> check_bounds(const Json& rule, const std::string& name, const Json& value) {
  if (value.is_number()) {
    const double number = value.get<double>();
    if (const Json* low = model::member(rule, "minimum"); low && number < low->get<double>())
      return base::fail("`" + name + "` must be at least " + low->dump());
    if (const Json* high = model::member(rule, "maximum"); high && number > high->get<double>())
      return base::fail("`" + name + "` must be at most " + high->dump());
  }
  if (value.is_string()) {
    const auto length = static_cast<long>(value.get_ref<const std::string&>().size());
    if (length < model::number_at(rule, "minLength").value_or(0)) return base::fail("`" + name + "` must not be empty");
    if (const auto most = model::number_at(rule, "maxLength"); most && length > *most)
      return base::fail("`" + name + "` must be at most " + std::to_string(*most) + " bytes long");
  }
  return {};
}

base::Result<void> check_value(const Json& rule, const std::string& name, const Json& value) {
  const auto type = model::string_at(rule, "type");
  if (!type.empty() && !has_type(value, type)) return base::fail("`" + name + "` must be " + article(type));
  if (const Json* allowed = model::member(rule, "enum");
      allowed && std::find(allowed->begin(), allowed->end(), value) == allowed->end())
    return base::fail("`" + name + "` must be one of " + model::dump_json(*allowed));
  return check_bounds(rule, name, value);
}

}  // namespace

base::Result<void> check_input(const Json& schema, const Json& input) {
  if (!input.is_object()) return base::fail("the input must be a JSON object");
  if (const Json* required = model::member(schema, "required"))
    for (const auto& name : *required)
      if (!input.contains(name.get_ref<const std::string&>()))
        return base::fail("`" + name.get_ref<const std::string&>() + "` is required");
  const Json* properties = model::member(schema, "properties");
  const Json* additional = model::member(schema, "additionalProperties");
  for (const auto& [name, value] : input.items()) {
    const Json* rule = properties ? model::member(*properties, name) : nullptr;
    if (!rule && additional && *additional == false) return base::fail("there is no parameter `" + name + "`");
    if (!rule) continue;
    if (auto fits = check_value(*rule, name, value); !fits) return fits;
  }
  return {};
}

}  // namespace agent
