#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "panel/answer.h"
#include "panel/block.h"

namespace panel {

/// What was said and done in the panel, oldest first, and which part of it is in view. Bounded: the oldest go first.
///
/// The view follows the end unless somebody scrolled back; then it stays on the row it is on, whatever is added.
class Conversation {
 public:
  static constexpr std::size_t kMaxBlocks = 3000;
  static constexpr std::size_t kMaxBytes = 4 * 1024 * 1024;

  explicit Conversation(Signs signs) : signs_(signs) {}

  /// Everything given to it is clean text.
  void ask(std::string_view text);
  void note(std::string_view text, Role role = Role::notice);
  /// Goes on with the answer under way, or begins one.
  void answer(std::string_view text);
  /// What follows is a new answer, even right behind another one.
  void begin_answer() { add(std::make_unique<Answer>()); }
  void think(std::string_view text);
  Card& begin_card(std::string id, Card::Place place, std::string title);
  /// The card of this call; nothing when there is none (any more).
  Card* card(std::string_view id);
  /// Adds any block; the returned pointer is good until it is removed or dropped.
  Block* add(std::unique_ptr<Block> block);
  void remove(const Block* block);
  void clear();
  bool empty() const { return blocks_.empty(); }

  /// One row of the view.
  struct Row {
    const Line* line = nullptr;  ///< Nothing: a blank row between blocks.
    const Block* block = nullptr;
    bool first = false;  ///< The block's first row: its sign stands before it.
    bool found = false;  ///< The row the search is at.
  };
  std::vector<Row> view(int width, int rows);

  void scroll(int rows);
  void scroll_to_begin();
  void scroll_to_end() { anchor_.reset(); }
  /// Puts the beginning of this block at the top, if it would not fit otherwise.
  void show_from_its_beginning(const Block* block) { shown_whole_ = block; }
  /// As of the last view().
  bool more_above() const { return above_ > 0; }
  int below() const { return below_; }
  bool following() const { return !anchor_; }

  /// Folds or unfolds the lowest foldable block in view; false when there is none.
  bool toggle_fold();
  /// … the one in this row of the view.
  bool toggle_fold_at(int row);
  bool can_fold() const { return foldable_in_view() != nullptr; }

  /// Looks for text upwards (older) or downwards from where the search is; moves the view there. False: not found.
  enum class Direction { older, newer };
  bool find(std::string_view text, Direction direction);
  void end_search() { found_.reset(); }

  /// Code number 1 to 9 since the last question.
  const Code* code(int number) const;

  /// The blocks from this number on, for those who print them one after the other.
  std::vector<std::pair<std::uint64_t, const Block*>> blocks_from(std::uint64_t serial) const;
  /// Takes the last answer back: it is going to be given again.
  void retract_answer();

  /// Everything as plain lines, for exports and screen readers.
  std::string plain_text() const;
  const Signs& signs() const { return signs_; }

 private:
  struct Entry {
    std::uint64_t serial = 0;
    std::unique_ptr<Block> block;
    int gap = 0;   ///< Blank rows before it.
    int rows = 0;  ///< With the gap, as of the last layout.
  };
  /// A row that stays the same row when others come and go.
  struct Place {
    std::uint64_t serial = 0;
    int row = 0;  ///< In its entry.
  };

  int layout(int width);
  int top_row(int total, int rows);
  int row_of(const Place& place) const;
  Place place_of(int row) const;
  const Block* foldable_in_view() const;
  void trim();
  template <typename Kind>
  Kind* last_as();

  Signs signs_;
  std::deque<Entry> blocks_;
  std::size_t bytes_ = 0;
  std::uint64_t serial_ = 0;
  std::optional<Place> anchor_;  ///< The top row while scrolled back.
  std::optional<Place> found_;
  const Block* shown_whole_ = nullptr;
  int width_ = 80;
  int rows_ = 1;
  int total_ = 0;
  int above_ = 0;
  int below_ = 0;
  int top_ = 0;
};

}  // namespace panel
