#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terminal/canvas.h"
#include "terminal/modes.h"
#include "terminal/utf8_reader.h"
#include "vt/csi.h"
#include "vt/tokenizer.h"

namespace terminal {

using vt::Csi;

/// Stands between the remote's bytes and libvterm, which some bytes can crash, hang or mislead.
///
/// It knows where every sequence ends, forwards what libvterm does right in big pieces, rewrites what it does wrong
/// and does itself what it cannot do. The outcome is the same for any cut of the bytes. On the way it keeps the record
/// of the modes, answers queries, and bounds everything that a remote could make grow.
///
/// Split by topic: input_guard.cpp (text and dispatch), guard_cursor.cpp, guard_edit.cpp, guard_modes.cpp,
/// guard_layout.cpp (screens, margins, size, resets), guard_strings.cpp (titles, links, queries).
class InputGuard final : private vt::Sink {
 public:
  explicit InputGuard(Canvas& canvas);

  void write(std::string_view bytes);
  void resize(base::Size size);
  void on_reply(std::function<void(std::string_view)> receiver) { receiver_ = std::move(receiver); }

  const Modes& modes() const { return modes_; }
  const std::string& title() const { return title_; }
  bool cursor_blinks() const { return blink_; }
  bool between_sequences() const { return tokens_.in_text() && !utf8_.inside(); }
  bool waits_to_wrap() const { return own_wrap_ || canvas_.wrap_pending(); }
  /// Text goes straight through: no margins, no insert mode, no other character set.
  bool prints_plainly() const;

 private:
  /// What DECSC keeps; one for each screen.
  struct Saved {
    Position at;
    bool wrap_pending = false;
    bool origin = false;
    bool protect = false;
    Style pen;
    std::string underline_color;
    std::array<char, 4> charsets = {'B', 'B', 'B', 'B'};
    int shift = 0;
  };

  /// The rows and columns that scroll, ends one past the last.
  struct Margins {
    int top, bottom, left, right;
  };

  // From the tokenizer. Text never comes this way: only sequences are left to it.
  void text(std::string_view) override {}
  void control(char byte) override { on_control(static_cast<unsigned char>(byte)); }
  void sequence(const vt::Sequence& sequence) override;

  void on_control(unsigned char control);
  void on_escape(char intermediate, char final_byte);
  void on_csi(const Csi& csi);
  void on_string(vt::Kind kind, std::string_view text);

  // Text.
  std::size_t take_ground(std::string_view bytes);
  std::size_t take_wide_text(std::string_view bytes);
  void print_decoded(char32_t code);
  void add_mark(char32_t mark);
  void pass(std::string_view plain);
  void pass_fast(std::string_view plain);
  void print_ascii(std::string_view run);
  void print(char32_t code, int width);
  void print_carefully(char32_t code, int width);
  void repeat_last(int count);
  void wrap_line();
  void update_plain();

  // What goes to libvterm.
  void flush();
  void forward(int value, char final_byte);
  void forward_tail(int value, char final_byte);
  void forward(std::string_view sequence);
  Position position();
  bool wrap_pending();
  void cancel_wrap();

  // Cursor.
  bool move_csi(const Csi& csi);
  void move_to(Position to);
  void move_vertically(int by, bool to_line_start);
  void move_horizontally(int by);
  void place(const Csi& csi);
  void place_column(int column);
  void place_row(int row);
  void carriage_return();
  void line_feed();
  void index_down();
  void reverse_index();
  void tab(int count);
  void set_tab(bool on);
  void clear_tabs();
  void reset_tabs();
  void tabs_changed();
  void save_cursor();
  void restore_cursor();
  Margins margins() const;
  bool in_margins(Position at) const;
  int right_edge(Position at) const;
  int left_edge(Position at) const;

  // Edits.
  bool edit_csi(const Csi& csi);
  bool rectangle_csi(const Csi& csi);
  void erase_display(const Csi& csi);
  void edit(int count, char final_byte);
  void edit_lines(int count, char final_byte);
  void shift_chars(int by);
  void scroll_sideways(int by);
  void column_index(int by);
  void align();

  // Modes.
  bool mode_csi(const Csi& csi);
  void set_modes(const Csi& csi, bool on);
  void set_ansi_mode(int mode, bool on);
  void set_dec_mode(int mode, bool on);
  void set_mouse_mode(int mode, bool on);
  void set_alternate(int mode, bool on);
  void set_left_right(bool on);
  void set_rows_margin(const Csi& csi);
  void set_cols_margin(const Csi& csi);
  void set_cursor_style(int style);
  void set_pen(const Csi& csi);
  void show_pen();
  void kitty_csi(const Csi& csi);
  void modify_keys(const Csi& csi);
  void designate(char intermediate, char final_byte);
  int ansi_mode(int mode) const;
  int dec_mode(int mode) const;
  void soft_reset();
  void hard_reset();
  void title_stack(const Csi& csi);

  // Strings and queries.
  bool query_csi(const Csi& csi);
  void report_status(const Csi& csi);
  void report_mode(const Csi& csi);
  void report_setting(std::string_view request);
  void take_osc(std::string_view text);
  void reply(const std::string& text);

  Canvas& canvas_;
  vt::Tokenizer tokens_;
  Modes modes_;
  std::array<Saved, 2> saved_;    ///< Main and alternate screen.
  Position main_cursor_;          ///< Where the main screen's cursor was when the alternate one came.
  std::vector<int> other_kitty_;  ///< The key flags of the screen that is not shown.
  std::map<int, bool> saved_modes_;
  std::vector<bool> tabs_;
  std::vector<std::string> titles_;
  std::string title_;
  std::function<void(std::string_view)> receiver_;

  std::string out_;               ///< For libvterm, not written yet.
  std::vector<char32_t> glyphs_;  ///< What the stand-ins in `out_` stand for.
  bool out_draws_ = false;        ///< `out_` holds more than cursor movements.
  bool out_moved_ = false;        ///< The last thing in `out_` put the cursor somewhere.
  Utf8Reader utf8_;
  bool plain_ = true;      ///< Printable ASCII, CR, TAB and CR LF need no look.
  bool careful_ = false;   ///< Insert mode or side margins: each character is placed by us.
  bool own_wrap_ = false;  ///< A pending wrap that libvterm does not know of.
  bool protect_ = false;   ///< DECSCA
  bool blink_ = true;
  int single_shift_ = 0;
  char32_t last_ = 0;  ///< What REP repeats: the character printed just before, or 0.
  Csi csi_;            ///< The one under way: too big to be made anew each time.
};

}  // namespace terminal
