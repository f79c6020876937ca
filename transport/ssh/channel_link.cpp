// Opening channels, and a channel as the link to the next hop.

#include <libssh2.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "transport/ssh/ssh_channel.h"

namespace transport {
namespace {

constexpr std::size_t kMostReceived = 1024 * 1024;
constexpr std::size_t kWindow = 2 * 1024 * 1024;

std::string last_error(SshSession& session) {
  char* text = nullptr;
  libssh2_session_last_error(session.native(), &text, nullptr, 0);
  return text == nullptr ? "" : text;
}

/// Why a bastion did not open the way, and what to do about it.
std::string tunnel_refusal(SshSession& session, const std::string& target) {
  const std::string bastion = session.settings().label();
  const std::string error = last_error(session);
  if (error.find("administratively prohibited") != std::string::npos)
    return bastion + " does not forward connections (to " + target +
           "); ask whoever runs it to allow it (AllowTcpForwarding)";
  if (error.find("connect failed") != std::string::npos)
    return bastion + " cannot reach " + target + "; check the name and the port as the bastion sees them";
  return bastion + " refuses the way to " + target + " (" + error + ")";
}

}  // namespace

ChannelLink::ChannelLink(std::unique_ptr<SshSession> session, _LIBSSH2_CHANNEL* channel)
    : session_(std::move(session)), channel_(*session_, channel, SshChannel::Pace::full) {
  SshChannel::Events events;
  events.on_bytes = [this](std::string_view bytes) {
    received_ += bytes;
    if (received_.size() - taken_ > kMostReceived) channel_.pause_reading();
    announce();
  };
  events.on_end = [this] {
    ended_ = true;
    announce();
  };
  events.on_lost = [this](const std::string& reason) {
    ended_ = true;
    complaint_ = reason;
    announce();
  };
  events.on_drained = [this] { announce(); };
  channel_.start(std::move(events));
}

ChannelLink::~ChannelLink() {
  session_->set_on_ready(nullptr);
}

ssize_t ChannelLink::receive(char* buffer, std::size_t size) {
  const std::size_t available = received_.size() - taken_;
  if (available == 0) return ended_ ? 0 : -EAGAIN;
  const std::size_t count = std::min(available, size);
  std::memcpy(buffer, received_.data() + taken_, count);
  taken_ += count;
  if (taken_ == received_.size() || taken_ > kMostReceived / 2) {
    received_.erase(0, taken_);
    taken_ = 0;
    channel_.resume_reading();
  }
  return static_cast<ssize_t>(count);
}

base::Result<std::unique_ptr<ByteLink>> open_tunnel(ConnectionSetup& setup, std::unique_ptr<SshSession> session,
                                                    const std::string& host, int port,
                                                    std::chrono::milliseconds limit) {
  LIBSSH2_CHANNEL* channel = nullptr;
  const int status = session->repeat(setup, limit, [&] {
    channel = libssh2_channel_direct_tcpip_ex(session->native(), host.c_str(), port, "127.0.0.1", 0);
    return channel != nullptr ? 0 : libssh2_session_last_errno(session->native());
  });
  const std::string target = host + " port " + std::to_string(port);
  if (status == LIBSSH2_ERROR_CHANNEL_FAILURE) return base::fail(tunnel_refusal(*session, target));
  if (status == SshSession::kTimedOut)
    return base::fail(session->settings().label() + " finds no way to " + target + " in time; check the address");
  if (channel == nullptr) return base::fail(session->failure(status, "opening the way to " + target));
  return std::make_unique<ChannelLink>(std::move(session), channel);
}

base::Result<_LIBSSH2_CHANNEL*> open_shell(ConnectionSetup& setup, SshSession& session, const ShellRequest& request,
                                           std::chrono::milliseconds limit) {
  LIBSSH2_CHANNEL* channel = nullptr;
  int status = session.repeat(setup, limit, [&] {
    channel =
        libssh2_channel_open_ex(session.native(), "session", 7, kWindow, LIBSSH2_CHANNEL_PACKET_DEFAULT, nullptr, 0);
    return channel != nullptr ? 0 : libssh2_session_last_errno(session.native());
  });
  if (status == LIBSSH2_ERROR_CHANNEL_FAILURE)
    return base::fail(session.settings().label() + " opens no session (" + last_error(session) +
                      "); the account may be limited to forwarding");
  if (channel == nullptr) return base::fail(session.failure(status, "opening a session"));
  const auto step = [&](const std::function<int()>& call) { return session.repeat(setup, limit, call); };
  for (const auto& variable : request.environment) {
    const std::string& name = variable.first;
    const std::string& value = variable.second;
    // Most servers take few names, or none; that is no error.
    status = step([&] {
      return libssh2_channel_setenv_ex(channel, name.data(), static_cast<unsigned>(name.size()), value.data(),
                                       static_cast<unsigned>(value.size()));
    });
    if (status != 0 && status != LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED)
      return base::fail(session.failure(status, "passing on the environment"));
  }
  if (request.pty) {
    status = step([&] {
      return libssh2_channel_request_pty_ex(channel, request.term.data(), static_cast<unsigned>(request.term.size()),
                                            nullptr, 0, request.size.cols, request.size.rows, 0, 0);
    });
    if (status == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED)
      return base::fail(session.settings().label() + " gives no terminal (PermitTTY?); ask whoever runs it");
    if (status != 0) return base::fail(session.failure(status, "asking for a terminal"));
  }
  step([&] { return libssh2_channel_handle_extended_data2(channel, LIBSSH2_CHANNEL_EXTENDED_DATA_MERGE); });
  const bool shell = request.command.empty();
  status = step([&] {
    return libssh2_channel_process_startup(channel, shell ? "shell" : "exec", shell ? 5 : 4,
                                           shell ? nullptr : request.command.data(),
                                           static_cast<unsigned>(request.command.size()));
  });
  if (status == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED)
    return base::fail(session.settings().label() + " starts no " + (shell ? "shell" : "command") +
                      "; the account may be limited to forwarding");
  if (status != 0) return base::fail(session.failure(status, "starting the shell"));
  return channel;
}

}  // namespace transport
