#include "http/client.h"

#include <curl/curl.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <map>
#include <stdexcept>

#include "base/free.h"
#include "base/words.h"
#include "event/fd_watch.h"
#include "event/timer.h"
#include "http/failure.h"

namespace http {
namespace {

using EasyPtr = std::unique_ptr<CURL, base::Free<curl_easy_cleanup>>;
using ListPtr = std::unique_ptr<curl_slist, base::Free<curl_slist_free_all>>;

// One turn of libcurl never brings this much, except when a few bytes unpack to very many.
constexpr std::size_t kMaxInbox = 8u << 20;
constexpr std::size_t kMaxHead = 256u << 10;

void start_libcurl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK)
    throw std::runtime_error(std::string("cannot start libcurl: ") + curl_easy_strerror(started));
}

/// "Name: value" lines; a line break inside would smuggle in a header of its own.
std::optional<ListPtr> header_list(const Request& request) {
  ListPtr list;
  const auto add = [&list](const std::string& line) { list.reset(curl_slist_append(list.release(), line.c_str())); };
  // Announced before our own, so that an operator's extra header may say otherwise.
  add("Expect:");
  add("Accept-Encoding: identity");
  for (const auto& [name, value] : request.headers) {
    if (name.empty() || (name + value).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
      return std::nullopt;
    add(value.empty() ? name + ";" : name + ": " + value);
  }
  return list;
}

}  // namespace

std::string_view Head::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return {};
}

/// The libcurl multi handle, its sockets and its one timer.
class Client::Multi : public std::enable_shared_from_this<Multi> {
 public:
  explicit Multi(event::EventLoop& loop) : loop_(loop), timer_(loop) {
    start_libcurl();
    handle_.reset(curl_multi_init());
    if (!handle_) throw std::runtime_error("cannot start libcurl: out of memory");
    curl_multi_setopt(handle_.get(), CURLMOPT_SOCKETFUNCTION, &Multi::on_socket);
    curl_multi_setopt(handle_.get(), CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(handle_.get(), CURLMOPT_TIMERFUNCTION, &Multi::on_timer);
    curl_multi_setopt(handle_.get(), CURLMOPT_TIMERDATA, this);
  }
  ~Multi() {
    // Closing connections still reports sockets; nobody may be told any more.
    curl_multi_setopt(handle_.get(), CURLMOPT_TIMERFUNCTION, nullptr);
    handle_.reset();
  }

  event::EventLoop& loop() { return loop_; }
  void add(const std::shared_ptr<Job>& job);
  void remove(Job& job);

 private:
  static int on_socket(CURL*, curl_socket_t fd, int what, void* self, void*) {
    return static_cast<Multi*>(self)->watch(fd, what);
  }
  static int on_timer(CURLM*, long delay_ms, void* self) {
    auto& multi = *static_cast<Multi*>(self);
    if (delay_ms < 0)
      multi.timer_.stop();
    else
      multi.timer_.start(std::chrono::milliseconds(delay_ms), [&multi] { multi.act(CURL_SOCKET_TIMEOUT, 0); });
    return 0;
  }

  int watch(curl_socket_t fd, int what) {
    if (what == CURL_POLL_REMOVE) {
      watches_.erase(fd);
      return 0;
    }
    const event::Readiness wanted{(what & CURL_POLL_IN) != 0, (what & CURL_POLL_OUT) != 0};
    if (const auto known = watches_.find(fd); known != watches_.end()) {
      known->second->want(wanted);
      return 0;
    }
    try {
      watches_[fd] = std::make_unique<event::FdWatch>(loop_, fd, wanted, [this, fd](event::Readiness ready) {
        act(fd, (ready.read ? CURL_CSELECT_IN : 0) | (ready.write ? CURL_CSELECT_OUT : 0));
      });
    } catch (const std::exception&) {
      watches_.erase(fd);
      return -1;  // libcurl fails the transfer
    }
    return 0;
  }

  void act(curl_socket_t fd, int ready);
  void collect_ended();

  event::EventLoop& loop_;
  event::Timer timer_;
  std::map<curl_socket_t, std::unique_ptr<event::FdWatch>> watches_;
  std::unique_ptr<CURLM, base::Free<curl_multi_cleanup>> handle_;
  std::vector<std::weak_ptr<Job>> jobs_;
};

/// One request: what libcurl calls back is kept here and handed on when libcurl has returned, because only then may the
/// receiver destroy the request.
class Client::Job : public std::enable_shared_from_this<Job> {
 public:
  Job(std::shared_ptr<Multi> multi, Request request, Events events)
      : multi_(std::move(multi)), request_(std::move(request)), events_(std::move(events)) {}
  ~Job() { cancel(); }

  void begin() {
    auto list = header_list(request_);
    if (!list) return fail_later("a header from the settings contains a line break; correct it");
    list_ = std::move(*list);
    easy_.reset(curl_easy_init());
    if (!easy_) return fail_later("cannot start a request: out of memory");
    set_options();
    multi_->add(shared_from_this());
    added_ = true;
  }

  void cancel() {
    cancelled_ = true;
    if (std::exchange(added_, false)) multi_->remove(*this);
    easy_.reset();
  }

  void end(CURLcode code) {
    ended_ = true;
    if (code != CURLE_OK) failure_ = describe_failure(code, request_, error_.data());
    if (too_much_)
      failure_ = Failure{"the server sent compressed data that unpacks beyond all bounds; it was given up"};
  }

  /// Hands on what has come. The receiver may destroy the request in any of the calls.
  void deliver() {
    const auto self = shared_from_this();
    if (!cancelled_ && head_ready_ && !std::exchange(head_told_, true) && events_.on_head) events_.on_head(head_);
    if (!cancelled_ && !inbox_.empty()) {
      std::string bytes = std::exchange(inbox_, {});
      if (events_.on_bytes) events_.on_bytes(bytes);
      bytes.clear();
      if (inbox_.empty()) inbox_ = std::move(bytes);  // keeps its room
    }
    if (cancelled_ || !ended_) return;
    cancel();
    if (auto on_end = std::move(events_.on_end)) on_end(std::move(failure_));
  }

  CURL* easy() { return easy_.get(); }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(easy_.get(), option, value);
  }

  void set_options() {
    set(CURLOPT_URL, request_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_QUICK_EXIT, 1L);  // cancelling must not wait for a name server
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout.count()));
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_USERAGENT, "jms");
    set(CURLOPT_HTTPHEADER, list_.get());
    set(CURLOPT_ACCEPT_ENCODING, "");  // unpack what a rude proxy packs; our header asks for plain text
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!request_.ca_file.empty()) set(CURLOPT_CAINFO, request_.ca_file.c_str());
    if (!request_.proxy.empty()) set(CURLOPT_PROXY, request_.proxy.c_str());
    if (!request_.unix_socket.empty()) {
      set(CURLOPT_UNIX_SOCKET_PATH, request_.unix_socket.c_str());
      set(CURLOPT_PROXY, "");
    }
    if (request_.method != "GET") {
      set(CURLOPT_POST, 1L);
      set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
      set(CURLOPT_POSTFIELDS, request_.body.data());
    }
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &Job::on_write);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_HEADERFUNCTION, &Job::on_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_SOCKOPTFUNCTION, &Job::on_new_socket);
  }

  static std::size_t on_write(char* data, std::size_t, std::size_t size, void* self) {
    auto& job = *static_cast<Job*>(self);
    if (job.inbox_.size() + size > kMaxInbox) {
      job.too_much_ = true;
      return 0;
    }
    job.inbox_.append(data, size);
    return size;
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) {
    static_cast<Job*>(self)->take_header({data, size});
    return size;
  }

  static int on_new_socket(void*, curl_socket_t fd, curlsocktype) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);  // commands we run must not inherit it
    return CURL_SOCKOPT_OK;
  }

  void take_header(std::string_view line) {
    head_bytes_ += line.size();
    if (line.starts_with("HTTP/")) {
      head_ = {};  // a new one: what came before was "100 Continue" or the like
      const auto space = line.find(' ');
      if (space != std::string_view::npos)
        std::from_chars(line.data() + space + 1, line.data() + line.size(), head_.status);
      return;
    }
    if (line == "\r\n" || line == "\n") {
      head_ready_ = head_ready_ || head_.status >= 200;
      return;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || head_ready_ || head_bytes_ > kMaxHead) return;  // after the body: trailers
    head_.headers.emplace_back(base::lower_case(line.substr(0, colon)), base::trimmed(line.substr(colon + 1)));
  }

  void fail_later(std::string message) {
    ended_ = true;
    failure_ = Failure{std::move(message)};
    multi_->loop().defer([weak = weak_from_this()] {
      if (const auto job = weak.lock()) job->deliver();
    });
  }

  std::shared_ptr<Multi> multi_;
  Request request_;
  Events events_;
  ListPtr list_;
  EasyPtr easy_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  Head head_;
  std::size_t head_bytes_ = 0;
  std::string inbox_;
  std::optional<Failure> failure_;
  bool added_ = false, cancelled_ = false, ended_ = false;
  bool head_ready_ = false, head_told_ = false, too_much_ = false;
};

/// What the caller holds.
class Client::Handle : public Transfer {
 public:
  explicit Handle(std::shared_ptr<Job> job) : job_(std::move(job)) {}
  ~Handle() override { job_->cancel(); }

 private:
  std::shared_ptr<Job> job_;
};

void Client::Multi::add(const std::shared_ptr<Job>& job) {
  jobs_.push_back(job);
  curl_multi_add_handle(handle_.get(), job->easy());
}

void Client::Multi::remove(Job& job) {
  curl_multi_remove_handle(handle_.get(), job.easy());
  const auto gone = [&job](const std::weak_ptr<Job>& entry) {
    const auto held = entry.lock();
    return !held || held.get() == &job;
  };
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(), gone), jobs_.end());
}

void Client::Multi::act(curl_socket_t fd, int ready) {
  const auto self = shared_from_this();
  int running = 0;
  curl_multi_socket_action(handle_.get(), fd, ready, &running);
  collect_ended();
  // A copy: receivers may start and destroy requests.
  for (const auto& entry : std::vector(jobs_))
    if (const auto job = entry.lock()) job->deliver();
}

void Client::Multi::collect_ended() {
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(handle_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode result = message->data.result;
    char* job = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &job);
    if (job) reinterpret_cast<Job*>(job)->end(result);
  }
}

Client::Client(event::EventLoop& loop) : multi_(std::make_shared<Multi>(loop)) {}
Client::~Client() = default;

std::unique_ptr<Client::Transfer> Client::start(Request request, Events events) {
  auto job = std::make_shared<Job>(multi_, std::move(request), std::move(events));
  job->begin();
  return std::make_unique<Handle>(std::move(job));
}

}  // namespace http
