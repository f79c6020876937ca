// Throughput and echo delay of a terminal through koko's WebSocket (KokoTransport: frames, clocks, flow control and
// all) against the barest libwebsockets client, on the same server, in turns, in one run. The server is a process of
// its own: it greets like koko, floods when it is told to and sends everything else back.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/support/rows.h"
#include "bench/ws/bare_client.h"
#include "tests/support/http_server.h"
#include "tests/support/websocket_server.h"
#include "transport/jumpserver/koko_transport.h"

namespace {

using Clock = std::chrono::steady_clock;
using test_server::HttpRequest;
using test_server::ServerSocket;

constexpr std::size_t kFrame = 1024;  // As koko reads its assets.
constexpr int kRounds = 5;
constexpr int kEchoes = 2000;

/// Greets, then floods with as many megabytes as the message "F<number>" says, and echoes everything else.
class Server {
 public:
  explicit Server(event::EventLoop& loop)
      : http_(loop, [this](const HttpRequest& request) {
          return test_server::upgrade(request, request.headers.count("sec-websocket-protocol") ? "JMS-KOKO" : "",
                                      [this](std::shared_ptr<ServerSocket> socket) { serve(std::move(socket)); });
        }) {}
  int port() const { return http_.port(); }

 private:
  struct Client {
    std::shared_ptr<ServerSocket> socket;
    std::size_t left = 0;
  };
  void serve(std::shared_ptr<ServerSocket> socket) {
    auto client = std::make_shared<Client>();
    client->socket = std::move(socket);
    clients_.push_back(client);
    Client* raw = client.get();
    raw->socket->on_drained = [this, raw] { flood(*raw); };
    raw->socket->on_message = [this, raw](bool text, const std::string& message) {
      if (text) {
        if (message.find("TERMINAL_INIT") != std::string::npos)
          raw->socket->send_text(R"({"id":"1","type":"TERMINAL_SESSION","data":"{}"})");
        return;
      }
      if (message[0] != 'F') return raw->socket->send_binary(message);
      raw->left = std::strtoul(message.c_str() + 1, nullptr, 10) * 1024 * 1024;
      flood(*raw);
    };
    raw->socket->send_text(R"({"id":"1","type":"CONNECT","data":"{}"})");
  }
  void flood(Client& client) {
    const std::string frame(kFrame, 'x');
    while (client.left > 0 && client.socket->unsent() < 512 * 1024) {
      client.left -= kFrame;
      client.socket->send_binary(frame);
    }
  }

  std::vector<std::shared_ptr<Client>> clients_;
  test_server::HttpServer http_;
};

int start_server(pid_t& child) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  child = fork();
  if (child == 0) {
    event::EventLoop loop;
    Server server(loop);
    const int port = server.port();
    (void)!write(ends[1], &port, sizeof port);
    loop.run();
    _exit(0);
  }
  int port = 0;
  (void)!read(ends[0], &port, sizeof port);
  return port;
}

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// jms' way: a terminal.
class Terminal {
 public:
  explicit Terminal(int port) {
    transport::jumpserver::KokoTicket ticket;
    ticket.url = "ws://127.0.0.1:" + std::to_string(port) + "/koko/ws/terminal/?token=1";
    transport_ = std::make_unique<transport::jumpserver::KokoTransport>(
        loop_, transport::jumpserver::KokoTransport::Target{ticket, {24, 80}, {}},
        transport::jumpserver::KokoTransport::Hooks{
            .on_progress = {}, .on_event = {}, .on_ready = [this] { ready_ = true; }});
    transport_->start({.on_bytes = [this](std::string_view bytes) { received += bytes.size(); },
                       .on_closed =
                           [](const transport::Closed& closed) {
                             std::fprintf(stderr, "closed: %s\n", closed.reason.c_str());
                             std::exit(1);
                           },
                       .on_drained = {}});
    run_until([this] { return ready_; });
  }
  void send(std::string_view bytes) { transport_->send(bytes); }
  void run_until(const std::function<bool()>& done) { loop_.run_until(done, std::chrono::minutes(2)); }

  std::size_t received = 0;

 private:
  event::EventLoop loop_;
  bool ready_ = false;
  std::unique_ptr<transport::jumpserver::KokoTransport> transport_;
};

template <typename Client>
double megabytes_a_second(Client& client, int megabytes) {
  client.received = 0;
  const std::size_t all = static_cast<std::size_t>(megabytes) * 1024 * 1024;
  const auto begun = Clock::now();
  client.send("F" + std::to_string(megabytes));
  client.run_until([&] { return client.received >= all; });
  return megabytes / seconds_since(begun);
}

template <typename Client>
double echo_delay_ms(Client& client) {
  std::vector<double> delays;
  for (int i = 0; i < kEchoes; ++i) {
    client.received = 0;
    const auto begun = Clock::now();
    client.send("k");
    client.run_until([&] { return client.received > 0; });
    delays.push_back(seconds_since(begun) * 1000);
  }
  return bench::median(delays);
}

}  // namespace

int main(int argc, char** argv) {
  const int megabytes = bench::quick(argc, argv) ? 8 : 32;
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) unsetenv(name);
  pid_t child = 0;
  const int port = start_server(child);
  std::vector<double> bare_rate, jms_rate, bare_delay, jms_delay;
  {
    bench::BareClient bare(port, "/");
    Terminal jms(port);
    // In turns, so that whatever else the machine does meets both.
    for (int round = 0; round < kRounds; ++round) {
      bare_rate.push_back(megabytes_a_second(bare, megabytes));
      jms_rate.push_back(megabytes_a_second(jms, megabytes));
      bare_delay.push_back(echo_delay_ms(bare));
      jms_delay.push_back(echo_delay_ms(jms));
    }
  }
  kill(child, SIGTERM);
  waitpid(child, nullptr, 0);
  using bench::Better;
  using bench::median;
  bench::print({std::to_string(megabytes) + " MiB in frames of 1 KiB", "MiB/s", median(jms_rate), "bare libwebsockets",
                median(bare_rate), Better::higher, bench::Goal{bench::Of::ratio, 0.7}});
  bench::print({"echo delay", "ms", median(jms_delay), "bare libwebsockets", median(bare_delay), Better::lower,
                bench::Goal{bench::Of::difference, 0.3}});
  return 0;
}
