#include "terminal/palette.h"

#include <array>

namespace terminal {
namespace {

struct Rgb {
  int red = 0;
  int green = 0;
  int blue = 0;
};

constexpr std::array<Rgb, 16> kSixteen = {{{0, 0, 0},
                                           {205, 0, 0},
                                           {0, 205, 0},
                                           {205, 205, 0},
                                           {0, 0, 238},
                                           {205, 0, 205},
                                           {0, 205, 205},
                                           {229, 229, 229},
                                           {127, 127, 127},
                                           {255, 0, 0},
                                           {0, 255, 0},
                                           {255, 255, 0},
                                           {92, 92, 255},
                                           {255, 0, 255},
                                           {0, 255, 255},
                                           {255, 255, 255}}};
constexpr std::array<int, 6> kCubeLevels = {0, 95, 135, 175, 215, 255};
constexpr int kCubeStart = 16;
constexpr int kGreyStart = 232;

Rgb rgb_of(Color color) {
  if (color.is_rgb()) return {color.red(), color.green(), color.blue()};
  const int index = color.index();
  if (index < kCubeStart) return kSixteen[static_cast<std::size_t>(index)];
  if (index >= kGreyStart) {
    const int level = 8 + 10 * (index - kGreyStart);
    return {level, level, level};
  }
  const auto cube = static_cast<std::size_t>(index - kCubeStart);
  return {kCubeLevels[cube / 36], kCubeLevels[cube / 6 % 6], kCubeLevels[cube % 6]};
}

/// How different two colours look: the "redmean" approximation, close enough to the eye and all in integers.
int distance(const Rgb& a, const Rgb& b) {
  const int mean = (a.red + b.red) / 2;
  const int red = a.red - b.red;
  const int green = a.green - b.green;
  const int blue = a.blue - b.blue;
  return (((512 + mean) * red * red) >> 8) + 4 * green * green + (((767 - mean) * blue * blue) >> 8);
}

int nearest_level(int value) {
  if (value < 48) return 0;
  return value < 115 ? 1 : (value - 35) / 40;
}

bool is_dark(Color color) {
  const Rgb rgb = rgb_of(color);
  return 299 * rgb.red + 587 * rgb.green + 114 * rgb.blue < 128'000;
}

Color to_256(Color color) {
  return color.is_rgb() ? Color::indexed(nearest_of_256(color)) : color;
}

Color to_16(Color color) {
  if (color.is_default() || (color.is_indexed() && color.index() < 16)) return color;
  return Color::indexed(nearest_of_16(color));
}

Color to_8(Color color) {
  const Color sixteen = to_16(color);
  if (sixteen.is_default() || sixteen.index() < 8) return sixteen;
  // Bright black is a grey: as black it would vanish on a dark terminal.
  return Color::indexed(sixteen.index() == 8 ? 7 : sixteen.index() - 8);
}

Color bring_down(Color color, ColorDepth depth) {
  switch (depth) {
    case ColorDepth::truecolor:
      return color;
    case ColorDepth::palette256:
      return to_256(color);
    case ColorDepth::ansi16:
      return to_16(color);
    case ColorDepth::ansi8:
      return to_8(color);
    case ColorDepth::mono:
      break;
  }
  return {};
}

std::uint16_t shown_attributes(std::uint16_t attributes, const Capabilities& capabilities) {
  const std::uint16_t underline = attributes & kUnderlineMask;
  const std::uint16_t others = attributes & capabilities.attributes & ~kUnderlineMask;
  if (underline == 0 || !capabilities.underline) return others;
  return others | (capabilities.styled_underline ? underline : static_cast<std::uint16_t>(kUnderlineSingle));
}

}  // namespace

std::uint8_t nearest_of_256(Color color) {
  const Rgb rgb = rgb_of(color);
  const int red = nearest_level(rgb.red);
  const int green = nearest_level(rgb.green);
  const int blue = nearest_level(rgb.blue);
  const auto cube = static_cast<std::uint8_t>(kCubeStart + 36 * red + 6 * green + blue);
  const int mean = (rgb.red + rgb.green + rgb.blue) / 3;
  const int step = mean > 238 ? 23 : (mean < 3 ? 0 : (mean - 3) / 10);
  const auto grey = static_cast<std::uint8_t>(kGreyStart + step);
  return distance(rgb, rgb_of(Color::indexed(grey))) < distance(rgb, rgb_of(Color::indexed(cube))) ? grey : cube;
}

std::uint8_t nearest_of_16(Color color) {
  const Rgb rgb = rgb_of(color);
  std::uint8_t best = 0;
  for (std::uint8_t i = 1; i < kSixteen.size(); ++i) {
    if (distance(rgb, kSixteen[i]) < distance(rgb, kSixteen[best])) best = i;
  }
  return best;
}

Style degrade(const Style& style, const Capabilities& capabilities) {
  const ColorDepth depth = capabilities.colors;
  Style shown{bring_down(style.foreground, depth), bring_down(style.background, depth),
              shown_attributes(style.attributes, capabilities)};
  if (depth == ColorDepth::truecolor || depth == ColorDepth::mono) return shown;
  if (depth == ColorDepth::ansi8 && style.foreground.is_indexed() && style.foreground.index() > 8 &&
      style.foreground.index() < 16) {
    shown.attributes |= capabilities.attributes & kBold;  // How eight colours show the bright ones.
  }
  const bool hidden = shown.foreground == shown.background && style.foreground != style.background;
  if (hidden) shown.foreground = Color::indexed(is_dark(shown.background) ? 7 : 0);
  return shown;
}

}  // namespace terminal
