#include "terminal/hotkey.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/words.h"
#include "terminal/key_sequences.h"

namespace terminal {
namespace {

constexpr std::string_view kAccepted =
    "accepted are ctrl-a to ctrl-z (except h, i, j, m, which are Backspace, Tab and Enter), ctrl-], ctrl-\\, ctrl-^, "
    "ctrl-_, ctrl-space, alt-a to alt-z, alt-0 to alt-9 and f1 to f12";

/// No hotkey sequence is longer, with all the fields the kitty protocol may add.
constexpr std::size_t kLongestSequence = 48;

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/// "x" of "ctrl-x" when the text begins with this modifier; empty when it does not.
std::string_view after_modifier(std::string_view text, std::string_view modifier) {
  if (!text.starts_with(modifier) || text.size() < modifier.size() + 2) return {};
  const char joint = text[modifier.size()];
  return joint == '-' || joint == '+' ? text.substr(modifier.size() + 1) : std::string_view{};
}

/// What the byte for Ctrl with this key is; -1 when there is none, or when another key sends the same.
int control_byte(std::string_view key) {
  if (key == "space" || key == "@") return 0;
  if (key.size() != 1) return -1;
  const char c = key.front();
  if (c >= 'a' && c <= 'z') return std::string_view("hijm").find(c) == std::string_view::npos ? c - 'a' + 1 : -1;
  return std::string_view("]\\^_").find(c) == std::string_view::npos ? -1 : c - 0x40;
}

/// F1 to F4 have their SS3 form, the others their VT220 number.
std::string function_bytes(int number) {
  if (number <= 4) return {'\x1b', 'O', static_cast<char>('P' + number - 1)};
  constexpr int kNumbers[] = {15, 17, 18, 19, 20, 21, 23, 24};
  return "\x1b[" + std::to_string(kNumbers[number - 5]) + "~";
}

}  // namespace

Hotkey::Hotkey() : Hotkey(Key::of(U']', kCtrl), "Ctrl+]", "\x1d") {}

Hotkey::Hotkey(Key key, std::string name, std::string bytes)
    : key_(std::move(key)), name_(std::move(name)), bytes_(std::move(bytes)) {}

base::Result<Hotkey> Hotkey::parse(std::string_view text) {
  const std::string wanted = base::lower_case(text);
  if (const auto key = after_modifier(wanted, "ctrl"); !key.empty()) {
    if (const int byte = control_byte(key); byte >= 0) {
      const auto shown =
          byte == 0 ? std::string("Space") : std::string(1, static_cast<char>(std::toupper(key.front())));
      return Hotkey(key_of_control(static_cast<unsigned char>(byte)), "Ctrl+" + shown,
                    std::string(1, static_cast<char>(byte)));
    }
  }
  if (const auto key = after_modifier(wanted, "alt"); key.size() == 1) {
    const char c = key.front();
    if (is_digit(c) || (c >= 'a' && c <= 'z')) {
      return Hotkey(Key::of(static_cast<char32_t>(c), kAlt),
                    std::string("Alt+") + static_cast<char>(std::toupper(static_cast<unsigned char>(c))),
                    std::string("\x1b") + c);
    }
  }
  if (wanted.size() >= 2 && wanted.size() <= 3 && wanted[0] == 'f' && wanted[1] != '0') {
    int number = 0;
    const char* end = wanted.data() + wanted.size();
    if (std::from_chars(wanted.data() + 1, end, number).ptr == end && number >= 1 && number <= 12) {
      return Hotkey(Key::function(number), "F" + std::to_string(number), function_bytes(number));
    }
  }
  return base::fail("hotkey \"" + std::string(text) + "\" is not a key jms can watch for: " + std::string(kAccepted));
}

bool Hotkey::matches(const Key& key) const {
  if (key.kind != key_.kind) return false;
  if (key_.kind == KeyKind::function) return key.number == key_.number && key.modifiers == 0;
  if (key.character == key_.character && key.modifiers == key_.modifiers) return true;
  // '^' and '_' are typed with Shift, which some encodings report, some with the unshifted key of a US keyboard.
  const bool shifted = key.modifiers == (key_.modifiers | kShift);
  if (key_.character == U'^') return shifted && (key.character == U'^' || key.character == U'6');
  if (key_.character == U'_') return shifted && (key.character == U'_' || key.character == U'-');
  return false;
}

Hotkey::Match Hotkey::judge(const Key& key) const {
  if (!matches(key)) return Match::no;
  // A key held down repeats; that must not make the panel flicker open and shut.
  return key.event == KeyEvent::press ? Match::press : Match::release;
}

Hotkey::Match Hotkey::match(std::string_view bytes) const {
  if (bytes == bytes_) return Match::press;
  if (bytes_.starts_with(bytes)) return Match::partial;
  if (bytes.size() > kLongestSequence || bytes.front() != '\x1b') return Match::no;
  if (bytes.size() == 1) return Match::partial;
  if (bytes[1] != '[') return Match::no;
  return match_csi(bytes.substr(2));
}

/// Whether a sequence of this key may begin with this number.
bool Hotkey::number_fits(int number) const {
  const Key plain = key_of_csi(std::to_string(number), key_.kind == KeyKind::function ? '~' : 'u');
  if (key_.kind == KeyKind::function) return plain.number == key_.number || (number == 1 && key_.number <= 4);
  if (number == 27) return true;  // modifyOtherKeys
  const bool us_shifted = (key_.character == U'^' && number == '6') || (key_.character == U'_' && number == '-');
  return plain.character == key_.character || us_shifted;
}

/// Whether these digits are such a number or its first digit.
bool Hotkey::begins_function_number(int digits) const {
  for (int unit = 0; digits <= 2 && unit <= 9; ++unit) {
    if (number_fits(digits * 10 + unit)) return true;
  }
  return number_fits(digits);
}

Hotkey::Match Hotkey::match_csi(std::string_view body) const {
  const auto stop =
      std::find_if_not(body.begin(), body.end(), [](char c) { return is_digit(c) || c == ';' || c == ':'; });
  if (stop != body.end()) {
    const bool console = key_.kind == KeyKind::function && *stop == '[' && body.front() == '[';
    if (console && body.size() == 1) return Match::partial;
    if (stop + 1 == body.end() || console) return judge(key_of_csi(body.substr(0, body.size() - 1), body.back()));
    return Match::no;
  }
  int number = 0;
  const auto [after, error] = std::from_chars(body.data(), body.data() + body.size(), number);
  if (error != std::errc{}) return body.empty() ? Match::partial : Match::no;
  if (after == body.data() + body.size() || *after == ':') {
    // The key's place on a US keyboard may still follow after colons, whatever the first number is.
    return key_.kind == KeyKind::character || begins_function_number(number) ? Match::partial : Match::no;
  }
  return number_fits(number) ? Match::partial : Match::no;
}

std::vector<HotkeyFilter::Event> HotkeyFilter::feed(std::string_view bytes) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (in_paste_) {
      forward(events, bytes.substr(i, 1));
      continue;
    }
    held_.push_back(bytes[i]);
    auto match = hotkey_.match(held_);
    while (match == Hotkey::Match::no) {
      forward(events, std::string_view(held_).substr(0, 1));
      held_.erase(0, 1);
      if (held_.empty()) break;
      match = hotkey_.match(held_);
    }
    if (match == Hotkey::Match::press) events.push_back({Event::Kind::hotkey, held_});
    if (match == Hotkey::Match::press || match == Hotkey::Match::release) held_.clear();
  }
  return events;
}

std::string HotkeyFilter::flush() {
  for (const char byte : held_) follow_paste(byte);
  return std::exchange(held_, {});
}

void HotkeyFilter::leave_paste() {
  in_paste_ = false;
  bracket_matched_ = 0;
}

void HotkeyFilter::forward(std::vector<Event>& events, std::string_view bytes) {
  if (events.empty() || events.back().kind != Event::Kind::forward) events.push_back({});
  events.back().bytes.append(bytes);
  for (const char byte : bytes) follow_paste(byte);
}

/// Brackets are recognised in what has been forwarded, so that waiting for a whole one delays nothing and a flush in
/// the middle of one loses nothing.
void HotkeyFilter::follow_paste(char byte) {
  const std::string_view bracket = in_paste_ ? "\x1b[201~" : "\x1b[200~";
  if (byte != bracket[bracket_matched_]) bracket_matched_ = 0;
  if (byte == bracket[bracket_matched_]) ++bracket_matched_;
  if (bracket_matched_ < bracket.size()) return;
  bracket_matched_ = 0;
  in_paste_ = !in_paste_;
}

DoublePress::Outcome DoublePress::press(TimePoint now, std::string_view bytes) {
  if (armed_ && now - first_ <= kWindow) {
    armed_ = false;
    if (bytes_.empty()) bytes_ = bytes.empty() ? plain_ : bytes;
    return Outcome::send_through;
  }
  armed_ = true;
  first_ = now;
  bytes_ = bytes;
  return Outcome::toggle;
}

}  // namespace terminal
