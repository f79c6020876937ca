// The two dialects of koko's terminal, encoded and decoded.
#include "tests/support/koko_wire.h"

#include <algorithm>

namespace test_server {
namespace {

constexpr const char* kId = "7c0e2a61-0000-4000-8000-000000000001";

/// The types of v5's envelopes.
enum EnvelopeType { typed = 1, shown = 2, wrapped = 3, create = 6, closing = 7 };

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::uint32_t read_big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

bool ends_inside_character(const std::string& bytes) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
    const auto c = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((c & 0xc0) == 0x80) continue;
    return (c >= 0xf0 && back < 4) || (c >= 0xe0 && c < 0xf0 && back < 3) || (c >= 0xc0 && c < 0xe0 && back < 2);
  }
  return false;
}

}  // namespace

KokoWire::KokoWire(const KokoOptions& options, std::shared_ptr<ServerSocket> socket, KokoNotes& notes, Events events)
    : version_(options.version),
      frame_(options.frame),
      empty_frames_(options.empty_frames),
      socket_(std::move(socket)),
      notes_(notes),
      events_(std::move(events)) {}

// ---- To the client

void KokoWire::message(const std::string& type, const std::string& data, const std::string& error) {
  last_written_ = Clock::now();
  const Json plain = {{"id", kId},       {"type", type},       {"data", data},      {"raw", nullptr},  {"err", error},
                      {"prompt", ""},    {"interrupt", false}, {"k8s_id", ""},      {"namespace", ""}, {"pod", ""},
                      {"container", ""}, {"cmd", ""},          {"current_path", ""}};
  if (version_ == KokoVersion::v4) return socket_->send_text(plain.dump());
  envelope(wrapped, Json{{"terminalId", terminal_}, {"command", type}, {"params", plain}, {"requestId", ""}}.dump());
}

void KokoWire::output(const std::string& bytes) {
  last_written_ = Clock::now();
  for (std::size_t at = 0; at < bytes.size(); at += frame_) {
    if (empty_frames_ && ++frames_ % 5 == 0) output_frame("");
    output_frame(bytes.substr(at, frame_));
  }
}

void KokoWire::close(const std::string& reason) {
  if (version_ == KokoVersion::v4) return message("CLOSE", "");
  envelope(closing, Json{{"terminalId", terminal_}, {"reason", reason}}.dump());
}

void KokoWire::output_frame(const std::string& bytes) {
  if (version_ == KokoVersion::v4) return socket_->send_binary(bytes);
  envelope(shown, big_endian(terminal_) + bytes);
}

void KokoWire::envelope(int type, const std::string& payload) {
  socket_->send_binary(std::string{'\x01', static_cast<char>(type)} +
                       big_endian(static_cast<std::uint32_t>(payload.size())) + payload);
}

// ---- From the client

void KokoWire::take_control(ServerSocket::Opcode opcode) {
  if (opcode != ServerSocket::Opcode::pong) return;
  violation("a PONG frame that nobody asked for");
  socket_->send_frame(ServerSocket::Opcode::ping, true, "");  // koko's trap: this never ends.
}

void KokoWire::take(bool text, const std::string& bytes) {
  if (version_ == KokoVersion::v5) return text ? violation("a text frame in v5") : take_envelope(bytes);
  text ? take_json(bytes) : take_input(bytes);
}

void KokoWire::take_json(const std::string& bytes) {
  const Json value = Json::parse(bytes, nullptr, false);
  if (!value.is_object() || !value.contains("type") || !value["type"].is_string())
    return violation("not a message: " + bytes.substr(0, 60));
  const std::string data = value.contains("data") && value["data"].is_string() ? value["data"].get<std::string>() : "";
  if (value.contains("data") && !value["data"].is_string()) violation("data is not a string");
  take_message(value["type"].get<std::string>(), value.value("id", ""), data);
}

void KokoWire::take_envelope(const std::string& bytes) {
  if (bytes.size() < 6 || bytes[0] != 1 || read_big_endian(bytes, 2) != bytes.size() - 6)
    return violation("a malformed envelope");
  const std::string payload = bytes.substr(6);
  if (bytes[1] == typed) return take_typed(payload);
  const Json value = Json::parse(payload, nullptr, false);
  if (!value.is_object()) return violation("an envelope without an object");
  if (bytes[1] == create) return take_create(value);
  if (bytes[1] == closing) return take_message("CLOSE", kId, "");
  if (bytes[1] != wrapped) return violation("an envelope of an unknown type");
  take_wrapped(value);
}

void KokoWire::take_typed(const std::string& payload) {
  if (payload.size() < 4 || terminal_ == 0 || read_big_endian(payload, 0) != terminal_)
    return violation("input for no terminal");
  take_input(payload.substr(4));
}

void KokoWire::take_create(const Json& value) {
  notes_.received.push_back("create");
  if (value.value("requestId", "").empty()) return violation("create without a requestId");
  if (terminal_ != 0) return violation("a second create");
  terminal_ = 1;
  const std::string done = Json{{"requestId", value["requestId"]}, {"success", true}}.dump();
  envelope(wrapped, Json{{"terminalId", 1},
                         {"command", "created"},
                         {"requestId", value["requestId"]},
                         {"params", {{"id", kId}, {"data", done}}}}
                        .dump());
  open(value.value("params", Json::object()));
}

void KokoWire::take_wrapped(const Json& value) {
  const auto params = value.value("params", Json::object());
  const std::string name = value.value("command", "");
  if (name != "PING") return take_message(name, kId, params.value("data", ""));
  notes_.received.push_back(name);
  envelope(wrapped,
           Json{{"terminalId", 0}, {"command", "PONG"}, {"params", {{"data", params.value("data", "")}}}}.dump());
}

void KokoWire::take_message(const std::string& type, const std::string& id, const std::string& data) {
  notes_.received.push_back(type);
  if (type == "PING" || type == "PONG") return;
  if (type == "CLOSE") return events_.on_close();
  const Json value = Json::parse(data, nullptr, false);
  if (type == "TERMINAL_INIT") return take_init(id, value);
  if (!opened_) return violation(type + " before the terminal");
  if (type == "TERMINAL_RESIZE" && value.is_object())
    return events_.on_resize({value.value("rows", 0), value.value("cols", 0)});
  if (type == "TERMINAL_DATA") return take_input(data);
  violation("a message of an unknown type: " + type);
}

void KokoWire::take_init(const std::string& id, const Json& value) {
  if (id != kId) return violation("TERMINAL_INIT with a wrong id");
  if (opened_) return violation("a second TERMINAL_INIT");
  if (!value.is_object() || !value.contains("code")) return violation("TERMINAL_INIT without its members");
  open(value);
}

void KokoWire::open(const Json& size) {
  const int rows = size.value("rows", 0), cols = size.value("cols", 0);
  if (rows < 1 || cols < 1) return violation("a terminal without a size");
  opened_ = true;
  events_.on_open({rows, cols});
}

void KokoWire::take_input(const std::string& bytes) {
  if (bytes.size() > 1024) violation("a message of more than 1024 bytes: koko would divide it");
  if (ends_inside_character(bytes)) violation("a message ends inside a character");
  events_.on_input(bytes);
}

}  // namespace test_server
