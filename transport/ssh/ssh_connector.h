#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "transport/ssh/connection_setup.h"
#include "transport/ssh/openssh_engine.h"
#include "transport/ssh/ssh_session.h"

namespace transport {

/// Where connecting led: to a session we are signed in on, or to the insight that the system's ssh must do it.
struct Connected {
  std::unique_ptr<SshSession> session;  ///< Of the last hop; owns the ones before. Null: use the other engine.
  EngineDecision decision;
};

/// Inside a fiber: goes through the hops one by one. Each has its own address, host-key check and sign-in.
base::Result<Connected> connect_chain(ConnectionSetup& setup, const std::vector<HostSettings>& chain,
                                      EngineChoice choice);

/// How long one step may take without the operator: ConnectTimeout, or half a minute.
std::chrono::milliseconds step_limit(const HostSettings& settings);

}  // namespace transport
