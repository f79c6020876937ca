#include <cstddef>
#include <cstdint>
#include <string_view>

#include "shell/inspect.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  return shell::inspect("for i in a b; do echo \"$i\"; done").state == shell::Completeness::Complete &&
         shell::inspect("echo \"").state == shell::Completeness::Incomplete;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  shell::inspect(text);
  shell::parse(text, shell::Comments::Ordinary);
  return 0;
}
