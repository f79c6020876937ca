#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_file.h"
#include "base/result.h"

namespace app {

/// The operator's questions across sessions, in the state directory. Secrets are masked before anything is written.
class QuestionHistory {
 public:
  using Redact = std::function<std::string(std::string_view)>;

  QuestionHistory(const std::string& state_directory, Redact redact);

  /// The oldest first.
  base::Result<std::vector<std::string>> load() const;
  base::Result<void> add(std::string_view question) const;

 private:
  base::LineFile file_;
  Redact redact_;
};

}  // namespace app
