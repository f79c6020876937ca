#include "transport/jumpserver/core_client.h"

#include <cctype>
#include <charconv>
#include <ctime>

#include "event/deadline.h"
#include "http/failure.h"
#include "transport/jumpserver/last_word.h"
#include "transport/jumpserver/sign_in.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostBody = 32u << 20;
constexpr std::chrono::seconds kLongestTurn{10};
constexpr int kMostTurns = 3;
constexpr const char* kJson = "application/json";

CoreError cancelled() {
  return {CoreError::Kind::cancelled, 0, "", "interrupted"};
}

/// A signature holds our time: where that is far from the server's, it is worth a word.
std::string clock_remark(const http::Head& head) {
  std::tm parts{};
  const std::string date(head.header("date"));
  if (strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts) == nullptr) return {};
  const auto minutes = (std::time(nullptr) - timegm(&parts)) / 60;
  if (minutes > -5 && minutes < 5) return {};
  return "; or this machine's clock is to blame, which is " + std::to_string(minutes < 0 ? -minutes : minutes) +
         " minutes " + (minutes < 0 ? "behind" : "ahead of") + " the server's";
}

bool changes_something(const std::string& method) {
  return method != "GET" && method != "HEAD";
}

}  // namespace

std::string url_encoded(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '~')
      out += c;
    else
      (out += '%', out += kHex[byte >> 4], out += kHex[byte & 15]);
  }
  return out;
}

std::string form_text(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text;
  for (const auto& [name, value] : fields) text += (text.empty() ? "" : "&") + name + "=" + url_encoded(value);
  return text;
}

CoreClient::CoreClient(event::EventLoop& loop, Settings settings)
    : loop_(loop), settings_(std::move(settings)), host_(http::shown_host(settings_.credentials.server)), http_(loop) {
  plan_ways();
}

void CoreClient::plan_ways() {
  ways_.clear();
  const Credentials& have = settings_.credentials;
  const bool token_over = have.token_expires != 0 && have.token_expires <= std::time(nullptr);
  if (!have.key.empty()) ways_.push_back(Way::access_key);
  if (!have.token.value.empty() && (!token_over || have.web.id.empty())) ways_.push_back(Way::token);
  if (!have.web.id.empty()) ways_.push_back(Way::session);
}

std::string CoreClient::without_secrets(std::string text) const {
  const Credentials& have = settings_.credentials;
  for (const auto& secret : {have.key.secret, have.token.value, have.web.id, have.web.csrf}) http::mask(text, secret);
  return text;
}

void CoreClient::send_last(ConnectionSetup& setup, const Call& call) {
  if (auto request = request_for(setup, call)) send_last_word(loop_, std::move(*request));
}

http::Headers CoreClient::authorization(const std::string& method, const std::string& target, bool sign_accept) const {
  const Credentials& have = settings_.credentials;
  http::Headers headers;
  for (const Way way : ways_) {
    if (way == Way::session) continue;
    if (way == Way::token) {
      headers.emplace_back("Authorization", have.token.keyword + " " + have.token.value);
    } else {
      const std::string date = http_date(std::time(nullptr));
      headers.emplace_back("Date", date);
      headers.emplace_back("Authorization",
                           signature_header(have.key, {method, target, sign_accept ? kJson : "", date}));
    }
    break;
  }
  if (!have.org.empty()) headers.emplace_back("X-JMS-ORG", have.org);
  return headers;
}

CoreResult<http::Request> CoreClient::request_for(ConnectionSetup& setup, const Call& call) {
  http::Request request;
  request.method = call.method;
  request.url = settings_.credentials.server + call.path;
  request.ca_file = settings_.ca_file;
  request.address_setting = "the JumpServer address";
  request.ca_setting = "JMS_CA_FILE or `ca_file` in [jumpserver]";
  request.headers = {{"Accept", kJson}, {"Accept-Language", "en"}};
  if (call.path.starts_with("/core/")) request.headers[0].second = "text/html";
  if (!call.form.empty()) {
    request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    request.body = call.form;
  } else if (!call.body.is_null()) {
    request.headers.emplace_back("Content-Type", kJson);
    request.body = call.body.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  const bool by_session = !call.anonymous && !ways_.empty() && ways_.front() == Way::session;
  if (call.anonymous) {
    if (const std::string cookies = jar_.header(); !cookies.empty()) request.headers.emplace_back("Cookie", cookies);
    if (changes_something(call.method) && !jar_.csrf().empty())
      request.headers.emplace_back("X-CSRFToken", jar_.csrf());
  } else if (by_session) {
    if (changes_something(call.method))
      if (auto fetched = fetch_csrf(setup); !fetched) return tl::unexpected(fetched.error());
    const WebSession& web = settings_.credentials.web;
    std::string cookie = web.prefix + "sessionid=" + web.id;
    if (!web.csrf.empty()) cookie += "; " + web.prefix + "csrftoken=" + web.csrf;
    request.headers.emplace_back("Cookie", cookie);
    if (!web.csrf.empty()) request.headers.emplace_back("X-CSRFToken", web.csrf);
    if (!settings_.credentials.org.empty()) request.headers.emplace_back("X-JMS-ORG", settings_.credentials.org);
  } else if (call.path.starts_with("/koko/")) {
    // koko shows them to core with a request of its own, and that is what the signature is for.
    for (auto& header : authorization("GET", "/api/v1/users/profile/", false))
      request.headers.push_back(std::move(header));
  } else {
    for (auto& header : authorization(call.method, call.path, true)) request.headers.push_back(std::move(header));
  }
  // Django compares it with the host for every change over https; it does no harm elsewhere.
  if (call.anonymous || by_session)
    request.headers.emplace_back("Referer", settings_.credentials.server + "/core/auth/login/");
  return request;
}

/// A pasted session has no CSRF token with it; the login page gives one to anybody.
CoreResult<void> CoreClient::fetch_csrf(ConnectionSetup& setup) {
  WebSession& web = settings_.credentials.web;
  if (!web.csrf.empty()) return {};
  http::Request request;
  request.method = "GET";
  request.url = settings_.credentials.server + "/core/auth/login/?admin=1";
  request.ca_file = settings_.ca_file;
  request.headers = {{"Accept", "text/html"}};
  const auto page = exchange(setup, request);
  if (!page) return tl::unexpected(page.error());
  CookieJar cookies;
  cookies.take(page->head);
  web.csrf = cookies.csrf();
  return {};
}

CoreResult<Answer> CoreClient::exchange(ConnectionSetup& setup, const http::Request& request) {
  Answer answer;
  bool ended = false, too_much = false;
  std::optional<http::Failure> failure;
  event::Fiber& fiber = setup.fiber();
  const auto transfer = http_.start(request, {[&](const http::Head& head) { answer.head = head; },
                                              [&](std::string_view bytes) {
                                                too_much = too_much || answer.body.size() + bytes.size() > kMostBody;
                                                if (!too_much) answer.body.append(bytes);
                                              },
                                              [&](std::optional<http::Failure> end) {
                                                ended = true;
                                                failure = std::move(end);
                                                fiber.wake();
                                              }});
  const event::Deadline deadline(settings_.limit);
  while (!ended) {
    const auto woken = fiber.wait(deadline.left());
    if (woken == event::Fiber::Woken::cancelled) return tl::unexpected(cancelled());
    if (woken == event::Fiber::Woken::by_deadline)
      return tl::unexpected(CoreError{CoreError::Kind::unreachable, 0, "",
                                      host_ + " did not answer within " +
                                          std::to_string(settings_.limit.count() / 1000) +
                                          " s; try again, or look at its state in the browser"});
  }
  if (failure) return tl::unexpected(CoreError{CoreError::Kind::unreachable, 0, "", without_secrets(failure->message)});
  if (too_much)
    return tl::unexpected(CoreError{CoreError::Kind::not_core, answer.head.status, "",
                                    host_ + " sent an answer beyond all bounds; it was given up"});
  answer.json = parse_json(answer.body);
  return answer;
}

/// What an answer that is none means; of a credential that is not accepted, which one and why that may be.
CoreError CoreClient::refusal_of(const Answer& answer) const {
  CoreError error = error_of(answer.head, answer.json, answer.body, host_);
  if (error.kind == CoreError::Kind::signed_out && answer.head.status == 401 && !ways_.empty()) {
    const Way way = ways_.front();
    const std::string words = words_of(answer.json);
    std::string what = way == Way::access_key
                           ? "the access key is not accepted: it was revoked or switched off, or its secret is another"
                       : way == Way::session                             ? "the web session has ended"
                       : settings_.credentials.token.keyword == "Bearer" ? "the sign-in has ended"
                                                                         : "the token is not accepted any more";
    if (way == Way::access_key) what += clock_remark(answer.head);
    error.message = sign_in_sentence(host_, words.empty() ? what : what + " (" + words + ")", settings_.login);
  }
  error.message = without_secrets(std::move(error.message));
  return error;
}

void CoreClient::use(Credentials credentials) {
  settings_.credentials = std::move(credentials);
  ++sign_ins_;
  plan_ways();
}

CoreResult<void> CoreClient::sign_in_again(ConnectionSetup& setup, const CoreError& why) {
  if (!settings_.sign_in_again || signing_in_) return tl::unexpected(why);
  signing_in_ = true;
  auto fresh = settings_.sign_in_again(setup, settings_.credentials, why);
  signing_in_ = false;
  if (!fresh) return tl::unexpected(fresh.error());
  use(std::move(*fresh));
  return {};
}

/// Core counts requests by the minute; when it wants a few seconds only, waiting is better than a failure. True:
/// waited.
bool CoreClient::waited_for_turn(ConnectionSetup& setup, const http::Head& head) const {
  if (head.status != 429) return false;
  long seconds = 0;
  const std::string_view wish = head.header("retry-after");
  const auto read = std::from_chars(wish.data(), wish.data() + wish.size(), seconds);
  if (read.ec != std::errc() || seconds < 0 || seconds > kLongestTurn.count()) return false;
  setup.tell(host_ + " is asked too often; going on in " + std::to_string(seconds) + " s…");
  return pause(setup, std::chrono::seconds(seconds));
}

CoreResult<Answer> CoreClient::send(ConnectionSetup& setup, const Call& call) {
  int turns = 0;
  for (const int sign_ins_before = sign_ins_;;) {
    auto request = request_for(setup, call);
    if (!request) return tl::unexpected(request.error());
    const int sign_ins = sign_ins_;
    const bool has_way = !call.anonymous && !ways_.empty();
    const Way way = has_way ? ways_.front() : Way::session;
    auto answer = exchange(setup, *request);
    if (!answer) return answer;
    if (call.anonymous) jar_.take(answer->head);
    if (turns < kMostTurns && waited_for_turn(setup, answer->head)) {
      ++turns;
      continue;
    }
    // What koko thinks of a credential is no word of core's.
    if (answer->head.status != 401 || !has_way || call.path.starts_with("/koko/")) return answer;
    // Refused before anything was done: the next credential may be accepted. Another request that was under way may
    // have found that out before us, or somebody has signed in again meanwhile.
    if (sign_ins_ != sign_ins || ways_.front() != way) continue;
    if (ways_.size() > 1) {
      ways_.erase(ways_.begin());
      continue;
    }
    const CoreError why = refusal_of(*answer);
    const bool again = settings_.sign_in_again && !signing_in_ && sign_ins_ == sign_ins_before;
    if (!again || why.kind != CoreError::Kind::signed_out) return answer;
    if (auto done = sign_in_again(setup, why); !done) return tl::unexpected(done.error());
  }
}

CoreResult<Json> CoreClient::ask(ConnectionSetup& setup, const Call& call) {
  if (!call.anonymous && ways_.empty()) {
    const CoreError why{CoreError::Kind::signed_out, 0, "",
                        sign_in_sentence(host_, "you are not signed in", settings_.login)};
    if (auto again = sign_in_again(setup, why); !again) return tl::unexpected(again.error());
  }
  auto answer = send(setup, call);
  if (!answer) return tl::unexpected(answer.error());
  if (answer->ok() && (answer->body.empty() || !answer->json.is_discarded())) return std::move(answer->json);
  if (answer->ok()) answer->head.status = 404;  // A page where the API should be.
  return tl::unexpected(refusal_of(*answer));
}

CoreResult<Json> CoreClient::get(ConnectionSetup& setup, const std::string& path) {
  return ask(setup, {.path = "/api/v1/" + path});
}

CoreResult<Json> CoreClient::post(ConnectionSetup& setup, const std::string& path, Json body) {
  return ask(setup, {.method = "POST", .path = "/api/v1/" + path, .body = std::move(body)});
}

}  // namespace transport::jumpserver
