#include <cstddef>
#include <cstdint>
#include <string_view>

#include "skills/front_matter.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  const auto skill = skills::parse_skill("---\nname: disk\ndescription: Full disks.\n---\nLook at df.\n");
  return skill && skill->front.name == "disk" && skill->front.description == "Full disks.";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto skill = skills::parse_skill({reinterpret_cast<const char*>(data), size});
  if (skill) skills::name_problem(skill->front.name);
  return 0;
}
