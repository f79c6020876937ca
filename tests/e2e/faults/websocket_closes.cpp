#include "tests/e2e/faults/websocket_closes.h"

namespace faults {
namespace {

Close with_code(int code, const std::string& told, const std::string& reason = {}) {
  return {"Code" + std::to_string(code) + (reason.empty() ? "" : "WithAReason"),
          [=](ServerSocket& socket) { socket.close(code, reason); }, told};
}

Close with_payload(const char* name, const std::string& payload) {
  return {name, [=](ServerSocket& socket) { socket.send_frame(ServerSocket::Opcode::close, true, payload); }, ""};
}

}  // namespace

std::vector<Close> all_closes() {
  Close normal = with_code(1000, "");
  normal.in_order = true;
  return {normal,
          with_code(1001, "shutting down or restarting"),
          with_code(1002, "restarts or is overloaded"),
          with_code(1003, "could not read"),
          {"Code1006IsATornConnection", [](ServerSocket& socket) { socket.drop(); }, "broke"},
          with_code(1007, "could not read"),
          with_code(1008, "policy"),
          with_code(1009, "too long"),
          with_code(1010, "(1010)"),
          with_code(1011, "failed inside"),
          with_code(1012, "restarts or is overloaded"),
          with_code(1013, "restarts or is overloaded"),
          with_code(1014, "restarts or is overloaded"),
          with_code(3000, "(3000)"),
          with_code(4000, "write_timeout", "koko:write_timeout"),
          with_code(4999, "(4999)"),
          with_code(1011, "out of memory", "out of memory\x1b[2J"),
          // What RFC 6455 forbids.
          with_code(999, ""),
          with_code(1005, ""),
          with_code(1006, ""),
          with_code(1015, ""),
          with_code(65535, ""),
          with_payload("NoCodeAtAll", ""),
          with_payload("HalfACode", "\x03"),
          with_payload("AReasonThatIsNotUtf8", std::string("\x03\xf3\xff\xfe", 4)),
          {"AFrameThatIsCutInTheMiddle",
           [](ServerSocket& socket) {
             socket.send_raw("\x82\x7e\x10");
             socket.drop();
           },
           ""}};
}

}  // namespace faults
