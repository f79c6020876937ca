#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace test_server {

/// koko's own little screen, from which it reads what was typed: rows **without a width**. Text never wraps, a carriage
/// return goes to column 0 of the same row and what follows overwrites it. As seen on koko 4.10.15, with its gaps:
/// cursor addresses of one digit only, tabs that are not there, a sequence cut between two reads that is shown as text.
class KokoScreen {
 public:
  explicit KokoScreen(int rows);

  /// What one read from the host brought.
  void feed(std::string_view bytes);
  /// The row of the cursor, less what fish proposes behind it.
  std::string row();
  std::vector<std::string> rows() const;

 private:
  struct Row {
    std::u32string text;
    int x = 0;           ///< Where the next character goes, in cells …
    std::size_t at = 0;  ///< … and in characters.
    std::u32string proposed;
    bool proposing = false;

    std::string shown() const;
    void go(int column);
    void put(char32_t code);
    void insert_blanks(int count);
    void erase_right() { text.resize(at); }
    void remove(int cells);
  };

  std::string_view parse(std::string_view rest);
  std::string_view escape(std::string_view rest);
  std::string_view control_sequence(std::string_view rest);
  void control(char32_t code);
  void act(char final, std::string_view parameters);
  void move(char final, std::string_view parameters);
  void erase_display(std::string_view parameters);
  void erase_all();
  void colour(std::string_view parameters);
  Row& current();
  void keep_last_rows();

  std::vector<Row> rows_;
  int x_ = 1, y_ = 1;
  std::string unread_;
};

}  // namespace test_server
