#pragma once

#include <map>
#include <optional>
#include <vector>

#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/kept_answers.h"

namespace transport::jumpserver {

/// Something about the site, or about the user there, that is the same for every asset.
enum class Fact {
  nodes,     ///< Object: node id to full path. They feed the rules of hosts: never older than an asset's own facts.
  methods,   ///< Object: protocol to the connect methods it has.
  settings,  ///< Object: "idle" (minutes), "longest" (hours), "ssh" (whether the SSH port is switched on).
  tickets,   ///< Whether koko gives connect tickets (v5): then its WebSocket wants no web session.
};

/// What core says of the site, asked once and kept. Called from inside a fiber.
class SiteFacts {
 public:
  SiteFacts(CoreClient& client, KeptAnswers& kept) : client_(client), kept_(kept) {}

  /// Asks for those of `facts` that are not known, side by side with `calls`, whose answers it gives back.
  std::vector<CoreResult<Json>> learn(ConnectionSetup& setup, const std::vector<Fact>& facts,
                                      std::vector<Call> calls = {});
  /// What is known of it, or why it is not.
  CoreResult<Json> get(ConnectionSetup& setup, Fact fact);

  /// It was not asked for in this run: a refusal may come from its age.
  bool is_old(Fact fact) const;
  /// The next to want it asks core.
  void forget(Fact fact);

  KeptAnswers& kept() { return kept_; }

 private:
  struct Known {
    CoreResult<Json> value;
    bool old = false;
  };

  bool knows(Fact fact);
  void take(Fact fact, CoreResult<Json> answer);

  CoreClient& client_;
  KeptAnswers& kept_;
  std::map<Fact, Known> known_;
};

}  // namespace transport::jumpserver
