#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

// How a test wants its koko: the dialect, the shell behind it, the filters, the clocks.
namespace test_server {

enum class KokoVersion { v4, v5 };
inline std::ostream& operator<<(std::ostream& out, KokoVersion version) {
  return out << (version == KokoVersion::v4 ? "v4" : "v5");
}

/// A command filter: what koko does with a line that matches.
struct KokoFilter {
  enum class Action { reject, review, warning, notify_and_warn };
  std::string pattern;
  Action action = Action::reject;
};

/// What a token opens.
struct KokoToken {
  std::string owner = "alice";
  bool used = false;
  std::string error;  ///< Not empty: core's word instead of a terminal.
  std::string asset = "web-01", address = "10.0.0.5";
  std::string account = "root", username = "root";
};

struct KokoOptions {
  KokoVersion version = KokoVersion::v4;
  std::vector<std::string> shell = {"bash", "--norc", "--noprofile"};
  std::vector<std::string> environment = {"PS1=$ ", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "HISTFILE="};
  std::vector<KokoFilter> filters;
  std::chrono::milliseconds connecting{30};  ///< How long the counter runs.
  std::chrono::milliseconds ping_check{60'000}, ping_quiet{30'000};
  std::chrono::milliseconds read_deadline{300'000};
  std::chrono::milliseconds notices{2'000};  ///< How long a session whose line was cut is still listed as running.
  std::chrono::milliseconds idle_limit{30 * 60'000}, idle_check{30'000};
  std::chrono::milliseconds longest{24 * 3600'000};
  std::chrono::milliseconds spinner{1000};
  std::size_t frame = 1024;
  bool empty_frames = true;
  int order = 0;   ///< Of title, TERMINAL_SESSION and the two share messages: 0 to 11.
  int reused = 0;  ///< Terminals on a connection that koko shares: its banner instead of the counter.
  bool backspace_as_ctrl_h = false, ctrl_c_as_ctrl_z = false;
  bool watermark = true;
  std::vector<std::string> actions = {"connect", "upload", "download", "copy", "paste", "delete", "share"};
  std::string password_prompt;  ///< Asked in the stream before the asset is connected.
  std::string connect_error;    ///< Instead of a connection: "Connection refused", "Authentication failed".
  int refuse_upgrade = 0;       ///< Answer to every handshake: a gateway that lets no WebSocket through.
};

}  // namespace test_server
