#include "transport/jumpserver/koko_words.h"

#include <algorithm>
#include <initializer_list>

#include "base/one_line.h"
#include "base/words.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostKept = 4096;
constexpr std::size_t kLongestShown = 1024;  // Of a line: nothing that koko says is longer.
constexpr std::size_t kLongestSentence = 300;

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
}
bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.ends_with(word); });
}

bool ends_as_prompts_do(std::string_view line) {
  return ends_with_any(line, {"$", "#", "%", ">", "❯"});
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A line of characters that are overwritten in place.
class ShownLine {
 public:
  void put(char byte) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
    if (continues && at_ > 0) {
      cells_[at_ - 1] += byte;
      return;
    }
    if (at_ >= kLongestShown) return;
    if (at_ == cells_.size()) cells_.emplace_back();
    cells_[at_++] = byte;
  }
  void back() { at_ -= at_ > 0 ? 1 : 0; }
  void return_to_start() { at_ = 0; }
  void clear() {
    cells_.clear();
    at_ = 0;
  }
  std::string text() const {
    std::string all;
    for (const auto& cell : cells_) all += cell;
    return all;
  }

 private:
  std::vector<std::string> cells_;
  std::size_t at_ = 0;
};

/// The length of the escape sequence at the front of `bytes`; 0 when its end is not there yet.
std::size_t sequence_length(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  if (bytes[1] == '[') {
    for (std::size_t i = 2; i < bytes.size(); ++i)
      if (bytes[i] >= '@' && bytes[i] <= '~') return i + 1;
    return 0;
  }
  if (bytes[1] == ']' || bytes[1] == 'P' || bytes[1] == '^' || bytes[1] == '_') {
    for (std::size_t i = 2; i < bytes.size(); ++i) {
      if (bytes[i] == '\a') return i + 1;
      if (bytes[i] == '\\' && bytes[i - 1] == '\x1b') return i + 1;
    }
    return 0;
  }
  return bytes[1] == '(' || bytes[1] == ')' ? (bytes.size() < 3 ? 0 : 3) : 2;
}

/// What stands in front of the counter or the numbers of a banner.
constexpr std::string_view kOpeningStarts[] = {"Connecting to ",
                                               "开始连接",
                                               "開始連接",
                                               "接続開始",
                                               "データベース接続の開始",
                                               "Подключение к ",
                                               "Conectando a",
                                               "Reuse SSH connections",
                                               "复用SSH连接",
                                               "復用SSH連接",
                                               "SSH接続の再利用",
                                               "SSH 연결 재사용",
                                               "Повторное использование SSH",
                                               "Reutilizar conexiones SSH",
                                               "Reutilizando conexões SSH",
                                               "Switched to ",
                                               "已切换至",
                                               "已切換至",
                                               "Переключено на ",
                                               "Cambiado a ",
                                               "Trocado para "};

/// One that is still on its way is koko's too, wherever it is cut.
bool has_opening_start(std::string_view line) {
  const bool known = std::any_of(std::begin(kOpeningStarts), std::end(kOpeningStarts), [&](std::string_view start) {
    return line.starts_with(start) || start.starts_with(line);
  });
  // Korean begins with the account, as "root(root)@10.0.0.5에".
  return known || line.find(")@") != std::string_view::npos;
}

/// "…  12.3"
bool is_counter(std::string_view line) {
  line = base::trimmed(line);
  if (line.size() < 3 || !is_digit(line.back()) || line[line.size() - 2] != '.') return false;
  const auto whole = line.find_last_not_of("0123456789", line.size() - 3);
  if (!is_digit(line[line.size() - 3])) return false;
  // Two blanks stand in front of it; after minutes of counting the beginning of the line is no longer kept.
  return whole == std::string_view::npos || (whole > 0 && line[whole] == ' ' && line[whole - 1] == ' ');
}

/// "… (root@10.0.0.5) [… : 3]"
bool is_reuse_banner(std::string_view line) {
  line = base::trimmed(line, " \t.");
  if (!line.ends_with(']')) return false;
  line.remove_suffix(1);
  std::size_t digits = 0;
  for (; !line.empty() && is_digit(line.back()); ++digits) line.remove_suffix(1);
  const auto open = line.rfind('[');
  if (digits == 0 || open == std::string_view::npos || line.find(':', open) == std::string_view::npos) return false;
  const std::string_view account = base::trimmed(line.substr(0, open));
  return ends_with_any(account, {")", "）"}) && account.find('@') != std::string_view::npos;
}

bool is_error(std::string_view line) {
  return line.find(" error: ") != std::string_view::npos;
}

/// Words of the ssh program, where it carries the session.
bool is_from_ssh(std::string_view line) {
  return (line.starts_with("Connection to ") && ends_with_any(line, {" closed.", " closed by remote host."})) ||
         line.starts_with("Warning: Permanently added ");
}

bool is_login_failure(std::string_view words) {
  constexpr std::string_view kWords[] = {"Authentication failed",
                                         "认证失败",
                                         "認證失敗",
                                         "認証に失敗",
                                         "인증에 실패",
                                         "Ошибка аутентификации",
                                         "Autenticación fallida",
                                         "Falha na autenticação",
                                         "unable to authenticate",
                                         "failed login"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return words.find(word) != std::string_view::npos; });
}

std::string sentence(std::string_view line) {
  return base::one_line(base::trimmed(line, " \t\r\n."), kLongestSentence);
}

}  // namespace

ShownText shown_text(std::string_view bytes) {
  ShownText text;
  ShownLine line;
  while (!bytes.empty()) {
    const char byte = bytes.front();
    std::size_t used = 1;
    if (byte == '\x1b') {
      used = sequence_length(bytes);
      if (used == 0) break;
      const std::string_view sequence = bytes.substr(0, used);
      text.titled = text.titled || starts_with_any(sequence, {"\x1b]2;", "\x1b]0;"});
      // koko clears the screen before it counts on, after a question.
      if (sequence == "\x1b[2J") line.clear();
    } else if (byte == '\n') {
      text.lines.push_back(line.text());
      line.clear();
    } else if (byte == '\r') {
      line.return_to_start();
    } else if (byte == '\b') {
      line.back();
    } else if (static_cast<unsigned char>(byte) >= 0x20 && byte != '\x7f') {
      line.put(byte);
    }
    bytes.remove_prefix(used);
  }
  text.lines.push_back(line.text());
  return text;
}

bool is_koko_opening(std::string_view line) {
  line = base::trimmed(line);
  if (line.empty() || is_error(line) || ends_as_prompts_do(line)) return false;
  return is_counter(line) || is_reuse_banner(line) || has_opening_start(line);
}

void KokoWords::feed(std::string_view bytes) {
  tail_.append(bytes.substr(bytes.size() > kMostKept ? bytes.size() - kMostKept : 0));
  if (tail_.size() <= 2 * kMostKept) return;
  // Between two lines where that is possible: half a line reads like another one.
  const auto end = tail_.find('\n', tail_.size() - kMostKept);
  tail_.erase(0, end == std::string::npos ? tail_.size() - kMostKept : end + 1);
}

bool KokoWords::empty() const {
  const auto lines = shown_text(tail_).lines;
  return std::all_of(lines.begin(), lines.end(), [](const auto& line) { return base::trimmed(line).empty(); });
}

bool KokoWords::titled() const {
  return shown_text(tail_).titled;
}

bool KokoWords::asks() const {
  const std::string line = shown_text(tail_).lines.back();
  const std::string_view words = base::trimmed(line);
  return !is_koko_opening(words) && ends_with_any(words, {":", "：", "?", "？", ">", "]"});
}

bool KokoWords::opening() const {
  const auto lines = shown_text(tail_).lines;
  const auto last =
      std::find_if(lines.rbegin(), lines.rend(), [](const auto& line) { return !base::trimmed(line).empty(); });
  return last != lines.rend() && is_koko_opening(*last);
}

bool KokoWords::counting() const {
  return is_koko_opening(shown_text(tail_).lines.back());
}

bool KokoWords::host_spoke() const {
  const auto lines = shown_text(tail_).lines;
  return std::any_of(lines.begin(), lines.end(), [](const auto& line) {
    return !base::trimmed(line).empty() && !is_koko_opening(line) && !is_error(line) && !is_from_ssh(line);
  });
}

bool KokoWords::at_prompt() const {
  const std::string line = shown_text(tail_).lines.back();
  return ends_as_prompts_do(base::trimmed(line));
}

std::string KokoWords::last_words() const {
  const auto lines = shown_text(tail_).lines;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (!base::trimmed(*line).empty() && !is_koko_opening(*line) && !is_from_ssh(*line)) return sentence(*line);
  return {};
}

std::string KokoWords::parting_words() const {
  const auto red = tail_.rfind("\x1b[31m");
  if (red != std::string::npos) {
    const auto shown = shown_text(std::string_view(tail_).substr(red));
    // Nothing of the host comes behind it.
    const auto words = std::count_if(shown.lines.begin(), shown.lines.end(), [](const auto& line) {
      return !base::trimmed(line).empty() && !is_from_ssh(line);
    });
    if (words == 1) return sentence(shown.lines.front());
  }
  return last_words();
}

std::string explain_failed_opening(const std::string& words) {
  if (words.empty()) return "the bastion could not open the asset and did not say why; ask its administrator";
  const auto error = words.find(" error: ");
  if (error == std::string::npos) return "the bastion could not open the asset: " + words;
  const std::string why = words.substr(error + std::string_view(" error: ").size());
  if (is_login_failure(why))
    return "the bastion reached the host and could not log in: " + why +
           "; check the account's secret that the bastion keeps";
  return "the bastion could not reach the host: " + why;
}

}  // namespace transport::jumpserver
