#include "model/content_frame.h"

#include "model/json.h"
#include "model/json_string.h"

namespace model {
namespace {

constexpr std::size_t kMaxFrame = 4096;
constexpr unsigned kEagerTries = 16, kRarely = 256;

}  // namespace

bool ContentFrame::read(std::string_view data, std::string& scratch, std::string_view& content) const {
  if (prefix_.empty() || !data.starts_with(prefix_) || !data.ends_with(suffix_)) return false;
  JsonString found;
  if (!read_json_string(data.substr(prefix_.size()), scratch, found) || found.rest != suffix_) return false;
  content = found.value;
  return true;
}

void ContentFrame::learn(std::string_view data) {
  if (tries_ >= kEagerTries && ++skipped_ < kRarely) return;
  skipped_ = 0;
  ++tries_;
  const auto delta = data.find("\"delta\":");
  if (delta == std::string_view::npos) return;
  constexpr std::string_view key = "\"content\":";
  auto at = data.find(key, delta);
  if (at == std::string_view::npos) return;
  at = data.find_first_not_of(' ', at + key.size());
  if (at == std::string_view::npos || data[at] != '"') return;
  std::string scratch;
  JsonString found;
  if (!read_json_string(data.substr(at + 1), scratch, found)) return;
  const std::string_view prefix = data.substr(0, at + 1);
  if (prefix.size() + found.rest.size() > kMaxFrame || !proves(prefix, found.rest)) return;
  prefix_ = prefix;
  suffix_ = found.rest;
}

bool ContentFrame::proves(std::string_view prefix, std::string_view suffix) const {
  constexpr std::string_view probe = "\x01probe";
  const auto chunk = parse_json(std::string(prefix) + "\\u0001probe\"" + std::string(suffix));
  const Json* choices = chunk ? member(*chunk, "choices") : nullptr;
  if (!choices || !choices->is_array() || choices->size() != 1) return false;
  const Json* delta = member(choices->front(), "delta");
  return delta && string_at(*delta, "content") == probe;
}

}  // namespace model
