#include "transport/jumpserver/koko_frames.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "transport/jumpserver/json.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kPiece = 1024;                     // koko divides longer input itself, without looking where.
constexpr std::size_t kMostMessage = 1024 * 1024;        // Of a control message.
constexpr std::size_t kMostEnvelope = 10 * 1024 * 1024;  // The server's own limit.
constexpr int kDeepest = 32;
constexpr std::size_t kHead = 6;
constexpr const char* kRequest = "jms-1";

enum Type : unsigned char {
  input_type = 1,
  output_type = 2,
  command_type = 3,
  error_type = 4,
  create_type = 6,
  close_type = 7
};

/// Null for anything that is no object, or too big or too deep to be one of koko's.
Json parse(std::string_view text) {
  if (text.size() > kMostMessage) return nullptr;
  const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth < kDeepest; };
  Json value = Json::parse(text.begin(), text.end(), shallow, false);
  return value.is_object() ? value : Json(nullptr);
}

/// Strings only: koko itself writes no number where a text belongs.
std::string string_at(const Json& object, const char* key) {
  const Json& found = at(object, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::uint32_t number_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned()) return 0;
  const auto value = found->get<std::uint64_t>();
  return value <= UINT32_MAX ? static_cast<std::uint32_t>(value) : 0;
}

KokoFrame message_frame(KokoMessage message) {
  KokoFrame frame;
  frame.kind = KokoFrame::Kind::message;
  frame.message = std::move(message);
  return frame;
}

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::uint32_t read_big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

std::string envelope(Type type, std::string_view payload) {
  std::string bytes{'\x01', static_cast<char>(type)};
  bytes += big_endian(static_cast<std::uint32_t>(payload.size()));
  bytes += payload;
  return bytes;
}

std::string size_json(base::Size size) {
  return R"({"cols":)" + std::to_string(size.cols) + R"(,"rows":)" + std::to_string(size.rows) + "}";
}

KokoOutgoing json_message(const std::string& id, const char* type, const std::string& data) {
  const nlohmann::ordered_json message = {{"id", id}, {"type", type}, {"data", data}};
  return {MessageKind::text, message.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

}  // namespace

std::vector<std::string_view> whole_character_pieces(std::string_view bytes, std::size_t most) {
  std::vector<std::string_view> pieces;
  while (bytes.size() > most) {
    std::size_t cut = most;
    // A character has at most three bytes after its first; more of them are no UTF-8 and may be cut anywhere.
    for (int back = 0; back < 3 && (static_cast<unsigned char>(bytes[cut]) & 0xc0) == 0x80; ++back) --cut;
    if ((static_cast<unsigned char>(bytes[cut]) & 0xc0) == 0x80) cut = most;
    pieces.push_back(bytes.substr(0, cut));
    bytes.remove_prefix(cut);
  }
  if (!bytes.empty()) pieces.push_back(bytes);
  return pieces;
}

KokoFrame KokoCodec::read(MessageKind kind, std::string_view bytes) {
  if (dialect_ == KokoDialect::unknown) {
    if (kind == MessageKind::text && bytes.starts_with('{'))
      dialect_ = KokoDialect::json;
    else if (kind == MessageKind::binary && bytes.size() >= kHead && bytes[0] == '\x01' &&
             (bytes[1] == command_type || bytes[1] == error_type || bytes[1] == close_type))
      dialect_ = KokoDialect::envelope;
    else
      return {};
  }
  if (dialect_ == KokoDialect::envelope) return kind == MessageKind::binary ? read_envelope(bytes) : KokoFrame{};
  if (kind == MessageKind::text) return read_json(bytes);
  KokoFrame frame;
  frame.output = bytes;
  if (!bytes.empty()) frame.kind = KokoFrame::Kind::output;
  return frame;
}

KokoFrame KokoCodec::read_json(std::string_view text) {
  const Json value = parse(text);
  KokoMessage message{string_at(value, "type"), string_at(value, "id"), string_at(value, "data"),
                      string_at(value, "err")};
  if (message.type.empty()) return {};
  if (message.type == "CONNECT") id_ = message.id;
  return message_frame(std::move(message));
}

KokoFrame KokoCodec::read_envelope(std::string_view bytes) {
  if (bytes.size() < kHead || bytes[0] != '\x01') return {};
  const std::string_view payload = bytes.substr(kHead);
  if (payload.size() > kMostEnvelope || read_big_endian(bytes.substr(2)) != payload.size()) return {};
  const auto type = static_cast<unsigned char>(bytes[1]);
  if (type == output_type) {
    if (payload.size() <= 4 || terminal_ == 0 || read_big_endian(payload) != terminal_) return {};
    KokoFrame frame;
    frame.kind = KokoFrame::Kind::output;
    frame.output = payload.substr(4);
    return frame;
  }
  if (type != command_type && type != error_type && type != close_type) return {};
  const Json value = parse(payload);
  if (!value.is_object()) return {};
  const std::uint32_t terminal = number_at(value, "terminalId");
  if (terminal != 0 && terminal_ != 0 && terminal != terminal_) return {};
  if (type == close_type) return message_frame({"CLOSE", id_, string_at(value, "reason"), {}});
  if (type == error_type) return message_frame({"ERROR", id_, {}, string_at(value, "message")});

  const auto params = value.find("params");
  const Json inner = params != value.end() ? *params : Json(nullptr);
  KokoMessage message{string_at(value, "command"), string_at(inner, "id"), string_at(inner, "data"),
                      string_at(inner, "err")};
  if (message.type == "created" && string_at(value, "requestId") == kRequest) terminal_ = terminal;
  if (message.type.empty()) return {};
  return message_frame(std::move(message));
}

KokoOutgoing KokoCodec::command(const char* name, const std::string& data) const {
  const nlohmann::ordered_json value = {{"terminalId", terminal_}, {"command", name}, {"params", {{"data", data}}}};
  return {MessageKind::binary, envelope(command_type, value.dump())};
}

KokoOutgoing KokoCodec::open_terminal(base::Size size) {
  if (dialect_ == KokoDialect::envelope) {
    const nlohmann::ordered_json value = {{"requestId", kRequest},
                                          {"params", {{"rows", size.rows}, {"cols", size.cols}, {"type", "primary"}}}};
    return {MessageKind::binary, envelope(create_type, value.dump())};
  }
  std::string data = size_json(size);
  data.insert(data.size() - 1, R"(,"code":"")");
  return json_message(id_, "TERMINAL_INIT", data);
}

std::vector<KokoOutgoing> KokoCodec::input(std::string_view bytes) const {
  std::vector<KokoOutgoing> messages;
  // Bytes in both dialects: as JSON text, what is not UTF-8 would be lost.
  for (const std::string_view piece : whole_character_pieces(bytes, kPiece)) {
    if (dialect_ == KokoDialect::envelope)
      messages.push_back({MessageKind::binary, envelope(input_type, big_endian(terminal_) + std::string(piece))});
    else
      messages.push_back({MessageKind::binary, std::string(piece)});
  }
  return messages;
}

KokoOutgoing KokoCodec::resize(base::Size size) const {
  if (dialect_ == KokoDialect::envelope) return command("TERMINAL_RESIZE", size_json(size));
  return json_message(id_, "TERMINAL_RESIZE", size_json(size));
}

KokoOutgoing KokoCodec::ping() const {
  if (dialect_ != KokoDialect::envelope) return json_message("", "PING", "");
  const nlohmann::ordered_json value = {{"terminalId", 0}, {"command", "PING"}, {"params", {{"data", "jms"}}}};
  return {MessageKind::binary, envelope(command_type, value.dump())};
}

KokoOutgoing KokoCodec::close_terminal() const {
  if (dialect_ != KokoDialect::envelope) return json_message(id_, "CLOSE", "");
  const nlohmann::ordered_json value = {{"terminalId", terminal_}, {"reason", "user_close"}};
  return {MessageKind::binary, envelope(close_type, value.dump())};
}

}  // namespace transport::jumpserver
