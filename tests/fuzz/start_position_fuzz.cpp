// The operator's terminal answers, or the operator types: whatever the pieces, the same is taken for the answer and the
// rest is passed on, none of it lost or turned around.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "app/session/start_position.h"
#include "tests/fuzz/known_good.h"

namespace {

struct Outcome {
  explicit Outcome(std::string_view bytes, std::size_t piece) {
    for (std::size_t at = 0; at < bytes.size(); at += piece) passed += start.filter(bytes.substr(at, piece));
    passed += start.flush();
  }
  app::StartPosition start;
  std::string passed;
};

}  // namespace

bool fuzz::takes_known_good() {
  const Outcome outcome("a\033]11;rgb:ffff/ffff/ffff\033\\b\033[12;40Rc", 3);
  return outcome.passed == "abc" && outcome.start.position() && outcome.start.position()->row == 11 &&
         outcome.start.light_background() == true;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Outcome whole(bytes, bytes.size() + 1), pieces(bytes, data[0] % 7 + 1);
  if (whole.passed != pieces.passed || whole.start.light_background() != pieces.start.light_background()) std::abort();
  const auto &one = whole.start.position(), &other = pieces.start.position();
  if (one.has_value() != other.has_value()) std::abort();
  if (one && (one->row != other->row || one->col != other->col || one->row < 0 || one->col < 0)) std::abort();
  // What is left over is what came, without the stretches that were taken out.
  std::size_t at = 0;
  for (const char c : whole.passed) {
    at = bytes.find(c, at);
    if (at++ == std::string_view::npos) std::abort();
  }
  app::reads_as_light(bytes);
  return 0;
}
