#include "tests/support/replay_server.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <utility>

namespace test_server {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kNonceBefore = "]7717;";
constexpr std::size_t kNonce = 16;

/// Which of the recorded answers is meant: connection tokens are asked for with the same words for every asset.
std::string key_of(const std::string& method, const std::string& target, const std::string& asset) {
  return method + " " + target + (asset.empty() ? "" : " " + asset);
}

std::string asset_in(const HttpRequest& request) {
  const Json body = Json::parse(request.body, nullptr, false);
  return body.is_object() && body.contains("asset") && body["asset"].is_string() ? body["asset"].get<std::string>()
                                                                                 : std::string();
}

/// The client of the record typed its start mark without a field; today's has one, which its printf fills with nothing.
/// The line as it is typed and echoed gets the field; what printf made of it differs in nothing that is read.
void bring_up_to_date(Json& frame) {
  static const std::regex start("(\\]7717;[0-9a-f]{16};s)(\\\\007)");
  frame["data"] = std::regex_replace(frame["data"].get<std::string>(), start, "$1;%s$2");
}

std::string token_in(const std::string& target) {
  const auto at = target.find("token=");
  return at == std::string::npos ? std::string() : target.substr(at + 6, target.find('&', at) - at - 6);
}

}  // namespace

/// One terminal of the record, played once more.
class ReplayServer::Session {
 public:
  Session(ReplayServer& server, std::size_t number, std::vector<Json> frames, std::shared_ptr<ServerSocket> socket)
      : server_(server), number_(number), frames_(std::move(frames)), socket_(std::move(socket)) {
    socket_->on_message = [this](bool text, const std::string& message) { text ? take_json(message) : take(message); };
    socket_->on_end = [this] {
      constexpr int kWithoutAWord = 1006;
      server_.terminals_[number_].close_code = socket_->close_code() ? socket_->close_code() : kWithoutAWord;
    };
  }

  /// Says what the server said up to the client's next turn.
  void go_on() {
    for (; at_ < frames_.size() && frames_[at_].contains("server"); ++at_) {
      const std::string data = with_own_nonces(frames_[at_]["data"]);
      frames_[at_]["server"] == "text" ? socket_->send_text(data) : socket_->send_binary(data);
    }
    server_.terminals_[number_].whole = at_ == frames_.size();
  }

 private:
  void take_json(const std::string& message) {
    const Json value = Json::parse(message, nullptr, false);
    const std::string type = value.is_object() ? value.value("type", "") : "";
    if (type == "TERMINAL_DATA") return take(value.value("data", ""));
    if (type != "TERMINAL_INIT") return;  // PING, a new size, CLOSE: not part of the record.
    if (!awaits("text")) return surprise("TERMINAL_INIT out of turn");
    if (value.value("id", "") != Json::parse(frames_[at_]["data"].get<std::string>()).value("id", ""))
      return surprise("TERMINAL_INIT with another id");
    ++at_;
    go_on();
  }

  void take(const std::string& bytes) {
    typed_ += bytes;
    while (awaits("binary")) {
      const std::string wanted = frames_[at_]["data"];
      if (typed_.size() < wanted.size()) return;
      const std::string line = typed_.substr(0, wanted.size());
      typed_.erase(0, wanted.size());
      learn_nonces(wanted, line);
      if (with_own_nonces(wanted) != line) return surprise("typed " + line + " where the record has " + wanted);
      ++at_;
      go_on();
    }
    if (!typed_.empty()) surprise("typed " + std::exchange(typed_, {}) + " out of turn");
  }

  bool awaits(const char* kind) const { return at_ < frames_.size() && frames_[at_].value("client", "") == kind; }

  void learn_nonces(const std::string& recorded, const std::string& typed) {
    for (auto at = recorded.find(kNonceBefore); at != std::string::npos; at = recorded.find(kNonceBefore, at + 1)) {
      const auto from = at + kNonceBefore.size();
      if (from + kNonce <= typed.size()) nonces_[recorded.substr(from, kNonce)] = typed.substr(from, kNonce);
    }
  }
  std::string with_own_nonces(std::string text) const {
    for (const auto& [recorded, own] : nonces_)
      for (auto at = text.find(recorded); at != std::string::npos; at = text.find(recorded, at + kNonce))
        text.replace(at, kNonce, own);
    return text;
  }
  void surprise(const std::string& what) {
    server_.surprises_.push_back(what);
    socket_->drop();
  }

  ReplayServer& server_;
  std::size_t number_;
  std::vector<Json> frames_;
  std::shared_ptr<ServerSocket> socket_;
  std::size_t at_ = 0;
  std::string typed_;
  std::map<std::string, std::string> nonces_;
};

ReplayServer::ReplayServer(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("no recorded traffic at " + file);
  std::string token;
  for (std::string line; std::getline(in, line);) {
    Json entry = Json::parse(line);
    if (entry.contains("http"))
      answers_[key_of(entry["http"], entry["path"], entry.value("asset", ""))].push_back(std::move(entry));
    else if (entry.contains("ws"))
      token = entry["ws"];
    else if (!entry.contains("end"))
      bring_up_to_date(recorded_[token].emplace_back(std::move(entry)));
  }
}

ReplayServer::~ReplayServer() = default;

std::size_t ReplayServer::note_terminal(const std::string& token) {
  terminals_.push_back({.token = token});
  return terminals_.size() - 1;
}

Reply ReplayServer::handle(const HttpRequest& request) {
  requests_.push_back(request);
  if (!request.target.starts_with("/koko/ws/terminal/")) return answer(request);
  const std::string token = token_in(request.target);
  const auto found = recorded_.find(token);
  if (found == recorded_.end()) {
    surprises_.push_back("a terminal with a token that was not given");
    return reply(404, "");
  }
  return upgrade(request, "JMS-KOKO", [this, token, frames = found->second](std::shared_ptr<ServerSocket> socket) {
    open_.push_back(std::make_shared<Session>(*this, note_terminal(token), frames, std::move(socket)));
    open_.back()->go_on();
  });
}

/// The first time the first answer, then the next; the last one for ever.
Reply ReplayServer::answer(const HttpRequest& request) {
  const std::string key = key_of(request.method, request.target, asset_in(request));
  const auto found = answers_.find(key);
  if (found == answers_.end()) {
    surprises_.push_back("not in the record: " + key);
    return reply(404, R"({"detail":"Not found."})", {{"content-type", "application/json"}});
  }
  const std::size_t turn = std::min(given_[key]++, found->second.size() - 1);
  const Json& entry = found->second[turn];
  std::vector<std::pair<std::string, std::string>> headers;
  for (const auto& header : entry["headers"]) headers.emplace_back(header[0], header[1]);
  const Json& body = entry["body"];
  return reply(entry["status"],
               body.is_null()     ? ""
               : body.is_string() ? body.get<std::string>()
                                  : body.dump(),
               headers);
}

}  // namespace test_server
