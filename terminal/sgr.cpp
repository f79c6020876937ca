#include "terminal/sgr.h"

#include <optional>

namespace terminal {
namespace {

/// What a colour parameter group (38, 48 or 58 with what belongs to it) says, and where the next parameter is.
struct ColorGroup {
  std::optional<Color> color;
  int next = 0;
};

std::optional<Color> make_color(int kind, int first, int second, int third) {
  if (kind == 5 && first <= 255) return Color::indexed(static_cast<std::uint8_t>(first));
  if (kind == 2 && first <= 255 && second <= 255 && third <= 255) {
    return Color::rgb(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second),
                      static_cast<std::uint8_t>(third));
  }
  return std::nullopt;
}

/// `38:5:n`, `38:2:r:g:b`, or with the colour space that the standard has and most leave out: `38:2:space:r:g:b`.
ColorGroup read_joined_group(const Csi& csi, int at) {
  int end = at + 1;
  while (csi.is_joined(end)) ++end;
  const int values = end - at - 2;
  const int first = at + 2 + (csi.get(at + 1, 0) == 2 && values >= 4 ? 1 : 0);
  if (values < 1) return {std::nullopt, end};
  return {make_color(csi.get(at + 1, 0), csi.get(first, 0), first + 1 < end ? csi.get(first + 1, 0) : 0,
                     first + 2 < end ? csi.get(first + 2, 0) : 0),
          end};
}

/// `38;5;n` or `38;2;r;g;b`.
ColorGroup read_group(const Csi& csi, int at) {
  if (csi.is_joined(at + 1)) return read_joined_group(csi, at);
  const int kind = csi.get(at + 1, 0);
  const int values = kind == 2 ? 3 : kind == 5 ? 1 : 0;
  const int end = at + 2 + values;
  if (values == 0 || end > csi.count) return {std::nullopt, values == 0 ? at + 2 : csi.count};
  return {make_color(kind, csi.get(at + 2, 0), csi.get(at + 3, 0), csi.get(at + 4, 0)), end};
}

void set_underline(Style& pen, std::uint16_t kind) {
  pen.attributes = static_cast<std::uint16_t>((pen.attributes & ~kUnderlineMask) | kind);
}

void set(Style& pen, std::uint16_t bits) {
  pen.attributes = static_cast<std::uint16_t>(pen.attributes | bits);
}

void clear(Style& pen, std::uint16_t bits) {
  pen.attributes = static_cast<std::uint16_t>(pen.attributes & ~bits);
}

/// Dotted and dashed lines are drawn as single ones: they still underline.
std::uint16_t underline_kind(int value) {
  switch (value) {
    case 0:
      return 0;
    case 2:
      return kUnderlineDouble;
    case 3:
      return kUnderlineCurly;
    default:
      return kUnderlineSingle;
  }
}

void apply_attribute(int value, Style& pen) {
  switch (value) {
    case 1:
      return set(pen, kBold);
    case 2:
      return set(pen, kDim);
    case 3:
      return set(pen, kItalic);
    case 5:
    case 6:
      return set(pen, kBlink);
    case 7:
      return set(pen, kReverse);
    case 8:
      return set(pen, kConceal);
    case 9:
      return set(pen, kStrike);
    case 21:
      return set_underline(pen, kUnderlineDouble);
    case 22:
      return clear(pen, kBold | kDim);
    case 23:
      return clear(pen, kItalic);
    case 24:
      return clear(pen, kUnderlineMask);
    case 25:
      return clear(pen, kBlink);
    case 27:
      return clear(pen, kReverse);
    case 28:
      return clear(pen, kConceal);
    case 29:
      return clear(pen, kStrike);
    case 53:
      return set(pen, kOverline);
    case 55:
      return clear(pen, kOverline);
    default:
      return;
  }
}

bool apply_palette(int value, Style& pen) {
  if (value >= 30 && value <= 37) {
    pen.foreground = Color::indexed(static_cast<std::uint8_t>(value - 30));
  } else if (value >= 40 && value <= 47) {
    pen.background = Color::indexed(static_cast<std::uint8_t>(value - 40));
  } else if (value >= 90 && value <= 97) {
    pen.foreground = Color::indexed(static_cast<std::uint8_t>(value - 90 + 8));
  } else if (value >= 100 && value <= 107) {
    pen.background = Color::indexed(static_cast<std::uint8_t>(value - 100 + 8));
  } else if (value == 39) {
    pen.foreground = Color();
  } else if (value == 49) {
    pen.background = Color();
  } else {
    return false;
  }
  return true;
}

std::string color_parameters(int group, Color color) {
  const std::string start = std::to_string(group);
  if (color.is_indexed()) return start + ":5:" + std::to_string(color.index());
  return start + ":2::" + std::to_string(color.red()) + ':' + std::to_string(color.green()) + ':' +
         std::to_string(color.blue());
}

int apply_color_group(const Csi& csi, int at, Style& pen, std::string& underline_color) {
  const ColorGroup group = read_group(csi, at);
  if (group.color) {
    switch (csi.get(at, 0)) {
      case 38:
        pen.foreground = *group.color;
        break;
      case 48:
        pen.background = *group.color;
        break;
      default:
        underline_color = color_parameters(58, *group.color);
    }
  }
  return group.next;
}

void append_color(std::string& out, Color color, bool background) {
  if (color.is_default()) return;
  out += ';';
  const int base = background ? 40 : 30;
  if (color.is_indexed() && color.index() < 8) {
    out += std::to_string(base + color.index());
  } else if (color.is_indexed() && color.index() < 16) {
    out += std::to_string(base + 60 + color.index() - 8);
  } else if (color.is_indexed()) {
    out += std::to_string(base + 8) + ";5;" + std::to_string(color.index());
  } else {
    out += std::to_string(base + 8) + ";2;" + std::to_string(color.red()) + ';' + std::to_string(color.green()) + ';' +
           std::to_string(color.blue());
  }
}

}  // namespace

void apply_sgr(const Csi& csi, Style& pen, std::string& underline_color) {
  if (csi.count == 0) {
    pen = Style{};
    underline_color.clear();
    return;
  }
  for (int at = 0; at < csi.count;) {
    const int value = csi.get(at, 0);
    if (value == 38 || value == 48 || value == 58) {
      at = apply_color_group(csi, at, pen, underline_color);
      continue;
    }
    if (value == 0) {
      pen = Style{};
      underline_color.clear();
    } else if (value == 4) {
      set_underline(pen, underline_kind(csi.is_joined(at + 1) ? csi.get(at + 1, 1) : 1));
    } else if (value == 59) {
      underline_color.clear();
    } else if (!apply_palette(value, pen)) {
      apply_attribute(value, pen);
    }
    for (++at; csi.is_joined(at);) ++at;
  }
}

std::string sgr_parameters(const Style& pen) {
  static constexpr struct {
    std::uint16_t bit;
    const char* text;
  } kAttributes[] = {{kBold, ";1"},    {kDim, ";2"},     {kItalic, ";3"}, {kBlink, ";5"},
                     {kReverse, ";7"}, {kConceal, ";8"}, {kStrike, ";9"}, {kOverline, ";53"}};
  std::string out = "0";
  for (const auto& [bit, text] : kAttributes) {
    if ((pen.attributes & bit) != 0) out += text;
  }
  switch (pen.attributes & kUnderlineMask) {
    case kUnderlineSingle:
      out += ";4";
      break;
    case kUnderlineDouble:
      out += ";21";
      break;
    case kUnderlineCurly:
      out += ";4:3";
      break;
    default:
      break;
  }
  append_color(out, pen.foreground, false);
  append_color(out, pen.background, true);
  return out;
}

}  // namespace terminal
