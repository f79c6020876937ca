#include <cstddef>
#include <cstdint>
#include <string_view>

#include "transport/ssh/known_hosts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  transport::KnownHosts known;
  known.add_text("known_hosts", {reinterpret_cast<const char*>(data), size});
  known.lines_for("db1.example");
  known.key_types("[10.0.0.5]:2222");
  known.check("[db1.example]:2222", "db1.example", std::string_view("\0\0\0\x0bssh-ed25519\0\0\0\x01x", 20));
  return 0;
}
