#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "panel/input_box.h"
#include "panel/text_buffer.h"
#include "panel/theme.h"
#include "terminal/frame.h"
#include "terminal/key.h"

namespace panel {

/// One target an operator can choose, and what tells it apart.
struct PickerEntry {
  std::string target;  ///< What is opened.
  std::string user;
  std::string hops;                 ///< "bastion, edge"; empty: directly.
  std::vector<std::string> labels;  ///< "env=prod", or any remark.
  std::size_t id = 0;               ///< For the owner: which of its own things this is.
};

/// The targets of one source, in the source's own order.
struct PickerGroup {
  std::string title;
  std::vector<PickerEntry> entries;
};

/// The full-screen list of targets: typing narrows it, Enter takes one. Passive: keys in, draws itself into a Frame.
///
/// A name that is typed and stands in no list can be opened as well.
class TargetPicker {
 public:
  enum class Outcome { none, chosen, left, repaint };

  TargetPicker(std::vector<PickerGroup> groups, ThemeOptions theme, std::string guidance);

  Outcome handle_key(const terminal::Key& key);
  /// What was chosen.
  const PickerEntry& selected() const { return rows_[selected_].entry; }
  /// What was chosen is a name that was typed.
  bool typed() const { return rows_[selected_].typed; }

  void draw(terminal::Frame& frame);

 private:
  struct Row {
    PickerEntry entry;
    std::size_t group = 0;
    int score = 0;
    bool typed = false;
  };

  void narrow();
  void add_matches(const PickerGroup& group, std::size_t number);
  void move(int by);
  int draw_guidance(terminal::Frame& frame, int bottom) const;
  void draw_list(terminal::Frame& frame, int top, int bottom);
  void draw_entry(terminal::Frame& frame, int line, std::size_t row) const;
  void draw_hints(terminal::Frame& frame, int line) const;
  std::string details(const Row& row) const;

  std::vector<PickerGroup> groups_;
  Theme theme_;
  std::string guidance_;
  TextBuffer filter_;
  std::vector<Row> rows_;  ///< What fits the filter, group by group.
  std::size_t selected_ = 0;
  int scroll_ = 0;  ///< The first line of the list that is shown.
  int page_ = 1;
};

}  // namespace panel
