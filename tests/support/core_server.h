#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/http_server.h"
#include "tests/support/koko_notes.h"
#include "tests/support/request_log.h"

// JumpServer's core as the reference describes it (v4): the REST API and the login pages, for tests. It verifies
// signatures, CSRF tokens and cookies for real, uses tokens up, and writes down what a client does that the real server
// would not like. Mount handle() on an HttpServer; koko's half asks it about cookies and tokens.
namespace test_server {

/// An account on an asset of the test.
struct CoreAccount {
  std::string id, name, username;
  bool has_secret = true;
  bool may_connect = true;
  std::string alias;  ///< Empty: the id, as from 4.10 on.

  /// What a client must ask for: the alias, never a name.
  const std::string& offered() const { return alias.empty() ? id : alias; }
};

struct CoreAsset {
  std::string id, name, address;
  std::string platform = "Linux", category = "host", type = "linux";
  std::vector<std::string> node_ids;
  std::vector<std::string> labels;
  std::vector<std::string> protocols = {"ssh", "sftp"};
  std::vector<CoreAccount> accounts;
  bool active = true;
};

class CoreServer {
 public:
  using Json = nlohmann::json;

  /// What the site and its one user are like. Tests change it before or between requests.
  struct Site {
    std::string user = "alice", name = "Alice A", user_id = "11111111-0000-4000-8000-000000000001";
    std::string password = "correct-horse-7";
    std::string key_id = "0f6f2a0e-5c1b-4a8d-9e0c-3b7a1d2c4e5f", secret = "s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t-1";
    std::string private_token = "0123456789abcdef0123456789abcdef01234567";
    std::string cookie_prefix = "jms_";
    std::string org = "00000000-0000-0000-0000-000000000002";

    std::vector<std::string> mfa;  ///< Types offered at sign-in; empty: none wanted.
    std::string otp = "123456", sms = "654321";
    bool login_review = false;     ///< A reviewer must let the user in.
    int polls_until_decision = 1;  ///< Of either review.
    bool reviewer_says_yes = true;
    bool codes_as_code = false;  ///< Some versions say `code` where others say `error`.
    bool captcha = false;        ///< The login page asks for one at once, and not only after a wrong password there.
    std::string captcha_says = "7+4=11";
    bool single_sign_on = false;  ///< The login page redirects.
    std::string strange_page;     ///< Instead of the login page.
    bool mfa_on_login_page = false;
    std::string challenge;    ///< Belongs to the password; the login page asks for it.
    bool codes_once = false;  ///< A code that was used is refused.
    bool mfa_unset = false;   ///< A second factor is wanted, and the user has none.
    bool inactive = false, expired = false, forbidden = false, address_blocked = false;
    bool must_change_password = false;  ///< The API breaks of it, the page says so.
    int failures_until_lock = 7;

    bool asset_review = false;        ///< acl_review on every connection token.
    bool accounts_changed = false;    ///< A client may still believe in an account that is gone.
    std::set<std::string> rejected;   ///< Names of assets that a login rule forbids.
    std::set<std::string> no_rights;  ///< Paths (after /api/v1/) that answer 403.
    std::chrono::seconds token_life{300};
    int ssh_port = 2222, https_port = 0, http_port = 0;
    std::string endpoint_host;  ///< Empty: the host of the request.

    int broken = 0;                        ///< Every request gets this status…
    std::string broken_body;               ///< …and this body.
    std::string redirect_all;              ///< Every request is redirected there.
    std::string throttle_paths;            ///< Requests to paths that begin so get 429.
    int throttle_times = 1'000'000;        ///< …so often,
    std::string retry_after = "30";        ///< …with this wish.
    std::chrono::milliseconds latency{0};  ///< Every answer takes this long; see RequestLog.
  };
  Site site;
  std::vector<CoreAsset> assets;
  std::map<std::string, std::string> nodes;  ///< Id to full path.

  /// One connection token.
  struct Token {
    std::string id, value, user, asset, account, protocol, method;
    std::string input_username, input_secret;
    std::chrono::steady_clock::time_point expires;
    bool active = true;
    bool used = false;
    std::string ticket;
  };

  CoreServer();
  /// A site with three hosts, a device, a database and two nodes.
  static CoreServer with_usual_assets();

  Reply handle(const HttpRequest& request);
  /// https, so that Referer is looked at, too.
  void over_tls(bool tls) { tls_ = tls; }

  // For koko's half.
  /// The user whose web session the Cookie header holds.
  std::optional<std::string> user_of_cookies(const std::string& cookie_header) const;
  /// What GET terminal/sessions/ and terminal/my-sessions/ list; empty without a koko.
  std::function<std::vector<KokoListed>()> session_list;
  /// v5: the user whom a request of koko's own recognises by the headers of another.
  std::optional<std::string> user_of_headers(const HttpRequest& request);
  /// Uses the token up; nothing when it is unknown, used, expired or not active, and `error` says so.
  std::optional<Token> redeem(const std::string& id, std::string& error);
  /// Where tokens are also written as files `<id>` holding `<value>`, for an SSH server in another process.
  void write_tokens_to(std::string directory) { token_directory_ = std::move(directory); }

  /// Ends what was issued: as if a day had passed.
  void end_bearer_tokens() { bearers_.clear(); }
  void end_web_sessions() { sessions_.clear(); }
  std::string open_web_session();  ///< As if a browser had signed in; gives the cookie's value.

  const std::vector<std::string>& violations() const { return violations_; }
  void violation(std::string what) { violations_.push_back(std::move(what)); }
  const std::vector<HttpRequest>& requests() const { return requests_; }
  int count(const std::string& method, const std::string& path_begin) const;
  /// When each request came and was answered: what waited for what.
  RequestLog log;
  const std::vector<Token>& tokens() const { return tokens_; }
  /// Sign-ins that reviewers still see as waiting.
  int open_reviews() const;
  /// Web sessions that are signed in and will end within ten minutes.
  int short_lived_sessions() const;

 private:
  /// What the server knows under a session's cookie. Of a sign-in that is done only the second factor stays.
  struct WebSession {
    bool password = false, second_factor = false, signed_in = false, test_cookie = false;
    bool wants_review = false, ticket = false, approved = false;
    bool short_lived = false;    ///< Made by the API: ends after ten minutes, whatever becomes of it.
    std::set<std::string> sent;  ///< Types whose code was sent.
    int polls = 0;

    void forget_sign_in() { password = wants_review = ticket = approved = false; }
  };
  struct Target {
    std::string path;
    std::map<std::string, std::string> query;
  };

  static Target parse_target(const std::string& target);
  static Json body_of(const HttpRequest& request);
  static std::map<std::string, std::string> form_of(const HttpRequest& request);
  static std::map<std::string, std::string> cookies_of(const std::string& header);

  // core_server.cpp
  Reply answer(const HttpRequest& request);
  void look_for_faults(const HttpRequest& request, const Target& target);
  std::optional<std::string> authenticate(const HttpRequest& request, Reply& refusal);
  bool signature_holds(const HttpRequest& request, const std::string& header, Reply& refusal);
  Reply api(const HttpRequest& request, const Target& target);
  std::string session_cookie(const HttpRequest& request) const;

  // core_server_login.cpp
  WebSession& session_for(const HttpRequest& request, std::string& cookie);
  std::optional<std::pair<std::string, std::string>> refusal(const std::string& user, const std::string& password);
  bool wants_code(const WebSession& session) const;
  Reply sign_in(const HttpRequest& request);
  Reply mfa_select(const HttpRequest& request);
  Reply mfa_challenge(const HttpRequest& request);
  Reply review_status(const HttpRequest& request);
  bool code_holds(WebSession& session, const std::string& type, const std::string& code);
  Json coded(const std::string& code, const std::string& message) const;

  // core_server_pages.cpp
  Reply page(const HttpRequest& request, const Target& target);
  Reply login_page(const HttpRequest& request);
  Reply login_form(const HttpRequest& request);
  Reply mfa_page(const std::string& complaint);
  Reply mfa_form(const HttpRequest& request);
  Reply guard(const HttpRequest& request);
  std::string login_html(const std::string& complaint, const std::string& captcha_complaint);
  bool captcha_holds(std::map<std::string, std::string>& form);
  bool csrf_form_holds(const HttpRequest& request);

  // core_server_assets.cpp
  Reply asset_list(const Target& target);
  Reply asset_detail(const std::string& id);
  Json asset_json(const CoreAsset& asset) const;
  Reply node_list() const;
  Reply sessions(const Target& target) const;
  static Json session_json(const KokoListed& session);
  Reply connect_methods() const;
  Reply endpoint(const HttpRequest& request) const;
  Reply create_token(const HttpRequest& request, const Target& target);
  Reply exchange_token(const HttpRequest& request, const Target& target);
  Reply issue(Token token, const Target& target);
  Reply ticket(const HttpRequest& request, const std::string& path);
  Json token_json(const Token& token) const;
  std::string fresh_id();

  bool tls_ = false;
  int failures_ = 0, code_failures_ = 0;
  bool captcha_asked_ = false;      ///< A password was wrong on the page: for everybody at that address.
  std::set<std::string> captchas_;  ///< Keys that are still good.
  std::string last_code_;
  unsigned next_id_ = 1;
  std::map<std::string, WebSession> sessions_;
  std::set<std::string> bearers_;
  std::set<std::string> csrf_;
  std::vector<Token> tokens_;
  std::map<std::string, int> ticket_polls_;
  std::string token_directory_;
  std::vector<std::string> violations_;
  std::vector<HttpRequest> requests_;
};

/// A JSON answer.
Reply json_reply(int status, const nlohmann::json& body,
                 const std::vector<std::pair<std::string, std::string>>& headers = {});

}  // namespace test_server
