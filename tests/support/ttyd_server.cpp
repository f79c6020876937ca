#include "tests/support/ttyd_server.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "event/timer.h"
#include "transport/pty_transport.h"

namespace test_server {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMostUnsent = 64 * 1024;

}  // namespace

class TtydServer::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(TtydServer& server, std::shared_ptr<ServerSocket> socket)
      : server_(server), socket_(std::move(socket)), ping_(server.loop_) {}

  void start() {
    socket_->on_message = [this](bool, const std::string& message) { on_message(message); };
    socket_->on_drained = [this] {
      if (pty_ && !paused_) pty_->resume_reading();
    };
    socket_->on_end = [this] {
      for (const auto& violation : socket_->violations()) server_.violations.push_back(violation);
      auto& open = server_.open_;
      const auto self = shared_from_this();
      open.erase(std::remove(open.begin(), open.end(), self), open.end());
      server_.loop_.defer([self] {});
    };
    ping_.repeat(std::chrono::seconds(5), [this] { socket_->send_frame(ServerSocket::Opcode::ping, true, ""); });
  }
  ServerSocket& socket() { return *socket_; }

 private:
  void on_message(const std::string& message) {
    if (message.empty()) return server_.violations.push_back("an empty message");
    if (!pty_) return begin(message);
    const std::string payload = message.substr(1);
    switch (message[0]) {
      case '0':
        if (server_.options_.writable) pty_->send(payload);
        return;
      case '1': {
        const Json size = Json::parse(payload, nullptr, false);
        if (!size.is_object()) return server_.violations.push_back("a resize that is no JSON");
        server_.resizes.push_back(payload);
        return pty_->resize({size.value("rows", 0), size.value("columns", 0)});
      }
      case '2':
        ++server_.pauses;
        paused_ = true;
        return pty_->pause_reading();
      case '3':
        ++server_.resumes;
        paused_ = false;
        return pty_->resume_reading();
      default:
        server_.violations.push_back(std::string("an unknown command ") + message[0]);
    }
  }

  void begin(const std::string& message) {
    const Json hello = Json::parse(message, nullptr, false);
    if (!hello.is_object()) {
      server_.violations.push_back("the first message is not the JSON one");
      return socket_->drop();
    }
    const std::string& credential = server_.options_.credential;
    if (!credential.empty() && hello.value("AuthToken", "") != base::base64_encode(credential))
      return socket_->close(1008);
    auto environment = server_.options_.environment;
    environment.push_back("TERM=xterm-256color");
    auto launched =
        transport::PtyTransport::launch(server_.loop_, {.argv = server_.options_.program,
                                                        .environment = environment,
                                                        .size = {hello.value("rows", 24), hello.value("columns", 80)}});
    if (!launched) return socket_->drop();
    pty_ = std::move(*launched);
    socket_->send_binary("1bash (test)");
    socket_->send_binary("2{}");
    pty_->start({.on_bytes =
                     [this](std::string_view bytes) {
                       socket_->send_binary("0" + std::string(bytes));
                       if (socket_->unsent() > kMostUnsent) pty_->pause_reading();
                     },
                 .on_closed =
                     [this](const transport::Closed& closed) {
                       // An exit code other than 0 is an abnormal end.
                       closed.exit_code == 0 ? socket_->close(1000) : socket_->drop();
                     },
                 .on_drained = {}});
  }

  TtydServer& server_;
  std::shared_ptr<ServerSocket> socket_;
  std::unique_ptr<transport::PtyTransport> pty_;
  bool paused_ = false;
  event::Timer ping_;
};

TtydServer::TtydServer(event::EventLoop& loop, TtydOptions options) : loop_(loop), options_(std::move(options)) {}
TtydServer::~TtydServer() = default;

Reply TtydServer::handle(const HttpRequest& request) {
  const auto header = [&](const char* name) {
    const auto found = request.headers.find(name);
    return found == request.headers.end() ? std::string() : found->second;
  };
  const std::string token = options_.credential.empty() ? "" : base::base64_encode(options_.credential);
  if (!token.empty() && header("authorization") != "Basic " + token)
    return reply(401, "", {{"WWW-Authenticate", "Basic realm=\"ttyd\""}});
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == options_.base + "/token") return reply(200, Json{{"token", token}}.dump());
  if (path != options_.base + "/ws") return reply(200, "<html>ttyd</html>");
  if (header("sec-websocket-protocol") != "tty") return reply(404, "");
  return upgrade(request, "tty", [this](std::shared_ptr<ServerSocket> socket) {
    open_.push_back(std::make_shared<Session>(*this, std::move(socket)));
    open_.back()->start();
  });
}

void TtydServer::drop() {
  socket().drop();
}
ServerSocket& TtydServer::socket() {
  return open_.back()->socket();
}

}  // namespace test_server
