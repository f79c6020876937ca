#pragma once

#include <functional>
#include <memory>
#include <string>

#include "event/event_loop.h"
#include "transport/transport.h"

namespace bench {

/// Opens a pty, here or elsewhere, with this shell command in it.
using OpenShell = std::function<std::unique_ptr<transport::Transport>(event::EventLoop&, const std::string&)>;

/// A flood of short lines. Rates in MB/s of what arrives from the tty, by the wall clock.
class Flood {
 public:
  explicit Flood(bool quick) : lines_(quick ? 2'900'000 : 11'900'000) {}

  double megabytes() const;
  /// Read and thrown away: what the link itself can do.
  double drained(const OpenShell& open) const;
  /// Read and shown on jms' screen model: a session in which nothing runs.
  double passed_through(const OpenShell& open) const;
  /// The output of a framed command: filtered, shown, cleaned and recorded.
  double framed(const OpenShell& open) const;

 private:
  std::string command() const { return "seq 1 " + std::to_string(lines_); }
  double rate(const OpenShell& open, const std::function<void(std::string_view)>& take) const;

  int lines_;
};

}  // namespace bench
