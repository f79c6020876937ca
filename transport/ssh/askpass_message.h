#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace transport {

// What stands between ssh's askpass helper (jms itself, see askpass_helper.h) and the jms that started that ssh: one
// request, then one answer, on a socket of its own. The request is a string of the SSH protocol (its length goes
// first); the answer is kAskpassAnswer and then the text, or nothing at all: the question is not answered.

/// The environment variable that makes jms the helper; it names the socket.
inline constexpr const char* kAskpassVariable = "JMS_ASKPASS_SOCKET";

inline constexpr std::size_t kLongestAskpassRequest = 16 * 1024;
inline constexpr char kAskpassAnswer = '+';

/// One question of ssh, as the helper got it.
struct AskpassRequest {
  enum class Hint {
    question,  ///< A text is wanted.
    confirm,   ///< Yes or no.
    notice,    ///< Nothing is wanted; it stands until ssh ends the helper ("touch the key").
  };
  Hint hint = Hint::question;
  std::string prompt;  ///< Partly the words of a server: untrusted.
};

std::string to_wire(const AskpassRequest& request);

/// What has arrived so far.
struct AskpassArrival {
  enum class State { incomplete, complete, broken };
  State state = State::broken;
  AskpassRequest request;  ///< When complete.
};

/// Broken: too long, not of this version, or something follows the request.
AskpassArrival read_askpass_request(std::string_view bytes);

}  // namespace transport
