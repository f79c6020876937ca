#include "app/session/question_line.h"

#include <utility>

#include "base/utf8.h"

namespace app {
namespace {

constexpr char kCtrlC = '\x03';
constexpr char kCtrlD = '\x04';
constexpr char kCtrlU = '\x15';

/// Words of a server, made harmless for the screen: printable characters, line ends as the terminal wants them.
std::string shown(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = base::decode_utf8(text);
    text.remove_prefix(bytes);
    if (code == U'\n')
      out += "\r\n";
    else if (code == U'\t')
      out += "  ";
    else if (code >= 0x20 && code != 0x7F && (code < 0x80 || base::char_width(code) > 0))
      base::append_utf8(out, code);
  }
  return out;
}

}  // namespace

void QuestionLine::ask(const transport::SshQuestion& question, Reply reply) {
  reply_ = std::move(reply);
  typed_.clear();
  echo_ = question.echo;
  std::string text = "\r\x1b[K";
  if (!question.note.empty()) text += "jms: " + shown(question.note) + "\r\n";
  if (!question.instruction.empty()) text += shown(question.instruction) + "\r\n";
  show_(text + shown(question.text));
}

void QuestionLine::withdraw() {
  reply_ = nullptr;
  typed_.clear();
}

std::string_view QuestionLine::type(std::string_view bytes) {
  while (!bytes.empty() && open()) {
    const char key = bytes.front();
    bytes.remove_prefix(1);
    if (key == '\r' || key == '\n') {
      answer(std::exchange(typed_, transport::Secret()));
    } else if (key == kCtrlC || (key == kCtrlD && typed_.empty())) {
      answer(std::nullopt);
    } else if (key == kCtrlU) {
      while (!typed_.empty()) erase_last_character();
    } else if (key == '\x7f' || key == '\b') {
      erase_last_character();
    } else if (static_cast<unsigned char>(key) >= 0x20) {
      typed_.append({&key, 1});
      if (echo_) show_({&key, 1});
    }
  }
  return bytes;
}

void QuestionLine::erase_last_character() {
  if (typed_.empty()) return;
  while (!typed_.empty()) {
    const bool rest_of_character = (static_cast<unsigned char>(typed_.view().back()) & 0xC0) == 0x80;
    typed_.remove_last();
    if (!rest_of_character) break;
  }
  if (echo_) show_("\b \b");
}

void QuestionLine::answer(std::optional<transport::Secret> text) {
  show_("\r\n");
  const Reply reply = std::exchange(reply_, nullptr);
  typed_.clear();
  reply(std::move(text));
}

}  // namespace app
