// What is replayed to the operator's terminal draws the same as what arrived, and nothing in it makes a terminal
// answer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/utf8_clean.h"
#include "terminal/query_filter.h"
#include "terminal/screen.h"
#include "tests/fuzz/known_good.h"

namespace {

/// A screen that counts what it was made to answer.
struct Answering {
  Answering() : screen({.size = {.rows = 6, .cols = 30}, .scrollback_lines = 20, .scrollback_bytes = 1 << 16}) {
    screen.on_reply([this](std::string_view bytes) { answers += bytes; });
  }
  terminal::Screen screen;
  std::string answers;
};

}  // namespace

bool fuzz::takes_known_good() {
  Answering asked;
  asked.screen.write("a\033[6nb");
  return !asked.answers.empty() && terminal::without_queries("a\033[6n\033[31mb") == "a\033[31mb";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string kept = terminal::without_queries(bytes);
  Answering original, replayed;
  original.screen.write(bytes);
  replayed.screen.write(kept);
  if (!replayed.answers.empty()) std::abort();
  // REP (CSI b) repeats what stands right before it: after a query nothing, without the query something. And the halves
  // of a character that a query stood between become one.
  if (bytes.find('b') != std::string_view::npos || !model::is_utf8(bytes)) return 0;
  for (int row = 0; row < original.screen.size().rows; ++row)
    if (terminal::row_text(original.screen.row(row)) != terminal::row_text(replayed.screen.row(row))) std::abort();
  if (!(original.screen.cursor() == replayed.screen.cursor())) std::abort();
  return 0;
}
