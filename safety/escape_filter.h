#pragma once

#include <string>
#include <string_view>

namespace safety {

/// Which requests of a remote program the operator's own terminal may get to see while bytes pass through.
struct EscapePolicy {
  bool clipboard = false;       ///< OSC 52: write and read of the clipboard.
  bool reports = false;         ///< Title, icon, window and answerback reports, which type text into the session.
  bool window_changes = false;  ///< Moving, resizing, minimising the window; fonts.
  bool file_transfer = false;   ///< OSC 1337 File=, OSC 5113.
};

/// Passes a terminal's byte stream on unchanged except for requests that the policy does not allow.
///
/// Only a sequence that is not yet decided is held back, and never more than a few bytes of it.
class EscapeFilter {
 public:
  explicit EscapeFilter(EscapePolicy policy = {}) : policy_(policy) {}

  std::string feed(std::string_view bytes);
  /// What is still undecided when the stream ends.
  std::string finish();

 private:
  enum class State : unsigned char {
    Text,
    Escape,
    Control,
    StringHead,
    StringPass,
    StringDrop,
    StringPassEscape,
    StringDropEscape
  };

  void take(char c, std::string& out);
  void take_in_string(char c, std::string& out);
  void finish_control(std::string& out);
  bool control_allowed() const;
  bool string_allowed() const;
  void begin_string(std::string& out);

  EscapePolicy policy_;
  State state_ = State::Text;
  std::string held_;
};

}  // namespace safety
