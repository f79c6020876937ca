// The life of one terminal of koko's: greeting, connecting, shell, clocks, end.
#include "tests/support/koko_session.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace test_server {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

constexpr std::size_t kMostUnsent = 64 * 1024;

/// Fine enough for the shortest of its clocks.
milliseconds tick_of(const KokoOptions& options) {
  const auto shortest =
      std::min({options.ping_check, options.idle_check, options.longest, options.read_deadline, milliseconds(1000)});
  return std::max(milliseconds(2), shortest / 4);
}

}  // namespace

KokoSession::KokoSession(event::EventLoop& loop, KokoNotes& notes, KokoOptions options, const std::string& language,
                         std::shared_ptr<ServerSocket> socket)
    : loop_(loop),
      notes_(notes),
      options_(std::move(options)),
      texts_(koko_texts(language)),
      socket_(std::move(socket)),
      wire_(options_, socket_, notes, wire_events()),
      filter_(loop, options_, texts_, screen_, notes,
              {.to_shell = [this](const std::string& bytes) { to_shell(bytes); },
               .to_client = [this](const std::string& bytes) { output(bytes); }}),
      counter_(loop),
      clock_(loop) {}

KokoWire::Events KokoSession::wire_events() {
  return {.on_open = [this](base::Size size) { open(size); },
          .on_resize = [this](base::Size size) { resize(size); },
          .on_input = [this](const std::string& bytes) { on_input(bytes); },
          .on_close = [this] { end("user_close"); }};
}

// ---- The beginning

void KokoSession::start(std::optional<KokoToken> token, const std::string& token_id, const std::string& owner) {
  listen();
  last_data_ = last_activity_ = started_ = Clock::now();
  clock_.repeat(tick_of(options_), [this] { tick(); });
  if (token_id.empty()) return refuse("connect token is nil");
  if (!token) return refuse("ConnectionToken object does not exist.");
  if (!token->error.empty()) return refuse(token->error);
  if (token->used) return refuse("Connection token expired at: 2026/01/06 08:30:00 +0000");
  if (token->owner != owner) return;  // koko says nothing at all.
  token_ = std::move(*token);
  message("CONNECT", greeting(owner));
  greeted_ = true;
}

/// A close frame is answered, but the line is left to the client to cut, and behind a refusal not even that.
void KokoSession::listen() {
  socket_->hangs_up = false;
  socket_->on_message = [this](bool text, const std::string& message) { on_message(text, message); };
  socket_->on_control = [this](ServerSocket::Opcode opcode, const std::string&) {
    if (opcode == ServerSocket::Opcode::close) let_go();
    wire_.take_control(opcode);
  };
  socket_->on_drained = [this] {
    if (pty_ && !closed_) pty_->resume_reading();
  };
  socket_->on_end = [this] {
    note_end();
    on_end();
  };
}

void KokoSession::refuse(const std::string& error) {
  wire_.message("ERROR", "", error);
  socket_->answers_close = false;
}

void KokoSession::note_end() {
  for (const auto& one : socket_->violations()) violation(one);
  constexpr int kWithoutAWord = 1006;
  notes_.ends.push_back({id_, socket_->close_code() != 0 ? socket_->close_code() : kWithoutAWord});
  filter_.stop();
  if (KokoListed* entry = listed(); entry && !entry->finished) entry->lost = Clock::now();
}

// ---- JumpServer's list of sessions

/// A session is listed when its terminal is asked for, before the asset is reached.
void KokoSession::list() {
  char text[64];
  std::snprintf(text, sizeof text, "da9bbdae-0fd0-4f0a-8edd-%012zx", notes_.listed.size() + 1);
  id_ = text;
  KokoListed entry{.id = id_, .user = token_.owner, .asset = where(), .account = who()};
  notes_.listed.push_back(std::move(entry));
}

KokoListed* KokoSession::listed() {
  for (auto& entry : notes_.listed)
    if (entry.id == id_) return &entry;
  return nullptr;
}

// ---- The beginning, as the client sees it

std::string KokoSession::greeting(const std::string& owner) const {
  return Json{{"user", {{"id", "u1"}, {"name", "Alice"}, {"username", owner}, {"lang", texts_.code}}},
              {"setting",
               {{"INTERFACE", {{"login_title", "JumpServer"}}},
                {"SECURITY_WATERMARK_ENABLED", options_.watermark},
                {"SECURITY_SESSION_SHARE", true}}},
              {"asset",
               {{"id", "a1"},
                {"name", token_.asset},
                {"address", token_.address},
                {"secret_info", {{"client_key", "PRIVATE-KEY-OF-THE-ASSET"}}}}}}
      .dump();
}

void KokoSession::open(base::Size size) {
  size_ = size;
  screen_.resize(size_);
  list();
  if (options_.password_prompt.empty()) return begin_connecting();
  asking_password_ = true;
  output(options_.password_prompt);
}

void KokoSession::begin_connecting() {
  if (options_.reused > 0) {
    output(filled(texts_.reused, {token_.account, token_.address, std::to_string(options_.reused)}) + "\r\n");
    return connect();
  }
  output(filled(texts_.connecting, {who(), token_.address}) + "  0.0");
  counter_.repeat(std::max(milliseconds(1), options_.connecting / 3), [this] { count(); });
}

void KokoSession::count() {
  if (counted_ < 3) return output("\b\b\b0." + std::to_string(counted_++));
  counter_.stop();
  output("\r\n");
  options_.connect_error.empty() ? connect() : fail_to_connect();
}

void KokoSession::fail_to_connect() {
  output(filled(texts_.connecting, {who(), token_.address}) + " error: " + options_.connect_error);
  output("\r\n");
  listed()->success = false;
  end("connect_failed");
}

void KokoSession::connect() {
  std::vector<std::string> environment = options_.environment;
  environment.push_back("TERM=xterm");  // Whatever the client's terminal is.
  auto launched =
      transport::PtyTransport::launch(loop_, {.argv = options_.shell, .environment = environment, .size = size_});
  if (!launched) return fail_to_connect();
  announce();
  start_shell(std::move(*launched));
}

/// The title and the messages that belong to a new session. Their order is koko's mood, but for the two about shares:
/// first who is there, then who comes.
void KokoSession::announce() {
  const std::vector<std::function<void()>> steps = {
      [this] { output("\033]2;ssh://" + token_.username + "@" + token_.address + "\a"); },
      [this] { message("TERMINAL_SESSION", session_data()); }, [this] { message("TERMINAL_SHARE_USERS", "{}"); },
      [this] {
        message("TERMINAL_SHARE_JOIN", Json{{"user", "Alice(alice)"}, {"primary", true}, {"writable", true}}.dump());
      }};
  std::vector<std::size_t> order = {0, 1, 2, 3};
  const auto users_first = [&order] {
    return std::find(order.begin(), order.end(), 2) < std::find(order.begin(), order.end(), 3);
  };
  for (int i = 0; i < options_.order; ++i) {
    do std::next_permutation(order.begin(), order.end());
    while (!users_first());
  }
  for (const std::size_t step : order) steps[step]();
}

std::string KokoSession::session_data() const {
  Json data = {{"session",
                {{"id", id_},
                 {"user", "Alice(alice)"},
                 {"asset", where()},
                 {"account", who()},
                 {"login_from", "WT"},
                 {"protocol", "ssh"}}},
               {"permission", {{"actions", options_.actions}}},
               {"ctrlCAsCtrlZ", options_.ctrl_c_as_ctrl_z},
               {"themeName", "Default"}};
  if (options_.backspace_as_ctrl_h) data["backspaceAsCtrlH"] = true;  // Not there otherwise.
  return data.dump();
}

void KokoSession::start_shell(std::unique_ptr<transport::PtyTransport> shell) {
  connected_ = true;
  last_activity_ = Clock::now();
  notes_.input.clear();
  pty_ = std::move(shell);
  pty_->start({.on_bytes =
                   [this](std::string_view bytes) {
                     last_activity_ = Clock::now();
                     host_output(std::string(bytes));
                     if (socket_->unsent() > kMostUnsent) pty_->pause_reading();
                   },
               .on_closed = [this](transport::Closed) { end("connect_disconnect"); },
               .on_drained = {}});
}

// ---- From the client

void KokoSession::on_message(bool text, const std::string& bytes) {
  last_data_ = Clock::now();
  if (closed_) return violation("a message after CLOSE");
  if (!greeted_) return violation("a message before CONNECT");
  wire_.take(text, bytes);
}

void KokoSession::on_input(const std::string& bytes) {
  last_activity_ = Clock::now();
  if (asking_password_) return take_password(bytes);
  if (!connected_) return violation("typed before the asset was connected");
  if (!locked_) return filter_.take(bytes);
  notes_.dropped += bytes;
}

void KokoSession::take_password(const std::string& bytes) {
  password_ += bytes;
  if (password_.find('\r') == std::string::npos) return;
  asking_password_ = false;
  output("\r\n");
  begin_connecting();
}

void KokoSession::resize(base::Size size) {
  size_ = size;
  last_activity_ = Clock::now();
  if (pty_) pty_->resize(size_);
  screen_.resize(size_);
  message("TERMINAL_RESIZE", Json{{"Width", size_.cols}, {"Height", size_.rows}}.dump());
}

// ---- To both sides

/// koko's own words.
void KokoSession::output(const std::string& bytes) {
  screen_.write(bytes);
  wire_.output(bytes);
}

void KokoSession::host_output(const std::string& bytes) {
  output(bytes);
  filter_.feed(bytes);
}

void KokoSession::to_shell(const std::string& bytes) {
  notes_.input += bytes;
  if (pty_) pty_->send(bytes);
}

// ---- Administrators, clocks, the end

void KokoSession::lock(const std::string& admin) {
  locked_ = true;
  message("TERMINAL_SESSION_PAUSE", Json{{"user", admin}}.dump());
}

void KokoSession::unlock(const std::string& admin) {
  locked_ = false;
  message("TERMINAL_SESSION_RESUME", Json{{"user", admin}}.dump());
}

void KokoSession::terminate(const std::string& admin) {
  hang_up(filled(texts_.terminated, admin), "admin_terminate");
}

void KokoSession::end_permission() {
  hang_up(texts_.expired, "permission_expired");
}

void KokoSession::tick() {
  const auto now = Clock::now();
  if (!closed_ && now - last_data_ >= options_.read_deadline) {
    let_go();
    return socket_->drop();
  }
  if (now - last_ping_ >= options_.ping_check) {
    last_ping_ = now;
    if (greeted_ && now - wire_.last_written() >= options_.ping_quiet) message("PING", "");
  }
  if (!connected_ || closed_) return;
  if (now - started_ >= options_.longest) return hang_up(texts_.longest, "max_session_timeout");
  if (now - last_activity_ >= options_.idle_limit) hang_up(filled(texts_.idle, "30"), "idle_disconnect");
}

void KokoSession::hang_up(const std::string& words, const std::string& reason) {
  output("\n\r" + as_warning(words));
  end(reason);
}

/// CLOSE; the socket stays, and pings go on as if nothing had happened.
void KokoSession::end(const std::string& reason) {
  if (let_go()) wire_.close(reason);
}

/// The shell goes, the session is finished. False when that was so already.
bool KokoSession::let_go() {
  if (std::exchange(closed_, true)) return false;
  counter_.stop();
  filter_.stop();
  if (KokoListed* entry = listed()) entry->finished = true;
  loop_.defer([self = shared_from_this()] { self->pty_.reset(); });
  return true;
}

}  // namespace test_server
