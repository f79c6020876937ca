#pragma once

// What is known about models: windows, prices, how they are told to think. Shipped as defaults; the operator's config
// may add and override, and a model that is not listed works with careful assumptions.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/turn.h"

namespace model {

/// How a model is asked to think.
enum class ThinkingStyle {
  unknown,              ///< Say nothing about it.
  budget,               ///< `enabled` with a number of tokens; off when omitted.
  adaptive,             ///< `adaptive`; cannot say how it is shown.
  adaptive_summarized,  ///< `adaptive` with readable summaries.
};

/// One model's figures. Prices are US dollars per million tokens.
struct ModelInfo {
  long context_window = 128'000;
  long max_output = 16'000;
  std::optional<double> input_price, output_price;  ///< Absent: the cost is not known.
  double cache_read_factor = 0.1;                   ///< Of the input price.
  ThinkingStyle thinking = ThinkingStyle::unknown;
  bool can_disable_thinking = false;
};

/// The list of models.
class ModelTable {
 public:
  ModelTable();

  /// The figures of `id`, also with a date or a provider's prefix around it. Unknown ids get the defaults of ModelInfo.
  ModelInfo find(std::string_view id) const;
  bool knows(std::string_view id) const;

  /// Adds or replaces an entry.
  void set(std::string id, ModelInfo info) { models_[std::move(id)] = info; }

 private:
  const ModelInfo* lookup(std::string_view id) const;

  std::map<std::string, ModelInfo, std::less<>> models_;
};

/// What the usage costs in US dollars; nothing when the prices are not known.
std::optional<double> cost_of(const Usage& usage, const ModelInfo& info);

/// Estimates tokens of text that was not sent yet, and learns from what the server reports.
///
/// It counts letters, other ASCII and other scripts apart. Against the reference's rule of thumb (bytes / 3.5 for
/// prose, bytes / 2 for code and logs; tokenizers differ by up to 35 %) the first estimate may be off by 40 % either
/// way; once a report has come, what remains is the change in the text's composition. For deciding when to compact,
/// with a margin.
class TokenEstimate {
 public:
  long tokens(std::string_view text) const;

  /// A request whose parts were estimated at `estimated` in total turned out to have `reported` tokens.
  void correct(long estimated, long reported);

 private:
  double factor_ = 1.0;
};

}  // namespace model
