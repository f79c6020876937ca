#include "model/model_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace model {
namespace {

constexpr long kMillion = 1'000'000;

ModelInfo claude(double input, double output, ThinkingStyle thinking, bool can_disable = false) {
  return {kMillion, 128'000, input, output, 0.1, thinking, can_disable};
}

/// What may follow a complete id: a date, "latest", a provider's version mark.
bool is_version_suffix(std::string_view rest) {
  if (rest.empty() || rest.front() == '@' || rest.front() == ':') return true;
  if (rest == "-latest") return true;
  if (rest.size() < 9 || rest.front() != '-') return false;
  return std::all_of(rest.begin() + 1, rest.begin() + 9, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

ModelTable::ModelTable() {
  using enum ThinkingStyle;
  models_["claude-fable-5-2"] = claude(8, 40, adaptive_summarized);
  models_["claude-fable-5-1"] = claude(10, 50, adaptive_summarized);
  models_["claude-opus-5-5"] = claude(4, 20, adaptive_summarized);
  models_["claude-opus-5-5"].cache_read_factor = 0.05;
  models_["claude-sonnet-5-5"] = claude(2, 10, adaptive_summarized);
  models_["claude-haiku-5-5"] = claude(0.10, 0.50, adaptive_summarized);
  models_["claude-opus-5"] = claude(5, 25, adaptive_summarized, true);
  models_["claude-sonnet-5"] = claude(2, 10, adaptive_summarized, true);
  models_["claude-opus-4-8"] = claude(5, 25, adaptive_summarized, true);
  models_["claude-opus-4-7"] = claude(5, 25, adaptive_summarized, true);
  models_["claude-opus-4-6"] = claude(5, 25, adaptive);
  models_["claude-sonnet-4-6"] = claude(3, 15, adaptive);
  models_["claude-haiku-4-5"] = {200'000, 64'000, 1, 5, 0.1, budget, false};
}

const ModelInfo* ModelTable::lookup(std::string_view id) const {
  if (const auto exact = models_.find(id); exact != models_.end()) return &exact->second;
  // Gateways write "anthropic/claude-…", "us.anthropic.claude-…-v1:0".
  const auto name = id.find("claude-");
  if (name != std::string_view::npos) id.remove_prefix(name);
  const ModelInfo* best = nullptr;
  for (const auto& [known, info] : models_)  // in alphabetical order: the longest match comes last
    if (id.starts_with(known) && is_version_suffix(id.substr(known.size()))) best = &info;
  return best;
}

ModelInfo ModelTable::find(std::string_view id) const {
  const ModelInfo* known = lookup(id);
  return known ? *known : ModelInfo{};
}

bool ModelTable::knows(std::string_view id) const {
  return lookup(id) != nullptr;
}

std::optional<double> cost_of(const Usage& usage, const ModelInfo& info) {
  if (!info.input_price || !info.output_price) return std::nullopt;
  const double short_writes = static_cast<double>(usage.cache_write - usage.cache_write_1h);
  const double input = static_cast<double>(usage.input) + 1.25 * short_writes +
                       2.0 * static_cast<double>(usage.cache_write_1h) +
                       info.cache_read_factor * static_cast<double>(usage.cache_read);
  return (input * *info.input_price + static_cast<double>(usage.output) * *info.output_price) / kMillion;
}

long TokenEstimate::tokens(std::string_view text) const {
  // Letters and blanks make long tokens; digits, punctuation and other scripts make short ones.
  long easy = 0, hard = 0, wide = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80)
      wide += byte >= 0xC0;  // one per character
    else if (std::isalpha(byte) || byte == ' ')
      ++easy;
    else
      ++hard;
  }
  const double raw =
      static_cast<double>(easy) / 4.2 + static_cast<double>(hard) / 1.8 + static_cast<double>(wide) * 0.9;
  return std::lround(std::ceil(raw * factor_));
}

void TokenEstimate::correct(long estimated, long reported) {
  if (estimated < 200 || reported <= 0) return;  // too little to learn from
  const double seen = factor_ * static_cast<double>(reported) / static_cast<double>(estimated);
  factor_ = std::clamp(0.5 * factor_ + 0.5 * seen, 0.4, 3.0);
}

}  // namespace model
