#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/known_good.h"
#include "transport/ssh/known_hosts.h"

namespace {

constexpr std::string_view kKey("\0\0\0\x0bssh-ed25519\0\0\0\x01x", 20);

}  // namespace

bool fuzz::takes_known_good() {
  transport::KnownHosts known;
  known.add_text("known_hosts", "db1.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAAXg= comment\n");
  return known.check("db1.example", "", kKey).kind == transport::HostKeyVerdict::Kind::match;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  transport::KnownHosts known;
  known.add_text("known_hosts", {reinterpret_cast<const char*>(data), size});
  known.lines_for("db1.example");
  known.key_types("[10.0.0.5]:2222");
  known.check("[db1.example]:2222", "db1.example", kKey);
  return 0;
}
