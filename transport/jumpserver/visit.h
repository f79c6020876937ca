#pragma once

#include <optional>
#include <string>
#include <utility>

#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/doors.h"
#include "transport/jumpserver/kept_answers.h"
#include "transport/jumpserver/site_facts.h"

namespace transport::jumpserver {

/// What outlives one connection: the client, what is known of the site, the wish, and the token that a reconnection
/// exchanges.
struct Visit {
  /// Answers are kept for `profile` in `directory`.
  Visit(event::EventLoop& loop, CoreClient::Settings settings, const std::string& directory, const std::string& profile)
      : client(loop, std::move(settings)), kept(directory, profile, client.credentials()), facts(client, kept) {}
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  /// Core refused what answers from before made us ask for: they are had anew. Fails when the asset, its account or
  /// what the rules of hosts judge by is another than it was.
  CoreResult<void> renew(ConnectionSetup& setup);
  /// Something that a refusal may come from was not asked for in this run.
  bool is_old() const { return wish.old || facts.is_old(Fact::methods); }

  CoreClient client;
  KeptAnswers kept;
  SiteFacts facts;
  OpenWish wish;
  std::optional<Doors> doors;  ///< Chosen once; after a fallback the one that opened comes first.
  std::string last_token;      ///< Its id; empty before the first connection.
};

/// Whether asking anew could help: core refused something that an answer of a minute or a day ago may have got wrong. A
/// rule, a reviewer and a missing right do not change by asking.
bool could_come_from_age(const CoreError& error);

}  // namespace transport::jumpserver
