// What koko itself writes into a terminal, beside the bytes of the host: a counter while it connects, banners, titles,
// questions, the reason of a failure, its last words. Over its WebSocket messages stand beside them; over SSH this is
// all there is. Passive: it is told what came, in whatever pieces, and keeps the end of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace transport::jumpserver {

/// What a terminal without width shows of `bytes`.
struct ShownText {
  std::vector<std::string> lines;  ///< The cursor's is the last one, and may be empty.
  bool titled = false;             ///< A window title was set.
};
/// Backspaces and returns overwrite; escape sequences are gone, and so is one that is not finished yet.
ShownText shown_text(std::string_view bytes);

/// True for what koko writes until the asset is connected, or for the beginning of it: "Connecting to root(root)@host
/// 0.1", "Reuse SSH connections (root@host) [Number of connections: 3]", in any of its languages.
bool is_koko_opening(std::string_view line);

class KokoWords {
 public:
  void feed(std::string_view bytes);

  bool empty() const;  ///< Nothing can be read yet.
  /// The window's title was set: koko does that when the asset is connected.
  bool titled() const;
  /// A question stands open that is not the host's prompt: a password, a code.
  bool asks() const;
  /// The last line with words is a counter or banner, or becomes one.
  bool opening() const;
  /// The cursor still stands on it.
  bool counting() const;
  /// Something can be read that is not koko's.
  bool host_spoke() const;
  /// The cursor stands behind what ends as prompts do.
  bool at_prompt() const;
  /// The last line with words that is no counter and no banner; a sentence without controls, or nothing.
  std::string last_words() const;
  /// What koko says when it hangs up: its red line, or the last one.
  std::string parting_words() const;

 private:
  std::string tail_;
};

/// Why koko ended a session, read from its last words in any of its languages, or from v5's reason.
enum class KokoEnd { unknown, idle, longest, permission, admin, failed };
KokoEnd koko_end(std::string_view last_words);

/// The sentence for the operator; empty when koko gave no reason of its own. `words` are koko's.
std::string explain_end(KokoEnd end, const std::string& words);
/// Why no session came about, and which link failed: the bastion's own words, if there are any.
std::string explain_failed_opening(const std::string& words);

/// What is added when a link is lost: the other side may not know it yet.
inline constexpr std::string_view kMayStillBeListed =
    "; our side is closed, the bastion may list the old session as running until it notices";
inline constexpr std::string_view kBastionOutOfReach = "jms could not reach the bastion: ";

}  // namespace transport::jumpserver
