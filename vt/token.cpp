#include "vt/token.h"

#include <algorithm>
#include <iterator>

#include "vt/control_bytes.h"

namespace vt {
namespace {

/// The lines of a string that was none. No sequence can be in there.
void give_back_lines(std::string_view body, Sink& sink) {
  body.remove_prefix(std::min(body.find_first_of("\r\n"), body.size()));
  while (!body.empty()) {
    const auto end = static_cast<std::size_t>(std::find_if(body.begin(), body.end(), is_control) - body.begin());
    if (end > 0) sink.text(body.substr(0, end));
    if (end < body.size()) sink.control(body[end]);
    body.remove_prefix(std::min(end + 1, body.size()));
  }
}

}  // namespace

std::string without_controls(std::string_view text) {
  std::string kept;
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept), [](char byte) { return !is_control(byte); });
  return kept;
}

void LineSink::discarded(const Sequence& sequence) {
  if (sequence.is_string()) give_back_lines(sequence.body(), *this);
}

bool LineSink::string_goes_on(std::string_view body) {
  if (body.find('\n') == std::string_view::npos) return true;
  give_back_lines(body, *this);
  return false;
}

}  // namespace vt
