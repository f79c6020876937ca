// What a JumpServer, or whatever answers in its place, sends: header lines, an empty line, a body. Nothing throws, what
// is told to the operator is one printable line, and an asset survives being kept.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/one_line.h"
#include "base/words.h"
#include "tests/fuzz/known_good.h"
#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/cookie_jar.h"
#include "transport/jumpserver/core_error.h"
#include "transport/jumpserver/credentials.h"

namespace {

namespace core = transport::jumpserver;

void check_line(const std::string& text) {
  if (base::one_line(text, text.size() + 1) != text) std::abort();
}

void check_asset(const core::Json& json) {
  const core::Json kept = core::to_json(core::asset_from(json));
  if (core::to_json(core::asset_from(kept)) != kept) std::abort();
  const auto detail = core::detail_from(json);
  detail.asset.kind();
  for (const auto& account : detail.accounts) account.label();
}

void check_times(const core::Json& json) {
  for (const char* key : {"date_expired", "id", "name"}) core::parse_time(core::text_at(json, key));
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto json = core::parse_json(
      R"({"id":"a1","name":"db1","platform":{"name":"Linux"},"category":{"value":"host"},"labels":["env:prod"],)"
      R"("permed_protocols":[{"name":"ssh"}],"permed_accounts":[{"alias":"root","name":"root"}]})");
  const auto detail = core::detail_from(json);
  core::CookieJar jar;
  jar.take({200, {{"set-cookie", "jms_sessionid=s1; Path=/"}}});
  return detail.asset.labels == std::vector<std::string>{"env=prod"} && detail.accounts.size() == 1 &&
         jar.session() == "s1" && core::parse_time("2026/01/06 08:30:00 +0000") == 1767688200 &&
         core::words_of(core::parse_json(R"({"detail":"no"})")) == "no";
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
  core::CookieJar jar;
  jar.take(head);
  jar.header();
  jar.session();
  const core::Json json = core::parse_json(rest);
  for (const int status : {302, 400, 401, 403, 404, 412, 429, 500, 503}) {
    head.status = status;
    check_line(core::error_of(head, json, rest, "jump.example.com").message);
  }
  check_line(core::words_of(json));
  if (json.is_array())
    for (const auto& entry : json) check_asset(entry);
  check_asset(json);
  check_times(json);
  core::parse_time(std::string(rest));
  return 0;
}
