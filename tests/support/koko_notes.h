#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

// What koko's end of a terminal writes down, for tests to look at.
namespace test_server {

/// One line as koko took it when Enter came.
struct KokoTyped {
  std::string line;          ///< What the filters were asked about.
  std::string row;           ///< What its screen without a width had of it: the record of a line that runs.
  bool enter_alone = false;  ///< Enter came as a message of its own: the safe form.
  bool echoed = false;       ///< The text was on the screen before.
  std::string verdict;       ///< "accepted", "rejected", "asked", "reviewed", "cancelled", "warned", "declined".
};

/// A line of the bastion's record, as an auditor finds it: at most 128 characters, written when the prompt is back (a
/// rejected one at once).
struct KokoRecord {
  std::string input;
  int risk = 0;  ///< 0 ordinary, 4 warning, 5 rejected, 6 review refused, 7 approved, 8 given up.
};

/// How a client left its terminal.
struct KokoEnd {
  std::string session;
  int code = 0;  ///< 1000 …: of its close frame. 1006: it went without one.
};

/// One session as JumpServer lists it.
struct KokoListed {
  std::string id, user, asset, account, protocol = "ssh";
  bool success = true;    ///< The asset was reached.
  bool finished = false;  ///< No longer shown as running.
  /// When its socket was gone without a close frame: a ghost, shown as running until the server notices.
  std::optional<std::chrono::steady_clock::time_point> lost;
};

struct KokoNotes {
  std::vector<KokoTyped> typed;
  std::vector<KokoRecord> record;
  std::vector<KokoEnd> ends;
  std::vector<KokoListed> listed;
  std::vector<std::string> violations;  ///< Whatever a client must not do.
  std::vector<std::string> received;    ///< Types of the control messages, in order.
  std::string input;                    ///< All bytes that were let through to the newest shell.
  std::string dropped;                  ///< Input that koko threw away: locked, under review.
};

}  // namespace test_server
