// A failing answer from whatever stands at a model's address: header lines, an empty line, a body. What the operator is
// told of it is one printable line of a bounded length.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/one_line.h"
#include "base/words.h"
#include "http/failure.h"
#include "model/http_error.h"
#include "tests/fuzz/known_good.h"

namespace {

void check_line(const std::string& text) {
  if (text.size() > 2000 || base::one_line(text, text.size() + 1) != text) std::abort();
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto error =
      model::error_of_response({429, {{"request-id", "req_1"}}},
                               R"({"type":"error","error":{"type":"rate_limit_error","message":"slow"}})", "api");
  return error.kind == model::ErrorKind::rate_limited && error.message == "api answered 429 rate_limit_error: slow" &&
         error.request_id == "req_1" && http::plain_words("<html><title>502 Bad Gateway</title>") == "502 Bad Gateway";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  http::Head head;
  while (!rest.empty()) {
    const std::string_view line = base::take_line(rest);
    if (line.empty()) break;
    const auto colon = std::min(line.find(':'), line.size());
    head.headers.emplace_back(line.substr(0, colon), line.substr(std::min(colon + 1, line.size())));
  }
  for (const int status : {301, 400, 401, 402, 404, 413, 429, 500, 529}) {
    head.status = status;
    const auto error = model::error_of_response(head, rest, "api.example.com");
    for (const auto* text : {&error.message, &error.type, &error.param, &error.request_id}) check_line(*text);
  }
  check_line(http::plain_words(rest));
  check_line(http::shown_host(rest));
  return 0;
}
