// The ways to a terminal on an asset: which there are, and which one is taken.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/site_facts.h"

namespace transport::jumpserver {

/// How the terminal is reached once there is a token.
enum class Via { automatic, websocket, ssh };

/// What is to be opened.
struct OpenWish {
  AssetDetail detail;
  bool old = false;  ///< The detail may be up to a minute old.
  Account account;
  std::string protocol;  ///< Empty: the best permitted one.
  Via via = Via::automatic;
  bool may_wait_for_review = true;  ///< Somebody is there to be asked.
};

/// A door that has been chosen: by which way, with which protocol and connect method.
struct Door {
  Via via = Via::ssh;
  std::string protocol;
  std::string method;  ///< "web_cli", "ssh_client"
};

/// The door to take, and the one for the case that it does not open.
struct Doors {
  Door first;
  std::optional<Door> other;  ///< Never when the operator has said which way.
  std::string why;            ///< A line for the operator where the choice is not plain.
};

/// A way whose link took long to fail: for the next minutes the other one goes first.
class SlowWay {
 public:
  explicit SlowWay(KeptAnswers& kept) : kept_(kept) {}
  /// It failed after `time`.
  void failed(Via via, std::chrono::steady_clock::duration time);
  /// It opened.
  void opened(Via via);
  bool is(Via via) const;

 private:
  KeptAnswers& kept_;
};

/// Chooses the doors. Called from inside a fiber.
class DoorChooser {
 public:
  DoorChooser(CoreClient& client, SiteFacts& facts) : client_(client), facts_(facts) {}

  /// What choose() will want to know of the site, for whoever can ask for it sooner.
  static std::vector<Fact> wanted(const Credentials& credentials, Via via);

  /// The ways that the credential, the site and the protocol allow; the error says what is missing.
  CoreResult<Doors> choose(ConnectionSetup& setup, const OpenWish& wish);

 private:
  Doors quicker_first(Doors doors) const;

  CoreClient& client_;
  SiteFacts& facts_;
};

}  // namespace transport::jumpserver
