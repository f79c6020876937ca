#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vt/tokenizer.h"

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
class EscapeFilter final : private vt::Sink {
 public:
  explicit EscapeFilter(EscapePolicy policy = {}) : policy_(policy) {}

  std::string feed(std::string_view bytes);
  /// The same without a copy in the usual case, that nothing is held back or removed: then the result is `bytes`, else
  /// it stands in `scratch`.
  std::string_view pass(std::string_view bytes, std::string& scratch);
  /// What is still undecided when the stream ends.
  std::string finish();

 private:
  enum class String : unsigned char { Undecided, Passes, Dropped };

  void text(std::string_view run) override;
  void control(char byte) override;
  void sequence(const vt::Sequence& sequence) override;
  void discarded(const vt::Sequence& sequence) override;
  void string_begins(vt::Kind kind, std::string_view introducer) override;
  void string_part(std::string_view bytes) override;

  std::size_t harmless(std::string_view bytes);
  void feed_into(std::string_view bytes, std::string& out);
  void let_through(std::string_view bytes);
  void let_through_with_controls(std::string_view bytes);
  void removed();
  void decide_string();
  bool allowed(const vt::Sequence& sequence) const;
  bool csi_allowed(const vt::Sequence& csi) const;
  bool string_allowed(std::string_view head) const;

  EscapePolicy policy_;
  vt::Tokenizer tokens_{vt::C1::controls};
  std::string* out_ = nullptr;
  std::string controls_;  ///< What stood in the middle of the sequence under way, to be carried out.
  std::string head_;      ///< The string under way as far as its number goes, while that is not known.
  String string_ = String::Undecided;
  bool open_ = false;  ///< What was let through ends inside a sequence that the remote broke off.
};

}  // namespace safety
