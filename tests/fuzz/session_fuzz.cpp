// A kept conversation, damaged or made up: it is read as far as it goes, shown and handed on without harm.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "agent/session_store.h"
#include "model/json.h"
#include "tests/fuzz/input_dir.h"
#include "tests/fuzz/known_good.h"

namespace {

base::Result<agent::StoredSession> loaded(std::string_view bytes) {
  static const fuzz::InputDir dir;
  dir.write("2026-01-06-ab.jsonl", bytes);
  const auto listed = agent::list_sessions(dir.path());
  if (!listed || listed->size() > 1) std::abort();
  return agent::load_session(dir.path(), "2026");
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto session = loaded(R"({"type":"session","created":"now","target":"db1"})"
                              "\n"
                              R"({"type":"message","message":{"role":"user","content":"why?"}})"
                              "\n");
  return session && session->info.target == "db1" && session->messages.size() == 1 && session->damaged_lines == 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto session = loaded({reinterpret_cast<const char*>(data), size});
  if (!session) return 0;  // Nothing in it that anybody asked.
  agent::describe_session(*session);
  agent::export_markdown(*session);
  if (!model::Json::accept(agent::export_json(*session))) std::abort();
  return 0;
}
