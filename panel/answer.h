#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "panel/block.h"

namespace panel {

/// An answer as it streams in. What is finished (paragraphs, lists, lines of code) is laid out once; only the piece
/// that still grows is laid out again.
class Answer final : public Block {
 public:
  static constexpr std::size_t kLimit = 1024 * 1024;

  /// Clean text. More than kLimit is dropped: an answer this long has no reader.
  void append(std::string_view text);
  /// As of the last layout.
  const std::vector<Code>* codes() const override { return &codes_; }
  void number_from(int first) override;
  bool grows() const override { return true; }
  std::string plain_text() const override { return text_; }
  std::size_t bytes() const override { return text_.size(); }

 private:
  /// A fenced block that is open: its mark, and how far it was indented.
  struct Fence {
    char mark = 0;
    std::size_t length = 0;
    int indent = 0;
    std::size_t code = 0;  ///< Its place in codes_.
  };

  void layout(int width, const Signs& signs, bool new_width) override;
  void start_over();
  void read_lines(int width, const Signs& signs);
  void take_line(std::string_view line, std::size_t at, int width, const Signs& signs);
  void add_markdown(std::string_view piece, int width, const Signs& signs);
  void settle_piece(std::size_t end, int width, const Signs& signs);
  bool open_fence(std::string_view line, int width, const Signs& signs);
  bool closes(std::string_view line) const;
  std::string_view code_of(std::string_view line) const;
  void add_gap();

  std::string text_;
  int first_number_ = 0;  ///< Of its first code block, for the key that inserts it; 0: no keys.
  std::vector<Code> codes_;

  // How far the text has been read and laid out for good.
  std::size_t scan_ = 0;          ///< The first byte of a line that is not complete.
  std::size_t piece_ = 0;         ///< Where the piece of markdown begins that still grows.
  std::size_t settled_rows_ = 0;  ///< Rows of lines_ that stay.
  bool blank_before_ = false;     ///< The last line read was blank.
  Fence fence_;
};

}  // namespace panel
