#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace panel {

/// Who said it: the operator, the assistant, or the panel itself.
enum class Speaker { operator_, assistant, notice };

/// What was said in the panel, oldest first, and which part of it is in view. Bounded: the oldest go first.
class Transcript {
 public:
  static constexpr std::size_t kMaxEntries = 1000;
  static constexpr std::size_t kMaxBytes = 1024 * 1024;

  struct Line {
    Speaker speaker;
    bool first;  ///< Begins what this speaker says.
    std::string text;
  };

  void add(Speaker speaker, std::string_view text);
  /// Goes on with what this speaker said last; begins anew when another spoke since.
  void append(Speaker speaker, std::string_view text);
  bool empty() const { return entries_.empty(); }

  /// The lines in view when there is room for `rows` of `width` cells. The view stays where it is when something is
  /// added, unless it is at the end.
  std::vector<Line> view(int width, int rows);

  /// Moves the view by lines, backwards when negative, as far as the next view() finds lines.
  void scroll(int lines);
  void scroll_to_end() { below_ = 0; }
  /// As of the last view().
  bool more_above() const { return above_ > 0; }
  bool more_below() const { return below_ > 0; }

 private:
  struct Entry {
    Speaker speaker;
    std::string text;
    std::vector<std::string> lines;  ///< `text` wrapped to `wrapped_width_`; empty until needed.
  };

  int wrap_all(int width);

  std::deque<Entry> entries_;
  std::size_t bytes_ = 0;
  int wrapped_width_ = 0;
  int above_ = 0;  ///< Lines hidden before the view.
  int below_ = 0;  ///< Lines hidden after it.
  int added_ = 0;  ///< Lines added since the last view().
};

}  // namespace panel
