#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace app {

/// Finds out where the cursor stood when jms began to write.
///
/// The shadow must count rows as the operator's terminal does, and only the terminal knows where a session starts on
/// it. We ask once (CPR); the first report that comes back is ours and is taken out of the operator's input, however
/// late it comes, so that it can never be typed into the remote.
class StartPosition {
 public:
  static constexpr std::string_view kQuery = "\x1b[6n";

  struct Position {
    int row = 0;
    int col = 0;
  };

  /// The input without our report. Bytes that may be its beginning are held until more comes or flush().
  std::string filter(std::string_view bytes);
  std::string flush();
  bool holding() const { return !held_.empty(); }

  const std::optional<Position>& position() const { return position_; }

 private:
  std::string held_;
  std::optional<Position> position_;
};

}  // namespace app
