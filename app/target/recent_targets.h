#pragma once

#include <string>
#include <vector>

#include "app/target/target.h"
#include "base/line_file.h"
#include "base/result.h"

namespace app {

/// The targets that were opened lately, kept in the state directory: names and how they were reached, no secrets.
class RecentTargets {
 public:
  static constexpr std::size_t kMost = 30;

  explicit RecentTargets(const std::string& state_directory);

  /// The newest first, each once.
  std::vector<TargetOptions> load() const;
  base::Result<void> add(const TargetOptions& target) const;

 private:
  base::LineFile file_;
};

/// The same way to a target, which also notes it as a recent one when it was reached.
Connection::Factory noting_success(Connection::Factory factory, RecentTargets recent, TargetOptions target);

}  // namespace app
