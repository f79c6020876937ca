#include "transport/ssh/ssh_session.h"

#include <libssh2.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/words.h"

namespace transport {
namespace {

using std::chrono::milliseconds;

// The channel window (2 MB) with the overhead of small packets fits many times; a server that floods us with packets
// nobody asked for does not.
constexpr std::size_t kMostMemory = 64 * 1024 * 1024;
constexpr std::size_t kLargestPiece = 4 * 1024 * 1024;
constexpr std::size_t kMostUnsent = 4 * 1024 * 1024;

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 200))
    if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) result += c;
  return result;
}

/// Of the library that was loaded, which need not be the one we were built with.
int running_version() {
  return libssh2_version(kStrictKeyExchange) != nullptr ? kStrictKeyExchange : 0;
}

void start_libssh2_once() {
  static const bool kStarted = libssh2_init(0) == 0;
  if (!kStarted) throw std::runtime_error("libssh2 does not start");
}

}  // namespace

std::string libssh2_mismatch() {
  // 1.11 changed the layout of keyboard-interactive's prompts and kept its name for the loader.
  constexpr int kNewLayout = 0x010b00;
  const bool runs_new = libssh2_version(kNewLayout) != nullptr;
  if (runs_new == (LIBSSH2_VERSION_NUM >= kNewLayout)) return "";
  return std::string("jms was built for libssh2 ") + LIBSSH2_VERSION + " and finds " + libssh2_version(0);
}

/// The C side: finds the session again and passes on.
struct SessionCallbacks {
  static SshSession& self(void** abstract) { return *static_cast<SshSession*>(*abstract); }

  static LIBSSH2_ALLOC_FUNC(allocate) { return self(abstract).allocate(count); }
  static LIBSSH2_FREE_FUNC(release) { self(abstract).release(ptr); }
  static LIBSSH2_REALLOC_FUNC(resize) { return self(abstract).resize(ptr, count); }

  static ssize_t receive(libssh2_socket_t, void* buffer, std::size_t length, int, void** abstract) {
    return self(abstract).receive(static_cast<char*>(buffer), length);
  }
  static ssize_t send(libssh2_socket_t, const void* buffer, std::size_t length, int, void** abstract) {
    SshSession& session = self(abstract);
    // A peer that sends and never reads would have us keep our answers for ever.
    if (session.link_->unsent() > kMostUnsent) return -ENOBUFS;
    if (!session.over_) session.link_->send({static_cast<const char*>(buffer), length});
    return static_cast<ssize_t>(length);
  }
  static void disconnect(LIBSSH2_SESSION*, int, const char* message, int length, const char*, int, void** abstract) {
    const std::string text = length > 0 ? printable({message, static_cast<std::size_t>(length)}) : "";
    self(abstract).goodbye_ = text.empty() ? "no reason given" : text;
  }
  static void ignore(LIBSSH2_SESSION*, const char*, int length, void** abstract) {
    if (length > 0) self(abstract).mirrored_ += static_cast<std::uint64_t>(length);
  }
};

SshSession::SshSession(event::EventLoop& loop, std::unique_ptr<ByteLink> link, HostSettings settings)
    : loop_(loop), link_(std::move(link)), settings_(std::move(settings)) {
  start_libssh2_once();
  session_ =
      libssh2_session_init_ex(SessionCallbacks::allocate, SessionCallbacks::release, SessionCallbacks::resize, this);
  if (session_ == nullptr) throw std::bad_alloc();
  libssh2_session_set_blocking(session_, 0);
  const auto set = [&](int which, auto* function) {
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(session_, which, reinterpret_cast<libssh2_cb_generic*>(function));
#else
    libssh2_session_callback_set(session_, which, reinterpret_cast<void*>(function));
#endif
  };
  set(LIBSSH2_CALLBACK_RECV, &SessionCallbacks::receive);
  set(LIBSSH2_CALLBACK_SEND, &SessionCallbacks::send);
  set(LIBSSH2_CALLBACK_DISCONNECT, &SessionCallbacks::disconnect);
  set(LIBSSH2_CALLBACK_IGNORE, &SessionCallbacks::ignore);
}

SshSession::~SshSession() {
  link_->set_on_ready(nullptr);
  if (!is_over()) libssh2_session_disconnect(session_, "closed by the user");
  over_ = true;  // Freeing would wait for the peer; a dead link has none.
  end_told_ = true;
  wiping_ = true;
  libssh2_session_free(session_);
  release_leftovers();
}

/// What stands before each piece of memory that libssh2 gets.
struct alignas(std::max_align_t) SshSession::Block {
  Block* before;
  Block* after;
  std::size_t size;

  void* memory() { return this + 1; }
  static Block* of(void* memory) { return static_cast<Block*>(memory) - 1; }
};

void* SshSession::allocate(std::size_t size) {
  if (size > kLargestPiece || allocated_ > kMostMemory) return nullptr;
  auto* block = static_cast<Block*>(std::malloc(sizeof(Block) + size));
  if (block == nullptr) return nullptr;
  *block = {nullptr, blocks_, size};
  if (blocks_ != nullptr) blocks_->before = block;
  blocks_ = block;
  allocated_ += size;
  return block->memory();
}

void SshSession::release(void* memory) {
  if (memory == nullptr) return;
  Block* block = Block::of(memory);
  (block->before == nullptr ? blocks_ : block->before->after) = block->after;
  if (block->after != nullptr) block->after->before = block->before;
  allocated_ -= block->size;
  if (wiping_) OPENSSL_cleanse(memory, block->size);
  std::free(block);
}

void* SshSession::resize(void* memory, std::size_t size) {
  void* moved = allocate(size);
  if (moved == nullptr || memory == nullptr) return moved;
  std::memcpy(moved, memory, std::min(size, Block::of(memory)->size));
  release(memory);
  return moved;
}

void SshSession::release_leftovers() {
  while (blocks_ != nullptr) release(blocks_->memory());
}

ssize_t SshSession::receive(char* buffer, std::size_t size) {
  if (over_) return -ECONNRESET;
  if (end_) return end_told_ ? *end_ : -EAGAIN;
  const ssize_t count = link_->receive(buffer, size);
  if (count == -EAGAIN) return count;
  if (count > 0) return take_received(count, buffer);
  // libssh2 drops the packets it has decrypted when it meets the end while it reads on; so it first gets to hand them
  // out, and meets the end at the next call.
  end_ = count;
  loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    end_told_ = true;
    link_->announce();
  });
  return -EAGAIN;
}

ssize_t SshSession::take_received(ssize_t count, const char* buffer) {
  last_received_ = std::chrono::steady_clock::now();
  if (sniffer_.done()) return count;
  sniffer_.feed({buffer, static_cast<std::size_t>(count)});
  if (!sniffer_.done()) return count;
  if (sniffer_.offer()) decision_ = choose_engine(settings_, *sniffer_.offer(), wanted_);
  if (sniffer_.trouble().empty() && decision_.engine == SshEngine::libssh2) return count;
  over_ = true;
  return -ECONNABORTED;
}

AlgorithmLists SshSession::supported() const {
  const auto list = [&](int method) {
    const char** names = nullptr;
    const int count = libssh2_session_supported_algs(session_, method, &names);
    std::vector<std::string> result(names, names + (count > 0 ? count : 0));
    if (count > 0) libssh2_free(session_, names);
    return result;
  };
  return without_unsound({list(LIBSSH2_METHOD_KEX), list(LIBSSH2_METHOD_HOSTKEY), list(LIBSSH2_METHOD_CRYPT_CS),
                          list(LIBSSH2_METHOD_MAC_CS)},
                         running_version());
}

void SshSession::set_methods(const AlgorithmLists& wanted) {
  const std::pair<int, const std::vector<std::string>&> methods[] = {
      {LIBSSH2_METHOD_KEX, wanted.kex},          {LIBSSH2_METHOD_HOSTKEY, wanted.host_keys},
      {LIBSSH2_METHOD_CRYPT_CS, wanted.ciphers}, {LIBSSH2_METHOD_CRYPT_SC, wanted.ciphers},
      {LIBSSH2_METHOD_MAC_CS, wanted.macs},      {LIBSSH2_METHOD_MAC_SC, wanted.macs}};
  for (const auto& [method, names] : methods)
    libssh2_session_method_pref(session_, method, base::joined(names, ",").c_str());
}

base::Result<EngineDecision> SshSession::handshake(ConnectionSetup& setup, const std::vector<std::string>& known_types,
                                                   milliseconds limit) {
  wanted_ = wanted_algorithms(supported(), settings_, known_types);
  set_methods(wanted_);
  const int status = repeat(setup, limit, [&] { return libssh2_session_handshake(session_, link_->descriptor()); });
  if (decision_.engine == SshEngine::openssh) return decision_;
  if (status == 0) return decision_;
  const std::string where = settings_.host_name + " port " + std::to_string(settings_.port);
  if (!sniffer_.trouble().empty()) return base::fail(where + ": " + sniffer_.trouble() + "; check host and port");
  if (sniffer_.banner().empty() && !sniffer_.other_words().empty() && status != kCancelled)
    return base::fail(where + ": it is not an SSH server (it says \"" + sniffer_.other_words() +
                      "\"); check host and port");
  if (status == kTimedOut && sniffer_.banner().empty())
    return base::fail(where +
                      " accepts connections but does not answer as an SSH server; check the port, or a firewall");
  return base::fail(failure(status, sniffer_.banner().empty() ? "saying hello" : "agreeing on keys"));
}

std::string SshSession::host_key() const {
  std::size_t size = 0;
  int type = 0;
  const char* key = libssh2_session_hostkey(session_, &size, &type);
  return key == nullptr ? "" : std::string(key, size);
}

int SshSession::repeat(ConnectionSetup& setup, milliseconds limit, const std::function<int()>& call) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now() - setup.time_asking();
  link_->set_on_ready([&fiber = setup.fiber()] { fiber.wake(); });
  int status = LIBSSH2_ERROR_EAGAIN;
  while ((status = call()) == LIBSSH2_ERROR_EAGAIN) {
    const auto used = Clock::now() - setup.time_asking() - begin;
    const auto left = std::chrono::ceil<milliseconds>(limit - used);
    const auto woken = left.count() <= 0 ? event::Fiber::Woken::by_deadline : setup.fiber().wait(left);
    if (woken == event::Fiber::Woken::by_event) continue;
    status = woken == event::Fiber::Woken::cancelled ? kCancelled : kTimedOut;
    break;
  }
  link_->set_on_ready(nullptr);
  return status;
}

std::string SshSession::failure(int status, std::string_view doing) const {
  const std::string who = settings_.label();
  const std::string while_doing = " while " + std::string(doing);
  if (status == kCancelled) return "cancelled";
  if (!goodbye_.empty()) return who + " ended the connection" + while_doing + ": " + goodbye_;
  const std::string complaint = end_ ? link_->complaint() : "";
  if (!complaint.empty()) return "the connection to " + who + " ended" + while_doing + ": " + complaint;
  if (status == kTimedOut) return who + " stopped answering" + while_doing + "; check the network and try again";
  if (end_ && *end_ == 0) return who + " closed the connection" + while_doing + "; try again, or ask whoever runs it";
  if (end_)
    return "the connection to " + who + " broke" + while_doing + ": " +
           std::generic_category().message(static_cast<int>(-*end_));
  char* text = nullptr;
  libssh2_session_last_error(session_, &text, nullptr, 0);
  return who + " breaks the SSH protocol" + while_doing + " (" + printable(text == nullptr ? "" : text) + ", " +
         std::to_string(status) + "); try ssh_engine=openssh";
}

}  // namespace transport
