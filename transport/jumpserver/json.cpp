#include "transport/jumpserver/json.h"

namespace transport::jumpserver {

Json parse_json(std::string_view text) {
  const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth < 32; };
  return Json::parse(text.begin(), text.end(), shallow, false);
}

const Json& at(const Json& value, const char* key) {
  static const Json nothing;
  if (!value.is_object()) return nothing;
  const auto found = value.find(key);
  return found == value.end() ? nothing : *found;
}

std::string text_at(const Json& value, const char* key) {
  const Json& found = at(value, key);
  if (found.is_string()) return found.get<std::string>();
  return found.is_number_integer() ? std::to_string(found.get<long>()) : std::string();
}

std::string choice_at(const Json& value, const char* key) {
  const Json& found = at(value, key);
  return found.is_object() ? text_at(found, "value") : text_at(value, key);
}

bool flag_at(const Json& value, const char* key, bool otherwise) {
  const Json& found = at(value, key);
  return found.is_boolean() ? found.get<bool>() : otherwise;
}

long number_at(const Json& value, const char* key, long otherwise) {
  const Json& found = at(value, key);
  return found.is_number_integer() ? found.get<long>() : otherwise;
}

}  // namespace transport::jumpserver
