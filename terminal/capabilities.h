#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace terminal {

enum class ColorDepth : std::uint8_t { mono, ansi8, ansi16, palette256, truecolor };

/// What the operator's terminal can do.
///
/// Terminfo is asked *whether* it can; the bytes are then those of ECMA-48, which every terminal that can be told to
/// place its cursor has spoken for decades. A terminal whose own sequences differ counts as one that cannot.
/// The defaults are a plain modern terminal; tests build what they need by value.
struct Capabilities {
  ColorDepth colors = ColorDepth::palette256;
  bool can_draw = true;           ///< Cursor addressing and both erases: without them no Frame can be shown.
  bool utf8 = true;               ///< The locale's characters; otherwise only ASCII is written.
  bool ambiguous_wide = false;    ///< A CJK locale: characters of ambiguous width may take two cells.
  bool no_color = false;          ///< NO_COLOR is set: our own UI goes without colour, the remote's cells keep theirs.
  bool background_erase = false;  ///< Erasing paints the pen's background (bce).
  bool delayed_wrap = true;       ///< A character in the last column does not move on before the next one (xenl).
  bool switches_wrap = true;      ///< Knows ?7l and ?7h.
  bool synchronized = false;      ///< Knows ?2026, or is known to ignore it.
  bool styled_underline = false;  ///< 4:2 double and 4:3 curly.
  bool cursor_shape = false;      ///< DECSCUSR
  bool hides_cursor = true;       ///< ?25
  bool erases_characters = true;  ///< ECH
  bool scrolls_region = false;    ///< DECSTBM together with SU and SD.
  bool default_colors = true;     ///< 39 and 49.
  std::uint16_t attributes = 0xFF;  ///< Bits of Attribute it can show; underline is asked separately.
  bool underline = true;

  /// Reads terminfo and the environment of this process. Never fails: a terminal nobody knows gets the safe minimum.
  static Capabilities of_environment();

  /// The same for given values: `variable` answers for environment variables, with "" for one that is not set.
  static Capabilities of(const std::string& term, const std::function<std::string(const char*)>& variable,
                         std::string_view codeset);
};

}  // namespace terminal
