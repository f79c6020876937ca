#pragma once

#include <sys/types.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "event/event_loop.h"
#include "event/fd_watch.h"
#include "event/timer.h"
#include "transport/ssh/ancestry.h"
#include "transport/ssh/askpass_message.h"
#include "transport/ssh/private_directory.h"
#include "transport/ssh/secret.h"

namespace transport {

/// Where the questions of one ssh arrive: a socket for its askpass helpers. Lets nobody ask but processes of ours that
/// descend from that ssh, one question at a time; everything about it is bounded.
class AskpassDesk {
 public:
  struct Question {
    AskpassRequest request;
    Descent asker;
  };
  /// Called from the loop; neither may destroy the desk.
  struct Events {
    std::function<void(const Question&)> on_question;   ///< answer() or refuse() is owed; the next one waits for it.
    std::function<void()> on_withdrawn;                 ///< Whoever asked is gone; nothing is owed any more.
    std::function<void(const std::string&)> on_notice;  ///< Something to do or to know, nothing to answer.
  };

  static base::Result<std::unique_ptr<AskpassDesk>> open(event::EventLoop& loop, Events events);
  ~AskpassDesk();

  std::string path() const { return directory_.socket_path(); }
  /// From now on descendants of this process may ask; nobody may before.
  void serve(pid_t ssh) { ssh_ = ssh; }

  void answer(const Secret& text);
  void refuse();

 private:
  struct Visitor {
    base::UniqueFd socket;
    Descent descent;
    std::string received;
    std::optional<AskpassRequest> request;
    std::unique_ptr<event::Timer> deadline;
    std::optional<event::FdWatch> watch;
  };

  AskpassDesk(event::EventLoop& loop, PrivateDirectory directory, base::UniqueFd socket, Events events);
  void accept_all();
  bool admit(base::UniqueFd socket);
  void read(Visitor& visitor);
  void heard(Visitor& visitor, const AskpassRequest& request);
  void drop(Visitor& visitor);
  void next();

  event::EventLoop& loop_;
  PrivateDirectory directory_;
  base::UniqueFd socket_;
  Events events_;
  pid_t ssh_ = 0;
  int admitted_ = 0;
  std::vector<std::unique_ptr<Visitor>> visitors_;
  Visitor* asking_ = nullptr;     ///< Whose question is open.
  std::deque<Visitor*> waiting_;  ///< Have asked and wait for their turn.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  event::FdWatch watch_;
};

}  // namespace transport
