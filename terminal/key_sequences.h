#pragma once

#include <string_view>

#include "terminal/key.h"

namespace terminal {

// What whole key sequences mean: the one table of encodings, shared by the hotkey filter (panel closed) and the key
// decoder (panel open), so that a key is the same key in both.

/// The key that a single C0 byte or DEL stands for.
Key key_of_control(unsigned char byte);

/// The key, mouse event or reply in `CSI body final`, `body` being what stands between: parameters and intermediates.
/// Bracketed paste and the three bytes after an old-style `CSI M` are the caller's business.
Key key_of_csi(std::string_view body, char final);

/// The key in `ESC O body final`.
Key key_of_ss3(std::string_view body, char final);

}  // namespace terminal
