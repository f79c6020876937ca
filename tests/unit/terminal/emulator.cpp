#include "tests/unit/terminal/emulator.h"

#include <vterm.h>

namespace testing_terminal {
namespace {

terminal::Color color_of(const VTermColor& color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color)) return {};
  if (VTERM_COLOR_IS_INDEXED(&color)) return terminal::Color::indexed(color.indexed.idx);
  return terminal::Color::rgb(color.rgb.red, color.rgb.green, color.rgb.blue);
}

std::uint16_t attributes_of(const VTermScreenCellAttrs& attrs) {
  std::uint16_t attributes = 0;
  if (attrs.bold) attributes |= terminal::kBold;
  if (attrs.italic) attributes |= terminal::kItalic;
  if (attrs.blink) attributes |= terminal::kBlink;
  if (attrs.reverse) attributes |= terminal::kReverse;
  if (attrs.strike) attributes |= terminal::kStrike;
  return static_cast<std::uint16_t>(attributes | (attrs.underline << 8));
}

}  // namespace

struct Emulator::State {
  VTerm* vt = nullptr;
  VTermScreen* screen = nullptr;
  terminal::Cursor cursor;
  int scrolled = 0;

  static int set_property(VTermProp property, VTermValue* value, void* user) {
    auto& cursor = static_cast<State*>(user)->cursor;
    if (property == VTERM_PROP_CURSORVISIBLE) cursor.visible = value->boolean != 0;
    if (property == VTERM_PROP_CURSORBLINK) cursor.blink = value->boolean != 0;
    if (property == VTERM_PROP_CURSORSHAPE) {
      cursor.shape = value->number == VTERM_PROP_CURSORSHAPE_BAR_LEFT    ? terminal::CursorShape::bar
                     : value->number == VTERM_PROP_CURSORSHAPE_UNDERLINE ? terminal::CursorShape::underline
                                                                         : terminal::CursorShape::block;
    }
    return 1;
  }
  static int push_line(int, const VTermScreenCell*, void* user) {
    ++static_cast<State*>(user)->scrolled;
    return 1;
  }
};

Emulator::Emulator(base::Size size) : state_(std::make_unique<State>()) {
  static VTermScreenCallbacks callbacks = [] {
    VTermScreenCallbacks made = {};
    made.settermprop = State::set_property;
    made.sb_pushline = State::push_line;
    return made;
  }();
  state_->vt = vterm_new(size.rows, size.cols);
  vterm_set_utf8(state_->vt, 1);
  state_->screen = vterm_obtain_screen(state_->vt);
  vterm_screen_enable_altscreen(state_->screen, 1);
  vterm_screen_set_callbacks(state_->screen, &callbacks, state_.get());
  vterm_screen_reset(state_->screen, 1);
}

Emulator::~Emulator() {
  vterm_free(state_->vt);
}

void Emulator::write(std::string_view bytes) {
  vterm_input_write(state_->vt, bytes.data(), bytes.size());
}

void Emulator::resize(base::Size size) {
  vterm_set_size(state_->vt, size.rows, size.cols);
}

terminal::Cell Emulator::cell(int row, int col) const {
  VTermScreenCell cell;
  vterm_screen_get_cell(state_->screen, {row, col}, &cell);
  terminal::Cell result;
  const bool second_half = cell.chars[0] == static_cast<std::uint32_t>(-1);
  result.width = second_half ? 0 : static_cast<std::uint8_t>(cell.width);
  for (std::size_t i = 0; !second_half && i < result.chars.size() && cell.chars[i] != 0; ++i) {
    result.chars[i] = cell.chars[i];
  }
  result.style = {color_of(cell.fg), color_of(cell.bg), attributes_of(cell.attrs)};
  return result;
}

terminal::Cursor Emulator::cursor() const {
  VTermPos at;
  vterm_state_get_cursorpos(vterm_obtain_state(state_->vt), &at);
  terminal::Cursor cursor = state_->cursor;
  cursor.row = at.row;
  cursor.col = at.col;
  return cursor;
}

int Emulator::scrolled() const {
  return state_->scrolled;
}

}  // namespace testing_terminal
