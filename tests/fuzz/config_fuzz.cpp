// The operator's config and the rules kept for them: any bytes are read or refused, and what was read is a config.
#include <cstddef>
#include <cstdint>

#include "app/assistant/rules_file.h"
#include "app/config/config.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  const InputFile file("hint = false\n[model]\nname = \"m\"\n");
  const auto config = app::load_config(file.path());
  const InputFile rule("[[rules]]\naction = \"allow\"\ncommand = \"df\"\n");
  const auto rules = app::load_rules(rule.path());
  return config && !config->hint && config->model_name == "m" && rules && rules->size() == 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file({reinterpret_cast<const char*>(data), size});
  app::load_config(file.path());
  app::load_rules(file.path());
  return 0;
}
