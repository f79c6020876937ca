#pragma once

#include <string>
#include <string_view>

namespace app {

/// How a terminal shows a picture among its text.
enum class PictureProtocol { none, kitty, iterm };

/// What the environment says of the operator's terminal. A multiplexer in between swallows pictures.
PictureProtocol picture_protocol();

/// The bytes that show a PNG (any format for iTerm2's protocol); "" where it cannot be shown so.
std::string picture_sequence(PictureProtocol protocol, std::string_view picture);

/// Shows it on /dev/tty; false where the terminal cannot.
bool show_on_terminal(std::string_view picture);

}  // namespace app
