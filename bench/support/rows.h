// What a bench hands to scripts/bench: one JSON object for each line of its standard output. bench/report/rows.py reads
// them, forms the ratios and judges the goals.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

enum class Better { lower, higher };

/// What must stay on the better side of the goal.
enum class Of {
  ratio,       ///< jms / peer
  difference,  ///< jms - peer, in the row's unit
  figure,      ///< The figure of jms itself
};

struct Goal {
  Of of = Of::ratio;
  double limit = 1;
};

/// A figure of jms, beside its peer's when there is one.
struct Row {
  std::string label;  ///< Short: it stands in a picture.
  std::string unit;
  double jms = 0;
  std::string peer = {};  ///< Empty: nothing does the same, only the goal counts.
  double peer_figure = 0;
  Better better = Better::lower;
  std::optional<Goal> goal = {};
};

void print(const Row& row);

/// How the time of one figure is made up, step by step.
void print_steps(const std::string& title, const std::string& unit,
                 const std::vector<std::pair<std::string, double>>& steps);

double median(std::vector<double> values);
/// `part` from 0 to 1.
double percentile(std::vector<double> values, double part);

/// True when `--quick` is among the arguments: a look, not a measurement.
bool quick(int argc, char** argv);

}  // namespace bench
