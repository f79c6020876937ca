#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/target/recent_targets.h"
#include "app/target/target.h"
#include "panel/target_picker.h"

namespace app {

/// Something that knows targets: the picker shows one group for each. What it lists is at hand; nothing here waits for
/// a network.
class TargetSource {
 public:
  /// A target as it is shown and as it is opened.
  struct Offer {
    panel::PickerEntry shown;
    TargetOptions options;
  };

  virtual ~TargetSource() = default;
  virtual std::string title() const = 0;
  virtual std::vector<Offer> offers() const = 0;
  /// Looks for news while the operator chooses, for the next list; destroying what it returns stops it.
  virtual std::shared_ptr<void> refresh(event::EventLoop&) const { return nullptr; }
};

/// What was opened lately.
std::unique_ptr<TargetSource> recent_source(const std::string& state_directory);
/// The hosts that ~/.ssh/config, or the file `-F` names, gives by name.
std::unique_ptr<TargetSource> ssh_config_source(TargetOptions options);
/// The assets of each JumpServer one is signed in to, as they were last seen.
std::vector<std::unique_ptr<TargetSource>> jumpserver_sources(const Config& config, const TargetOptions& given);
/// `local`.
std::unique_ptr<TargetSource> local_source();

}  // namespace app
