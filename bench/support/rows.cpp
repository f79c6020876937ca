#include "bench/support/rows.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace bench {
namespace {

void print_line(const nlohmann::ordered_json& json) {
  std::printf("%s\n", json.dump().c_str());
  std::fflush(stdout);
}

const char* name_of(Of of) {
  return of == Of::ratio ? "ratio" : of == Of::difference ? "difference" : "figure";
}

}  // namespace

void print(const Row& row) {
  nlohmann::ordered_json json = {{"label", row.label}, {"unit", row.unit}, {"jms", row.jms}};
  if (!row.peer.empty()) {
    json["peer"] = row.peer;
    json["peer_figure"] = row.peer_figure;
  }
  json["better"] = row.better == Better::lower ? "lower" : "higher";
  if (row.goal) json["goal"] = {{"of", name_of(row.goal->of)}, {"limit", row.goal->limit}};
  print_line(json);
}

void print_steps(const std::string& title, const std::string& unit,
                 const std::vector<std::pair<std::string, double>>& steps) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [name, figure] : steps) list.push_back({name, figure});
  print_line({{"steps", title}, {"unit", unit}, {"list", list}});
}

double percentile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(static_cast<double>(values.size() - 1) * part)];
}

double median(std::vector<double> values) {
  return percentile(std::move(values), 0.5);
}

bool quick(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--quick"; });
}

}  // namespace bench
