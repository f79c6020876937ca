#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/input_file.h"
#include "tests/fuzz/known_good.h"
#include "transport/ssh/ssh_config.h"

namespace {

auto resolved(std::string_view bytes) {
  const fuzz::InputFile file(bytes);
  transport::ConfigOptions options;
  options.config_file = file.path();
  options.home = "/home/ops";
  options.local_user = "ops";
  return transport::resolve_chain({.host = "db1"}, options);
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto chain = resolved("Host db*\n  HostName 10.0.0.5\n  ProxyJump gate\n");
  return chain && chain->size() == 2 && chain->back().host_name == "10.0.0.5";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  // These reach outside: a file of this machine, or a program.
  if (text.find("include") != std::string::npos || text.find("exec") != std::string::npos) return 0;
  resolved({reinterpret_cast<const char*>(data), size});
  return 0;
}
