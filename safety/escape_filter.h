#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace safety {

/// Which requests of a remote program the operator's own terminal may get to see while bytes pass through.
struct EscapePolicy {
  bool clipboard = false;  ///< OSC 52: write and read of the clipboard.
  bool reports = false;    ///< Title, icon, screen-content and answerback reports, which type text into the session.
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
  /// The same without a copy in the usual case, that nothing is held back or removed: then the result is `bytes`, else
  /// it stands in `scratch`.
  std::string_view pass(std::string_view bytes, std::string& scratch);
  /// What is still undecided when the stream ends.
  std::string finish();

 private:
  enum class State : unsigned char {
    Text,
    Escape,
    Control,
    ControlDrop,
    StringHead,
    StringPass,
    StringDrop,
    StringPassEscape,
    StringDropEscape
  };

  std::size_t harmless(std::string_view bytes) const;
  void feed_into(std::string_view bytes, std::string& out);
  void let_through(std::string_view bytes, std::string& out);
  void leave_open(std::string_view bytes, std::string& out);
  void removed(std::string& out);
  std::string take_held();
  void take(char c, std::string& out);
  void take_in_escape(char c, std::string& out);
  void take_in_control(char c, std::string& out);
  void take_in_string(char c, std::string& out);
  bool control_allowed() const;
  bool string_allowed() const;
  void begin_string(std::string& out);

  EscapePolicy policy_;
  State state_ = State::Text;
  std::string held_;
  std::size_t shown_ = 0;  ///< So much of its front was let through already.
  bool open_ = false;      ///< What was let through ends inside a sequence that the remote broke off.
};

}  // namespace safety
