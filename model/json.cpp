#include "model/json.h"

#include <cmath>

namespace model {
namespace {

/// Objects that keep their order look through all their keys for each new one; so many would take seconds.
constexpr int kMaxKeys = 16'000;

bool too_complex(std::string_view text) {
  int depth = 0, keys = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxJsonDepth) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':') {
      if (++keys > kMaxKeys) return true;
    }
  }
  return false;
}

/// The value of `\uXXXX` at the front of `text`, or -1.
int unicode_escape(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int value = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool is_high(int unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(int unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  if (too_complex(text)) return std::nullopt;
  Json value = Json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

std::string without_lone_surrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = text[at] == '\\' ? 2 : 1;
    const int unit = unicode_escape(text.substr(at));
    if (is_high(unit) && is_low(unicode_escape(text.substr(at + 6)))) {
      length = 12;
    } else if (is_high(unit) || is_low(unit)) {
      out += "\\ufffd";
      at += 6;
      continue;
    }
    out += text.substr(at, length);
    at += length;
  }
  return out;
}

std::string dump_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  for (auto it = value.begin(); it != value.end(); ++it)
    if (it.key() == key) return it->is_null() ? nullptr : &*it;
  return nullptr;
}

std::string_view string_at(const Json& value, std::string_view key) {
  const Json* found = member(value, key);
  return found && found->is_string() ? std::string_view(found->get_ref<const std::string&>()) : std::string_view();
}

std::optional<long> number_at(const Json& value, std::string_view key) {
  const Json* found = member(value, key);
  if (!found) return std::nullopt;
  if (found->is_number_integer()) return found->get<long>();
  if (!found->is_number_float()) return std::nullopt;
  const double number = found->get<double>();
  if (!std::isfinite(number) || std::fabs(number) > 1e15) return std::nullopt;
  return static_cast<long>(number);
}

}  // namespace model
