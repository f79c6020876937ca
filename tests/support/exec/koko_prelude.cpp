#include "tests/support/exec/koko_prelude.h"

#include <algorithm>

namespace support {
namespace {

using std::chrono::milliseconds;

// As koko 4.10's catalogues have them.
const std::vector<std::string> kConnecting = {"Connecting to root(root)@10.0.0.5",
                                              "Connecting to root(root)@2001:db8::5",
                                              "Connecting to Database db: primary(10.0.0.9)",
                                              "开始连接到 root(root)@10.0.0.5",
                                              "開始連接到 root(root)@10.0.0.5",
                                              "接続開始 root(root)@10.0.0.5",
                                              "Подключение к root(root)@10.0.0.5",
                                              "Conectando a root(root)@10.0.0.5",
                                              "Conectando a root(root)@10.0.0.5."};
const std::vector<std::string> kReuse = {
    "Reuse SSH connections (root@10.0.0.5) [Number of connections: 3]",
    "复用SSH连接（root@10.0.0.5）[连接数量: 3]",
    "復用SSH連接（root@10.0.0.5）[連接數量: 3]",
    "SSH接続の再利用 (root@10.0.0.5) [接続数: 3]",
    "SSH 연결 재사용(root@10.0.0.5) [연결 수: 3]",
    "Повторное использование SSH соединения (root@10.0.0.5) [Количество соединений: 3]",
    "Reutilizar conexiones SSH (root@10.0.0.5) [Número de conexiones: 3]",
    "Reutilizando conexões SSH (root@10.0.0.5) [Número de conexões: 3]."};
const std::vector<std::string> kTitles = {"\033]2;ssh://root@10.0.0.5\a", "\033]2;what: now?\033\\", "\033]2;$ \a"};

std::string one_of(const std::vector<std::string>& words, std::mt19937& random) {
  return words[random() % words.size()];
}

std::string counter(std::mt19937& random) {
  std::string text = one_of(kConnecting, random) + "  0.0";
  const int ticks = static_cast<int>(random() % 130);
  std::string shown = "0.0";
  for (int tick = 0; tick <= ticks; ++tick) {
    text += std::string(shown.size(), '\b');
    shown = std::to_string(tick / 10) + "." + std::to_string(tick % 10);
    text += shown;
  }
  return text + "\r\n";
}

}  // namespace

std::string random_koko_opening(std::mt19937& random) {
  std::vector<std::string> parts;
  if (random() % 3 != 0) parts.push_back(counter(random));
  if (random() % 3 == 0 || parts.empty()) parts.push_back(one_of(kReuse, random) + "\r\n");
  std::shuffle(parts.begin(), parts.end(), random);
  std::string all;
  for (const auto& part : parts) all += part;
  return all;
}

std::string random_title(std::mt19937& random) {
  return one_of(kTitles, random);
}

std::vector<KokoPrelude::Piece> random_pieces(std::mt19937& random, const std::string& bytes, int stalls,
                                              milliseconds stall) {
  std::vector<KokoPrelude::Piece> pieces;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = 1 + random() % (random() % 4 == 0 ? 3 : 40);
    pieces.push_back({bytes.substr(at, size), milliseconds(random() % 5 == 0 ? random() % 20 : 0)});
    at += size;
  }
  for (; stalls > 0 && pieces.size() > 1; --stalls) pieces[1 + random() % (pieces.size() - 1)].after = stall;
  return pieces;
}

}  // namespace support
