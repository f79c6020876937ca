#pragma once

#include <optional>
#include <string_view>

namespace panel {

/// How well `pattern` fits `text`: its characters in order, letters of either case alike. Nothing when it does not fit;
/// higher is better: whole words, beginnings and characters in a row count most. Blanks separate parts that may stand
/// anywhere. An empty pattern fits everything equally.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text);

}  // namespace panel
