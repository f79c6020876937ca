#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "panel/completion.h"
#include "panel/input_history.h"
#include "panel/input_layout.h"
#include "panel/text_buffer.h"
#include "panel/theme.h"
#include "terminal/frame.h"
#include "terminal/key.h"

namespace panel {

/// A key and what it does right now, for the footer.
struct Hint {
  std::string key;
  std::string does;
};

/// Where the operator writes: several lines that grow with the text, history, search in it, completion, pastes folded
/// to chips, and above them what waits for the assistant.
///
/// Passive: keys in, draws itself into a Frame. A text that begins with '!' is a command for the operator's own machine
/// and looks like it; deleting the '!' ends that at once.
class InputBox {
 public:
  static constexpr int kMostRows = 6;
  static constexpr int kMostQueueRows = 2;
  static constexpr int kMostPopupRows = 8;

  /// What became of a key.
  enum class Took {
    no,  ///< Not for an input; the owner may use it.
    yes,
    submit,     ///< The text is complete: take it with submit().
    take_back,  ///< The operator wants the newest waiting input back.
  };
  Took handle_key(const terminal::Key& key);

  /// What the operator sends: whole, and as it looked (pastes folded), for showing.
  struct Submission {
    std::string text;
    std::string shown;
  };
  /// The text, leaving an empty box. Goes into the history.
  Submission submit();
  /// The same for an answer that is no question: the history does not get it.
  std::string take();

  /// The text with pastes expanded.
  std::string text() const { return buffer_.expanded(); }
  bool empty() const { return buffer_.empty(); }
  bool blank() const;
  void set_text(std::string_view text);
  /// Adds to what is there, on a line of its own.
  void add_text(std::string_view text);
  /// Bytes that did not fit since the last call.
  std::size_t take_dropped();

  bool shell_mode() const { return buffer_.text().starts_with('!'); }
  bool searching() const { return search_.has_value(); }
  bool popup_open() const { return popup_.has_value(); }
  InputHistory& history() { return history_; }
  Completer& completer() { return completer_; }

  /// What was submitted while the assistant works and it has not read yet, the oldest first.
  void set_queue(std::vector<std::string> queue) { queue_ = std::move(queue); }
  const std::vector<std::string>& queue() const { return queue_; }

  /// The keys that mean something here now, the most useful first.
  std::vector<Hint> hints() const;

  /// Rows it wants of a field this wide, at most `most`, at least 1.
  int rows(int width, int most);
  /// Draws text and waiting inputs into all rows of `field`, signs into the two cells left of it, and puts the frame's
  /// cursor into it.
  void draw(terminal::Frame& frame, const base::Area& field, const Theme& theme);
  /// Draws the list of candidates into the last rows of `field`, which lies above the input.
  void draw_popup(terminal::Frame& frame, const base::Area& field, const Theme& theme) const;

 private:
  struct Search {
    TextBuffer pattern;
    std::size_t skip = 0;
    std::optional<std::string> match;
  };
  struct Popup {
    Completion completion;
    std::size_t selected = 0;
    bool moved = false;  ///< The operator chose one: Enter takes it.
  };

  Took handle_search(const terminal::Key& key);
  Took handle_popup(const terminal::Key& key);
  Took handle_paste(const terminal::Key& key);
  Took enter(const terminal::Key& key);
  Took vertical(int direction);
  Took complete();
  Took escape();
  Took clear();
  void accept();
  void find();
  void text_changed();
  InputLayout layout(const TextBuffer& buffer, int width) const;
  int text_rows(int width) const;
  void draw_queue(terminal::Frame& frame, int row, int rows, const base::Area& field, const Theme& theme) const;
  void draw_text(terminal::Frame& frame, const base::Area& field, const Theme& theme);
  void draw_search(terminal::Frame& frame, const base::Area& field, const Theme& theme);
  void draw_row(terminal::Frame& frame, int row, const base::Area& field, const InputLayout::Row& range,
                const Theme& theme) const;

  TextBuffer buffer_;
  InputHistory history_;
  Completer completer_;
  std::optional<Search> search_;
  std::optional<Popup> popup_;
  std::string pasting_;  ///< Pieces of a paste that has not ended.
  std::size_t dropped_ = 0;
  std::vector<std::string> queue_;
  int width_ = 80;  ///< As last drawn: rows for up and down.
  int scroll_ = 0;  ///< The first row shown.
};

/// What stands in the text for a folded paste.
std::string chip_label(const std::string& content);

/// "512 B", "4.2 KB": the size of something for a person.
std::string human_size(std::size_t bytes);

}  // namespace panel
