#include "tests/support/koko_server.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "event/timer.h"
#include "terminal/screen.h"
#include "transport/pty_transport.h"

namespace test_server {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;
using std::chrono::milliseconds;

constexpr std::size_t kMostUnsent = 64 * 1024;
constexpr const char* kId = "7c0e2a61-0000-4000-8000-000000000001";
constexpr const char* kBreakLine = "\x05\x15\r";  // Ctrl-E Ctrl-U Enter: an empty line for the shell.

std::string red(const std::string& text) {
  return "\033[31m" + text + "\n\r\033[0m";
}
std::string green(const std::string& text) {
  return "\033[32m" + text + "\033[0m";
}

std::string header(const HttpRequest& request, const char* name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string() : found->second;
}

std::string query_value(const std::string& target, const std::string& name) {
  const auto question = target.find('?');
  if (question == std::string::npos) return {};
  std::string rest = "&" + target.substr(question + 1);
  const auto at = rest.find("&" + name + "=");
  if (at == std::string::npos) return {};
  const auto from = at + name.size() + 2;
  return rest.substr(from, rest.find('&', from) - from);
}

/// The cookie django_language wins over the first code of Accept-Language.
std::string language_of(const HttpRequest& request) {
  const std::string cookies = header(request, "cookie");
  if (const auto at = cookies.find("django_language="); at != std::string::npos) {
    const auto from = at + 16;
    return cookies.substr(from, cookies.find_first_of("; ", from) - from);
  }
  const std::string accepted = header(request, "accept-language");
  return accepted.substr(0, accepted.find_first_of(",;-"));
}

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

bool ends_inside_character(const std::string& bytes) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
    const auto c = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((c & 0xc0) == 0x80) continue;
    return (c >= 0xf0 && back < 4) || (c >= 0xe0 && c < 0xf0 && back < 3) || (c >= 0xc0 && c < 0xe0 && back < 2);
  }
  return false;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return c <= ' '; });
  return text;
}

}  // namespace

class KokoServer::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(KokoServer& server, KokoOptions options, std::string language, std::shared_ptr<ServerSocket> socket)
      : server_(server),
        options_(std::move(options)),
        texts_(koko_texts(language)),
        socket_(std::move(socket)),
        counter_(server.loop_),
        clock_(server.loop_),
        spinner_(server.loop_) {}

  void start(const std::optional<KokoToken>& token, const std::string& token_id, const std::string& owner) {
    socket_->on_message = [this](bool text, const std::string& message) { on_message(text, message); };
    socket_->on_control = [this](ServerSocket::Opcode opcode, const std::string&) { on_control(opcode); };
    socket_->on_drained = [this] {
      if (pty_ && !closed_) pty_->resume_reading();
    };
    socket_->on_end = [this] {
      for (const auto& violation : socket_->violations()) server_.violations.push_back(violation);
      server_.forget(this);
    };
    last_data_ = last_activity_ = last_written_ = started_ = Clock::now();
    const auto step = std::max(milliseconds(2), std::min({options_.ping_check, options_.idle_check, options_.longest,
                                                          options_.read_deadline, milliseconds(1000)}) /
                                                    4);
    clock_.repeat(step, [this] { tick(); });
    if (token_id.empty()) return message("ERROR", "", "connect token is nil");
    if (!token || !token->error.empty())
      return message("ERROR", "", token ? token->error : std::string("Token invalid"));
    if (token->used) return message("ERROR", "", "Connection token expired at: 2026/01/06 08:30:00 +0000");
    if (token->owner != owner) return;  // koko says nothing at all.
    message("CONNECT", Json{{"user", {{"id", "u1"}, {"name", "Alice"}, {"username", owner}, {"lang", texts_.code}}},
                            {"setting",
                             {{"INTERFACE", {{"login_title", "JumpServer"}}},
                              {"SECURITY_WATERMARK_ENABLED", options_.watermark},
                              {"SECURITY_SESSION_SHARE", true}}},
                            {"asset",
                             {{"id", "a1"},
                              {"name", "web-01"},
                              {"address", "10.0.0.5"},
                              {"secret_info", {{"client_key", "PRIVATE-KEY-OF-THE-ASSET"}}}}}}
                           .dump());
    greeted_ = true;
  }

  // ---- What others do to it

  void lock(const std::string& admin) {
    locked_ = true;
    message("TERMINAL_SESSION_PAUSE", Json{{"user", admin}}.dump());
  }
  void unlock(const std::string& admin) {
    locked_ = false;
    message("TERMINAL_SESSION_RESUME", Json{{"user", admin}}.dump());
  }
  void terminate(const std::string& admin) { hang_up("Terminated by admin " + admin, "admin_terminate"); }
  void decide(bool yes, const std::string& reviewer) {
    if (review_ != Review::running) return;
    review_ = Review::none;
    spinner_.stop();
    output("\r\n" + (yes ? green(filled(texts_.approved, reviewer)) : red(filled(texts_.rejected, reviewer))));
    server_.typed.back().verdict = yes ? "reviewed" : "rejected";
    yes ? to_shell(held_) : forbid(filter_hit_);
  }
  bool reviewing() const { return review_ == Review::running; }
  ServerSocket& socket() { return *socket_; }
  base::Size size() const { return size_; }

  void message(const std::string& type, const std::string& data, const std::string& error = "") {
    last_written_ = Clock::now();
    const Json plain = {{"id", kId},       {"type", type},       {"data", data},      {"raw", nullptr},  {"err", error},
                        {"prompt", ""},    {"interrupt", false}, {"k8s_id", ""},      {"namespace", ""}, {"pod", ""},
                        {"container", ""}, {"cmd", ""},          {"current_path", ""}};
    if (options_.version == KokoVersion::v4) return socket_->send_text(plain.dump());
    envelope(3, Json{{"terminalId", terminal_}, {"command", type}, {"params", plain}, {"requestId", ""}}.dump());
  }

  void output(const std::string& bytes) {
    screen_.write(bytes);
    last_written_ = Clock::now();
    for (std::size_t at = 0; at < bytes.size(); at += options_.frame) {
      if (options_.empty_frames && ++frames_ % 5 == 0) output_frame("");
      output_frame(bytes.substr(at, options_.frame));
    }
  }

 private:
  enum class Review { none, query, running, risky };

  void output_frame(const std::string& bytes) {
    if (options_.version == KokoVersion::v4) return socket_->send_binary(bytes);
    envelope(2, big_endian(terminal_) + bytes);
  }
  void envelope(int type, const std::string& payload) {
    socket_->send_binary(std::string{'\x01', static_cast<char>(type)} +
                         big_endian(static_cast<std::uint32_t>(payload.size())) + payload);
  }
  void violation(const std::string& what) { server_.violations.push_back(what); }

  // ---- From the client

  void on_control(ServerSocket::Opcode opcode) {
    if (opcode != ServerSocket::Opcode::pong) return;
    violation("a PONG frame that nobody asked for");
    socket_->send_frame(ServerSocket::Opcode::ping, true, "");  // koko's trap: this never ends.
  }

  void on_message(bool text, const std::string& bytes) {
    last_data_ = Clock::now();
    if (closed_) return violation("a message after CLOSE");
    if (!greeted_) return violation("a message before CONNECT");
    if (options_.version == KokoVersion::v5) return text ? violation("a text frame in v5") : on_envelope(bytes);
    if (!text) return on_input(bytes);
    const Json value = Json::parse(bytes, nullptr, false);
    if (!value.is_object() || !value.contains("type") || !value["type"].is_string())
      return violation("not a message: " + bytes.substr(0, 60));
    const std::string data =
        value.contains("data") && value["data"].is_string() ? value["data"].get<std::string>() : "";
    if (value.contains("data") && !value["data"].is_string()) violation("data is not a string");
    on_command(value["type"].get<std::string>(), value.value("id", ""), data);
  }

  void on_envelope(const std::string& bytes) {
    const auto number = [&](std::size_t at) {
      std::uint32_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
      return value;
    };
    if (bytes.size() < 6 || bytes[0] != 1 || number(2) != bytes.size() - 6) return violation("a malformed envelope");
    const std::string payload = bytes.substr(6);
    if (bytes[1] == 1) {
      if (payload.size() < 4 || terminal_ == 0 || number(6) != terminal_) return violation("input for no terminal");
      return on_input(payload.substr(4));
    }
    const Json value = Json::parse(payload, nullptr, false);
    if (!value.is_object()) return violation("an envelope without an object");
    if (bytes[1] == 6) {
      server_.received.push_back("create");
      const auto params = value.value("params", Json::object());
      if (value.value("requestId", "").empty()) return violation("create without a requestId");
      if (terminal_ != 0) return violation("a second create");
      terminal_ = 1;
      const std::string done = Json{{"requestId", value["requestId"]}, {"success", true}}.dump();
      envelope(3, Json{{"terminalId", 1},
                       {"command", "created"},
                       {"requestId", value["requestId"]},
                       {"params", {{"id", kId}, {"data", done}}}}
                      .dump());
      return open_terminal(params.value("rows", 0), params.value("cols", 0));
    }
    if (bytes[1] == 7) return on_command("CLOSE", kId, "");
    if (bytes[1] != 3) return violation("an envelope of an unknown type");
    const auto params = value.value("params", Json::object());
    const std::string name = value.value("command", "");
    if (name == "PING") {
      server_.received.push_back(name);
      return envelope(
          3, Json{{"terminalId", 0}, {"command", "PONG"}, {"params", {{"data", params.value("data", "")}}}}.dump());
    }
    on_command(name, kId, params.value("data", ""));
  }

  void on_command(const std::string& type, const std::string& id, const std::string& data) {
    server_.received.push_back(type);
    if (type == "PING" || type == "PONG") return;
    if (type == "CLOSE") return end("user_close");
    const Json value = Json::parse(data, nullptr, false);
    if (type == "TERMINAL_INIT") {
      if (id != kId) return violation("TERMINAL_INIT with a wrong id");
      if (pty_ || counting_) return violation("a second TERMINAL_INIT");
      if (!value.is_object() || !value.contains("code")) return violation("TERMINAL_INIT without its members");
      return open_terminal(value.value("rows", 0), value.value("cols", 0));
    }
    if (!counting_ && !pty_) return violation(type + " before the terminal");
    if (type == "TERMINAL_RESIZE" && value.is_object()) {
      size_ = {value.value("rows", 0), value.value("cols", 0)};
      last_activity_ = Clock::now();
      if (pty_) pty_->resize(size_);
      screen_.resize(size_);
      return message("TERMINAL_RESIZE", Json{{"Width", size_.cols}, {"Height", size_.rows}}.dump());
    }
    if (type == "TERMINAL_DATA") return on_input(data);
    violation("a message of an unknown type: " + type);
  }

  // ---- The terminal

  void open_terminal(int rows, int cols) {
    if (rows < 1 || cols < 1) return violation("a terminal without a size");
    size_ = {rows, cols};
    screen_.resize(size_);
    counting_ = true;
    if (!options_.password_prompt.empty()) {
      asking_password_ = true;
      return output(options_.password_prompt);
    }
    output("Connecting to root(root)@10.0.0.5  0.0");
    counter_.repeat(std::max(milliseconds(1), options_.connecting / 3), [this] { count(); });
  }

  void count() {
    if (++counted_ <= 3) return output("\b\b\b0." + std::to_string(counted_));
    counter_.stop();
    if (!options_.connect_error.empty()) {
      output(" error: " + options_.connect_error + "\r\n");
      return end("connect_failed");
    }
    connect();
  }

  void connect() {
    std::vector<std::string> environment = options_.environment;
    environment.push_back("TERM=xterm");
    auto launched = transport::PtyTransport::launch(
        server_.loop_, {.argv = options_.shell, .environment = environment, .size = size_});
    if (!launched) return end("connect_failed");
    output("\r\n");
    const std::vector<std::function<void()>> steps = {
        [this] { message("TERMINAL_SESSION", session_data()); }, [this] { output("\033]2;ssh://root@10.0.0.5\a"); },
        [this] {
          message("TERMINAL_SHARE_USERS", "{}");
          message("TERMINAL_SHARE_JOIN", Json{{"user", "Alice(alice)"}, {"primary", true}, {"writable", true}}.dump());
        }};
    std::vector<int> order = {0, 1, 2};
    for (int i = 0; i < options_.order; ++i) std::next_permutation(order.begin(), order.end());
    for (const int step : order) steps[static_cast<std::size_t>(step)]();
    connected_ = true;
    counting_ = false;
    last_activity_ = Clock::now();
    server_.input.clear();
    pty_ = std::move(*launched);
    pty_->start({.on_bytes =
                     [this](std::string_view bytes) {
                       last_activity_ = Clock::now();
                       output(std::string(bytes));
                       if (socket_->unsent() > kMostUnsent) pty_->pause_reading();
                     },
                 .on_closed = [this](transport::Closed) { end("connect_disconnect"); },
                 .on_drained = {}});
  }

  std::string session_data() const {
    return Json{{"session",
                 {{"id", "s1"},
                  {"user", "Alice(alice)"},
                  {"asset", "web-01(10.0.0.5)"},
                  {"account", "root(root)"},
                  {"login_from", "WT"},
                  {"protocol", "ssh"}}},
                {"permission", {{"actions", options_.actions}}},
                {"backspaceAsCtrlH", options_.backspace_as_ctrl_h},
                {"ctrlCAsCtrlZ", options_.ctrl_c_as_ctrl_z},
                {"themeName", "Default"}}
        .dump();
  }

  void on_input(const std::string& bytes) {
    if (bytes.size() > 1024) violation("a message of more than 1024 bytes: koko would divide it");
    if (ends_inside_character(bytes)) violation("a message ends inside a character");
    last_activity_ = Clock::now();
    if (asking_password_) return take_password(bytes);
    if (!connected_) return violation("typed before the asset was connected");
    if (locked_) {
      server_.dropped += bytes;
      return;
    }
    if (review_ != Review::none) return answer(bytes);
    if (screen_.alternate()) return to_shell(bytes);
    const bool enter = bytes.find('\r') != std::string::npos || bytes.ends_with('\n');
    // The row before anything is typed is the prompt; a line that comes with its Enter is judged by an older one.
    if (typed_.empty() && !enter) prompt_ = screen_.line_at_cursor();
    typed_ += bytes;
    if (!enter) return to_shell(bytes);
    judge(bytes);
  }

  void judge(const std::string& packet) {
    KokoTyped record;
    std::string row = screen_.line_at_cursor();
    record.enter_alone = packet == "\r";
    if (record.enter_alone && row.starts_with(prompt_)) row.erase(0, prompt_.size());
    const std::string text = packet.substr(0, packet.find_first_of("\r\n"));
    record.line = row + text;
    while (record.line.ends_with(' ')) record.line.pop_back();
    std::string raw = typed_.substr(0, typed_.find_last_not_of("\r\n") + 1);
    record.echoed = !raw.empty() && without_blanks(row).ends_with(without_blanks(raw));
    typed_.clear();
    record.verdict = "accepted";
    for (const auto& filter : options_.filters) {
      std::smatch hit;
      if (!std::regex_search(record.line, hit, std::regex(filter.pattern))) continue;
      filter_hit_ = hit.str();
      held_ = packet;
      switch (filter.action) {
        case KokoFilter::Action::reject:
          record.verdict = "rejected";
          server_.typed.push_back(record);
          return forbid(filter_hit_);
        case KokoFilter::Action::review:
          record.verdict = "asked";
          server_.typed.push_back(record);
          return ask(Review::query, filled(texts_.review, record.line));
        case KokoFilter::Action::notify_and_warn:
          record.verdict = "asked";
          server_.typed.push_back(record);
          return ask(Review::risky, texts_.risky);
        case KokoFilter::Action::warning:
          record.verdict = "warned";
      }
      break;
    }
    server_.typed.push_back(record);
    to_shell(packet);
  }

  void forbid(const std::string& what) {
    output("\r\n" + red(filled(texts_.forbidden, what)));
    to_shell(kBreakLine);
  }

  void ask(Review kind, const std::string& question) {
    review_ = kind;
    question_ = question;
    output("\r\n" + question_);
  }

  void answer(const std::string& packet) {
    if (review_ == Review::running) {
      if (packet[0] != '\x03' && packet[0] != '\x04') {
        server_.dropped += packet;
        return;
      }
      review_ = Review::none;
      spinner_.stop();
      server_.typed.back().verdict = "cancelled";
      output("\r\n");
      return to_shell(kBreakLine);
    }
    if (packet != "y" && packet != "Y" && packet != "n" && packet != "N") return output("\r\n" + question_);
    const bool yes = packet == "y" || packet == "Y";
    const Review asked = std::exchange(review_, Review::none);
    if (!yes) {
      server_.typed.back().verdict = "declined";
      output("\r\n");
      return to_shell(kBreakLine);
    }
    if (asked == Review::risky) {
      server_.typed.back().verdict = "warned";
      return to_shell("\r\n");
    }
    review_ = Review::running;
    waited_ = 0;
    const std::string line = server_.typed.back().line;
    output("\r\n" + green(texts_.ticket) + "\r\n" + green(filled(texts_.reviewers, "Bob(bob)")) + "\r\n" +
           green(filled(texts_.copy_url, "https://jump.example.com/ui/#/tickets/1")) + "\r\n" +
           green(filled(texts_.please_wait, line)) + "\r\n");
    spinner_.repeat(options_.spinner, [this] {
      const std::string shown = ". . . " + std::to_string(++waited_) + "s";
      output(std::string(waited_ > 1 ? shown.size() : 0, '\b') + shown);
    });
  }

  void take_password(const std::string& bytes) {
    password_ += bytes;
    if (password_.find('\r') == std::string::npos) return;
    asking_password_ = false;
    output("\r\n");
    connect();
  }

  void to_shell(const std::string& bytes) {
    server_.input += bytes;
    if (pty_) pty_->send(bytes);
  }

  // ---- The end

  void hang_up(const std::string& words, const std::string& reason) {
    output("\n\r" + red(words));
    end(reason);
  }

  /// CLOSE; the socket stays, and nothing is answered any more.
  void end(const std::string& reason) {
    if (std::exchange(closed_, true)) return;
    counter_.stop();
    clock_.stop();
    spinner_.stop();
    if (options_.version == KokoVersion::v4)
      message("CLOSE", "");
    else
      envelope(7, Json{{"terminalId", terminal_}, {"reason", reason}}.dump());
    socket_->answers_close = false;
    server_.loop_.defer([self = shared_from_this()] { self->pty_.reset(); });
  }

  void tick() {
    const auto now = Clock::now();
    if (now - last_data_ >= options_.read_deadline) return socket_->drop();
    if (now - last_ping_ >= options_.ping_check) {
      last_ping_ = now;
      if (greeted_ && now - last_written_ >= options_.ping_quiet) message("PING", "");
    }
    if (!connected_) return;
    if (now - started_ >= options_.longest) return hang_up(texts_.longest, "max_session_timeout");
    if (now - last_activity_ >= options_.idle_limit) hang_up(filled(texts_.idle, "30"), "idle_disconnect");
  }

  KokoServer& server_;
  KokoOptions options_;
  const KokoTexts& texts_;
  std::shared_ptr<ServerSocket> socket_;
  terminal::Screen screen_{{.size = {24, 80}}};
  std::unique_ptr<transport::PtyTransport> pty_;
  base::Size size_{24, 80};
  std::uint32_t terminal_ = 0;
  bool greeted_ = false, counting_ = false, connected_ = false, closed_ = false, locked_ = false;
  bool asking_password_ = false;
  std::string password_, prompt_, typed_, held_, filter_hit_, question_;
  Review review_ = Review::none;
  int counted_ = 0, frames_ = 0, waited_ = 0;
  Clock::time_point last_data_, last_activity_, last_written_, started_, last_ping_ = Clock::now();
  event::Timer counter_, clock_, spinner_;
};

KokoServer::KokoServer(event::EventLoop& loop, KokoOptions options) : loop_(loop), options_(std::move(options)) {
  redeem = [this](const std::string& id) -> std::optional<KokoToken> {
    const auto found = tokens.find(id);
    if (found == tokens.end()) return std::nullopt;
    const KokoToken token = found->second;
    found->second.used = true;
    return token;
  };
}

KokoServer::~KokoServer() = default;

Reply KokoServer::handle(const HttpRequest& request, const std::optional<std::string>& owner) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/koko/ws/terminal") return reply(301, "", {{"Location", "/koko/ws/terminal/"}});
  if (path != "/koko/ws/terminal/") return reply(404, "404 page not found");
  if (!owner && options_.version == KokoVersion::v5 && !header(request, "authorization").empty())
    return reply(401, R"({"detail":"authentication failed"})");
  if (!owner) return reply(302, "", {{"Location", "/core/auth/login/?next=%2Fkoko%2Fws%2Fterminal%2F"}});
  if (!header(request, "origin").empty()) violations.push_back("an Origin header");
  const bool offered = header(request, "sec-websocket-protocol") == "JMS-KOKO";
  return upgrade(request, offered ? "JMS-KOKO" : "", [this, request, owner](std::shared_ptr<ServerSocket> socket) {
    KokoOptions options = options_;
    if (before_session) before_session(request, options);
    const std::string id = query_value(request.target, "token");
    auto session = std::make_shared<Session>(*this, std::move(options), language_of(request), std::move(socket));
    ++sessions_opened_;
    open_.push_back(session);
    session->start(redeem(id), id, *owner);
  });
}

void KokoServer::forget(Session* session) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const auto& one) { return one.get() == session; });
  if (found == open_.end()) return;
  // It is in the middle of a callback.
  loop_.defer([gone = std::move(*found)] {});
  open_.erase(found);
}

int KokoServer::open_sessions() const {
  return static_cast<int>(open_.size());
}
bool KokoServer::reviewing() const {
  return !open_.empty() && open_.back()->reviewing();
}
std::string KokoServer::size_seen() const {
  if (open_.empty()) return "";
  return std::to_string(open_.back()->size().rows) + " " + std::to_string(open_.back()->size().cols);
}
void KokoServer::lock(const std::string& admin) {
  open_.back()->lock(admin);
}
void KokoServer::unlock(const std::string& admin) {
  open_.back()->unlock(admin);
}
void KokoServer::terminate(const std::string& admin) {
  open_.back()->terminate(admin);
}
void KokoServer::expire_permission() {
  send_message("TERMINAL_PERM_EXPIRED", R"({"code":"perm_expired","detail":"expired"})");
}
void KokoServer::renew_permission() {
  send_message("TERMINAL_PERM_VALID", R"({"code":"perm_valid","detail":"OK"})");
}
void KokoServer::approve(const std::string& reviewer) {
  open_.back()->decide(true, reviewer);
}
void KokoServer::refuse(const std::string& reviewer) {
  open_.back()->decide(false, reviewer);
}
void KokoServer::send_message(const std::string& type, const std::string& data) {
  open_.back()->message(type, data);
}
void KokoServer::send_output(const std::string& bytes) {
  open_.back()->output(bytes);
}
void KokoServer::drop() {
  socket().drop();
}
ServerSocket& KokoServer::socket() {
  return open_.back()->socket();
}
void KokoServer::close_socket(int code, const std::string& reason) {
  open_.back()->socket().close(code, reason);
}

}  // namespace test_server
