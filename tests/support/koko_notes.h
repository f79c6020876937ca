#pragma once

#include <string>
#include <vector>

// What koko's end of a terminal writes down, for tests to look at.
namespace test_server {

/// One line as the bastion's record has it.
struct KokoTyped {
  std::string line;
  bool enter_alone = false;  ///< Enter came as a message of its own: the safe form.
  bool echoed = false;       ///< The text was on the screen before.
  std::string verdict;       ///< "accepted", "rejected", "asked", "reviewed", "cancelled", "warned", "declined".
};

/// How a client left its terminal.
struct KokoEnd {
  std::string session;
  int code = 0;  ///< 1000 …: of its close frame. 1006: it went without one.
};

struct KokoNotes {
  std::vector<KokoTyped> typed;
  std::vector<KokoEnd> ends;
  std::vector<std::string> violations;  ///< Whatever a client must not do.
  std::vector<std::string> received;    ///< Types of the control messages, in order.
  std::string input;                    ///< All bytes that were let through to the newest shell.
  std::string dropped;                  ///< Input that koko threw away: locked, under review.
};

}  // namespace test_server
