// Words that the tests of the agent's loop share.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/support/agent_doubles.h"
#include "tests/support/agent_pairing.h"

namespace support {

inline model::Json command(const std::string& text) {
  return {{"command", text}};
}

/// The model asks for one command after the other, each in a turn of its own: `prefix`0, `prefix`1 and so on.
inline void script_commands(Rig& rig, int count, const std::string& prefix = "") {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    rig.client.script.push_back(call_turn({{"c" + number, "execute_command", command(prefix + number)}}));
  }
}

/// The API would refuse neither the history nor any request that was made.
inline void expect_paired(const Rig& rig) {
  EXPECT_EQ(history_refused(rig.conversation.messages()), std::nullopt);
  for (const auto& request : rig.client.requests) EXPECT_EQ(history_refused(request.messages), std::nullopt);
}

}  // namespace support
