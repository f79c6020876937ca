#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/input_file.h"
#include "transport/ssh/ssh_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  // These reach outside: a file of this machine, or a program.
  if (text.find("include") != std::string::npos || text.find("exec") != std::string::npos) return 0;
  const fuzz::InputFile file(data, size);
  transport::ConfigOptions options;
  options.config_file = file.path();
  options.home = "/home/ops";
  options.local_user = "ops";
  transport::resolve_chain({.host = "db1"}, options);
  return 0;
}
