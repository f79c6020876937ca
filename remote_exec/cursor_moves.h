#pragma once

#include <string_view>

#include "vt/token.h"

namespace remote_exec {

/// Whether a sequence moves the cursor to another row than the next. A remote that does so counts the rows of its own
/// screen, and those of the typed line, which the operator's screen does not show.
inline bool moves_up(const vt::Sequence& sequence) {
  const std::string_view raw = sequence.raw;
  if (sequence.kind == vt::Kind::escape) return raw == "\033M" || raw == "\0337" || raw == "\0338";
  const char final = sequence.final_byte();
  return sequence.kind == vt::Kind::csi && std::string_view("AFHfdLMSTsu").find(final) != std::string_view::npos;
}

}  // namespace remote_exec
