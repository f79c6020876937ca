#include "tests/support/websocket_server.h"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <utility>

#include "base/base64.h"

namespace test_server {
namespace {

std::string accept_key(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  unsigned char digest[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  return base::base64_encode({reinterpret_cast<const char*>(digest), sizeof digest});
}

std::string big_endian(std::uint64_t value, int bytes) {
  std::string result;
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) result += static_cast<char>(value >> shift);
  return result;
}

}  // namespace

ServerSocket::ServerSocket(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {
  stream_->on_bytes = [this](std::string_view bytes) { feed(bytes); };
  stream_->on_drained = [this] {
    if (const auto call = on_drained) call();
  };
  stream_->on_end = [this] {
    if (const auto call = on_end) call();
  };
}

ServerSocket::~ServerSocket() {
  stream_->on_bytes = {};
  stream_->on_drained = {};
  stream_->on_end = {};
  stream_->close(true);
}

void ServerSocket::send_frame(Opcode opcode, bool final, std::string_view payload) {
  std::string frame(1, static_cast<char>(static_cast<int>(opcode) | (final ? 0x80 : 0)));
  if (payload.size() < 126)
    frame += static_cast<char>(payload.size());
  else if (payload.size() < 65536)
    frame += static_cast<char>(126) + big_endian(payload.size(), 2);
  else
    frame += static_cast<char>(127) + big_endian(payload.size(), 8);
  frame += payload;
  stream_->send(frame);
}

void ServerSocket::close(int code, std::string_view reason) {
  if (std::exchange(close_sent_, true)) return;
  send_frame(Opcode::close, true, big_endian(static_cast<std::uint64_t>(code), 2) + std::string(reason));
}

void ServerSocket::feed(std::string_view bytes) {
  inbox_ += bytes;
  const std::weak_ptr<bool> alive = alive_;
  while (!alive.expired() && take_frame()) {
  }
}

bool ServerSocket::take_frame() {
  if (inbox_.size() < 2) return false;
  const auto at = [this](std::size_t i) { return static_cast<unsigned char>(inbox_[i]); };
  std::size_t head = 2;
  std::uint64_t size = at(1) & 0x7f;
  const int extra = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (inbox_.size() < head + static_cast<std::size_t>(extra)) return false;
  if (extra) {
    size = 0;
    for (int i = 0; i < extra; ++i) size = size << 8 | at(head++);
  }
  const bool masked = at(1) & 0x80;
  if (!masked) violations_.push_back("a frame is not masked");
  if (at(0) & 0x70) violations_.push_back("a reserved bit is set");
  const std::size_t mask = head;
  if (masked) head += 4;
  if (inbox_.size() < head + size) return false;
  std::string payload = inbox_.substr(head, size);
  if (masked)
    for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<char>(payload[i] ^ inbox_[mask + i % 4]);
  const auto opcode = static_cast<Opcode>(at(0) & 0x0f);
  const bool final = at(0) & 0x80;
  inbox_.erase(0, head + size);
  handle(opcode, final, std::move(payload));
  return true;
}

void ServerSocket::handle(Opcode opcode, bool final, std::string payload) {
  if (close_code_ != 0) {
    violations_.push_back("a frame after the close frame");
    return;
  }
  switch (opcode) {
    case Opcode::close:
      return handle_close(payload);
    case Opcode::ping:
      send_frame(Opcode::pong, true, payload);
      [[fallthrough]];
    case Opcode::pong:
      if (payload.size() > 125 || !final) violations_.push_back("a control frame is too long or in pieces");
      if (const auto call = on_control) call(opcode, payload);
      return;
    case Opcode::continuation:
      if (!in_message_) violations_.push_back("a continuation of nothing");
      break;
    default:
      if (in_message_) violations_.push_back("a new message inside another");
      message_.clear();
      message_is_text_ = opcode == Opcode::text;
  }
  message_ += payload;
  in_message_ = !final;
  if (!final) return;
  const std::string message = std::exchange(message_, {});
  if (const auto call = on_message) call(message_is_text_, message);
}

void ServerSocket::handle_close(const std::string& payload) {
  close_code_ = payload.size() >= 2
                    ? static_cast<unsigned char>(payload[0]) * 256 + static_cast<unsigned char>(payload[1])
                    : 1005;
  const std::weak_ptr<bool> alive = alive_;
  if (const auto call = on_control) call(Opcode::close, payload);
  if (alive.expired() || !answers_close) return;
  if (!std::exchange(close_sent_, true)) send_frame(Opcode::close, true, payload);
  if (hangs_up) stream_->close();
}

Reply upgrade(const HttpRequest& request, const std::string& subprotocol,
              std::function<void(std::shared_ptr<ServerSocket>)> opened) {
  const auto header = [&](const char* name) {
    const auto found = request.headers.find(name);
    return found == request.headers.end() ? std::string() : found->second;
  };
  if (request.method != "GET" || header("sec-websocket-version") != "13" || header("sec-websocket-key").empty() ||
      header("upgrade") != "websocket")
    return reply(400, "not a WebSocket request");
  std::string head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      accept_key(header("sec-websocket-key")) + "\r\n";
  if (!subprotocol.empty()) head += "Sec-WebSocket-Protocol: " + subprotocol + "\r\n";
  Reply answer{{{head + "\r\n"}}};
  answer.take_over = [opened = std::move(opened)](std::shared_ptr<Stream> stream) {
    opened(std::make_shared<ServerSocket>(std::move(stream)));
  };
  return answer;
}

}  // namespace test_server
