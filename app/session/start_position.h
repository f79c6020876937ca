#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace app {

/// Finds out where the cursor stood when jms began to write, and whether the terminal's background is light.
///
/// The shadow must count rows as the operator's terminal does, and only the terminal knows where a session starts on
/// it. We ask once (CPR); the first report that comes back is ours and is taken out of the operator's input, however
/// late it comes, so that it can never be typed into the remote. The background is asked for just before: terminals
/// answer in order, so its answer is ours when it comes before that report, and never comes later.
class StartPosition {
 public:
  static constexpr std::string_view kQuery = "\x1b]11;?\x1b\\\x1b[6n";

  struct Position {
    int row = 0;
    int col = 0;
  };

  /// The input without our report. Bytes that may be its beginning are held until more comes or flush().
  std::string filter(std::string_view bytes);
  std::string flush();
  bool holding() const { return !held_.empty(); }

  const std::optional<Position>& position() const { return position_; }
  /// Whether the background is light, when the terminal told.
  const std::optional<bool>& light_background() const { return light_; }

 private:
  std::string held_;
  std::optional<Position> position_;
  std::optional<bool> light_;
};

/// Reads `ESC ] 11 ; rgb:RRRR/GGGG/BBBB` (1 to 4 digits each): is that colour light?
std::optional<bool> reads_as_light(std::string_view report);

}  // namespace app
