#include "terminal/key_sequences.h"

#include <algorithm>
#include <array>
#include <optional>

namespace terminal {
namespace {

constexpr int kMissing = -1;

/// The numbers of a sequence: fields between semicolons, each with up to three parts between colons.
struct Parameters {
  static constexpr int kFields = 4;
  static constexpr int kParts = 3;

  std::array<std::array<int, kParts>, kFields> value;
  int count = 0;

  int get(int field, int part = 0, int otherwise = kMissing) const {
    const int number = field < count ? value[field][part] : kMissing;
    return number == kMissing ? otherwise : number;
  }
};

/// Reads the numbers; nothing when there is another byte among them. Surplus fields and parts are ignored.
std::optional<Parameters> parse_parameters(std::string_view body) {
  Parameters parameters;
  for (auto& field : parameters.value) field.fill(kMissing);
  int field = 0;
  int part = 0;
  for (const char byte : body) {
    if (byte == ';') {
      ++field;
      part = 0;
    } else if (byte == ':') {
      ++part;
    } else if (byte < '0' || byte > '9') {
      return std::nullopt;
    } else if (field < Parameters::kFields && part < Parameters::kParts) {
      int& number = parameters.value[field][part];
      number = std::min(std::max(number, 0) * 10 + (byte - '0'), 0x200000);
    }
  }
  parameters.count = body.empty() ? 0 : std::min(field + 1, Parameters::kFields);
  return parameters;
}

/// The modifier parameter counts from 1; Caps Lock and Num Lock, which it may carry too, change no key of ours.
std::uint8_t modifiers_of(int parameter) {
  const int bits = std::max(parameter, 1) - 1;
  constexpr int kHyper = 16;
  constexpr int kMeta = 32;
  int modifiers = bits & (kShift | kAlt | kCtrl | kSuper);
  if (bits & kHyper) modifiers |= kSuper;
  if (bits & kMeta) modifiers |= kAlt;
  return static_cast<std::uint8_t>(modifiers);
}

KeyEvent event_of(int part) {
  if (part == 2) return KeyEvent::repeat;
  return part == 3 ? KeyEvent::release : KeyEvent::press;
}

Key with_modifiers(Key key, const Parameters& parameters) {
  key.modifiers |= modifiers_of(parameters.get(1));
  key.event = event_of(parameters.get(1, 1));
  return key;
}

Key reply() {
  return Key::of(KeyKind::reply);
}

/// Keys that end in a letter, in CSI and SS3 alike.
Key key_of_letter(char final) {
  switch (final) {
    case 'A':
      return Key::of(KeyKind::up);
    case 'B':
      return Key::of(KeyKind::down);
    case 'C':
      return Key::of(KeyKind::right);
    case 'D':
      return Key::of(KeyKind::left);
    case 'H':
      return Key::of(KeyKind::home);
    case 'F':
      return Key::of(KeyKind::end);
    case 'P':
    case 'Q':
    case 'R':
    case 'S':
      return Key::function(final - 'P' + 1);
    default:
      return {};
  }
}

Key key_of_tilde(int number) {
  switch (number) {
    case 1:
    case 7:
      return Key::of(KeyKind::home);
    case 2:
      return Key::of(KeyKind::insert);
    case 3:
      return Key::of(KeyKind::remove);
    case 4:
    case 8:
      return Key::of(KeyKind::end);
    case 5:
      return Key::of(KeyKind::page_up);
    case 6:
      return Key::of(KeyKind::page_down);
    default:
      break;
  }
  // The VT220 numbered its function keys with gaps.
  if (number >= 11 && number <= 15) return Key::function(number - 10);
  if (number >= 17 && number <= 21) return Key::function(number - 11);
  if (number == 23 || number == 24) return Key::function(number - 12);
  return {};
}

/// Keys that the kitty protocol numbers in Unicode's private area: keypad digits, its signs, its motion keys.
Key key_of_keypad(char32_t code) {
  constexpr std::u32string_view kCharacters = U"0123456789./*-+";
  constexpr std::array kMotions = {KeyKind::left,      KeyKind::right, KeyKind::up,  KeyKind::down,   KeyKind::page_up,
                                   KeyKind::page_down, KeyKind::home,  KeyKind::end, KeyKind::insert, KeyKind::remove};
  if (code >= 57399 && code < 57399 + kCharacters.size()) return Key::of(kCharacters[code - 57399]);
  if (code == 57414) return Key::of(KeyKind::enter);
  if (code == 57415) return Key::of(U'=');
  if (code == 57416) return Key::of(U',');
  if (code >= 57417 && code < 57417 + kMotions.size()) return Key::of(kMotions[code - 57417]);
  return {};
}

Key key_of_code(char32_t code) {
  switch (code) {
    case 8:
    case 127:
      return Key::of(KeyKind::backspace);
    case 9:
      return Key::of(KeyKind::tab);
    case 13:
      return Key::of(KeyKind::enter);
    case 27:
      return Key::of(KeyKind::escape);
    default:
      break;
  }
  if (code >= 0xE000 && code < 0xF900) return key_of_keypad(code);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < 0x20 || (code >= 0x80 && code < 0xA0) || surrogate || code > 0x10FFFF) return {};
  return Key::of(code);
}

/// A character with the key's other faces as the kitty protocol tells them: with Shift, on a US keyboard, as text.
Key character_key(int code, int shifted, int on_us_keyboard, int text, std::uint8_t modifiers) {
  Key key = key_of_code(static_cast<char32_t>(std::max(code, 0)));
  key.modifiers = modifiers;
  if (key.kind != KeyKind::character) return key;
  const bool chord = (modifiers & ~kShift) != 0;
  if (!chord && text > 0) {
    key = key_of_code(static_cast<char32_t>(text));
  } else if ((modifiers & kShift) && shifted > 0) {
    key = key_of_code(static_cast<char32_t>(shifted));
    key.modifiers = modifiers & ~kShift;
  } else if (chord && key.character > 0x7F && on_us_keyboard > 0) {
    key = key_of_code(static_cast<char32_t>(on_us_keyboard));  // Ctrl+] on a Cyrillic layout is still Ctrl+]
    key.modifiers = modifiers;
  } else if (!chord) {
    if ((modifiers & kShift) && key.character >= U'a' && key.character <= U'z') key.character -= U'a' - U'A';
    key.modifiers = 0;
  }
  const bool upper_case = key.character >= U'A' && key.character <= U'Z';
  if ((key.modifiers & kCtrl) && upper_case) key.character += U'a' - U'A';
  return key;
}

Key mouse_key(const Parameters& parameters, bool released, int button_offset) {
  const int bits = parameters.get(0, 0, 0) - button_offset;
  if (parameters.count < 3 || bits < 0) return {};
  constexpr int kMotion = 32;
  constexpr int kWheel = 64;
  Key key = Key::of(KeyKind::mouse);
  // The mouse counts Shift 4, Alt 8, Ctrl 16.
  key.modifiers = static_cast<std::uint8_t>((bits & 4 ? kShift : 0) | (bits & 8 ? kAlt : 0) | (bits & 16 ? kCtrl : 0));
  key.mouse.button = bits & 3;
  key.mouse.col = std::max(parameters.get(1, 0, 1), 1) - 1;
  key.mouse.row = std::max(parameters.get(2, 0, 1), 1) - 1;
  if (bits & kWheel) {
    if (key.mouse.button > 1) return {};  // sideways
    key.mouse.action = key.mouse.button == 0 ? MouseAction::wheel_up : MouseAction::wheel_down;
    key.mouse.button = 0;
  } else if (bits & kMotion) {
    key.mouse.action = key.mouse.button == 3 ? MouseAction::move : MouseAction::drag;
  } else {
    key.mouse.action = released || key.mouse.button == 3 ? MouseAction::release : MouseAction::press;
  }
  return key;
}

Key key_of_numbers(const Parameters& parameters, char final) {
  switch (final) {
    case '~':
      // xterm's modifyOtherKeys: CSI 27 ; modifiers ; code ~
      if (parameters.get(0) == 27 && parameters.count >= 3) {
        return character_key(parameters.get(2), kMissing, kMissing, kMissing, modifiers_of(parameters.get(1)));
      }
      return with_modifiers(key_of_tilde(parameters.get(0)), parameters);
    case 'u': {
      Key key = character_key(parameters.get(0), parameters.get(0, 1), parameters.get(0, 2), parameters.get(2),
                              modifiers_of(parameters.get(1)));
      key.event = event_of(parameters.get(1, 1));
      return key;
    }
    case 'Z':
      return Key::of(KeyKind::tab, kShift);
    case 'I':
      return Key::of(KeyKind::focus_in);
    case 'O':
      return Key::of(KeyKind::focus_out);
    case 'M':
      return mouse_key(parameters, false, 32);  // urxvt's form
    case 'R':  // F3 with modifiers looks the same as a cursor report; a report must never act as a key
    case 'c':
    case 'n':
    case 't':
    case 'x':
    case 'y':
      return reply();
    default:
      return with_modifiers(key_of_letter(final), parameters);
  }
}

}  // namespace

Key key_of_control(unsigned char byte) {
  switch (byte) {
    case 0x00:
      return Key::of(U' ', kCtrl);
    case 0x08:
    case 0x7F:
      return Key::of(KeyKind::backspace);
    case 0x09:
      return Key::of(KeyKind::tab);
    case 0x0D:
      return Key::of(KeyKind::enter);
    case 0x1B:
      return Key::of(KeyKind::escape);
    default:
      return Key::of(static_cast<char32_t>(byte < 0x1B ? byte + 0x60 : byte + 0x40), kCtrl);
  }
}

Key key_of_csi(std::string_view body, char final) {
  const char first = body.empty() ? '\0' : body.front();
  if (first == '[' && body.size() == 1) {  // the Linux console: CSI [ A is F1
    return final >= 'A' && final <= 'E' ? Key::function(final - 'A' + 1) : Key{};
  }
  if (first == '<' && (final == 'M' || final == 'm')) {
    const auto parameters = parse_parameters(body.substr(1));
    return parameters ? mouse_key(*parameters, final == 'm', 0) : Key{};
  }
  if (first == '<' || first == '=' || first == '>' || first == '?') return reply();
  const auto parameters = parse_parameters(body);
  return parameters ? key_of_numbers(*parameters, final) : reply();
}

Key key_of_ss3(std::string_view body, char final) {
  const auto parameters = parse_parameters(body);
  if (!parameters) return {};
  // Old terminals put the modifier alone in front of the letter.
  const std::uint8_t modifiers = modifiers_of(parameters->get(parameters->count > 1 ? 1 : 0));
  Key key = key_of_letter(final);
  constexpr std::string_view kKeypad = "*+,-./0123456789";  // ESC O j … ESC O y
  if (final == 'M') key = Key::of(KeyKind::enter);
  if (final == 'I') key = Key::of(KeyKind::tab);
  if (final == 'X') key = Key::of(U'=');
  if (final >= 'j' && final <= 'y') key = Key::of(static_cast<char32_t>(kKeypad[final - 'j']));
  key.modifiers = modifiers;
  return key;
}

}  // namespace terminal
