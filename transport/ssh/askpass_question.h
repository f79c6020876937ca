#pragma once

#include <string>
#include <string_view>

#include "transport/ssh/askpass_message.h"
#include "transport/ssh/ssh_config.h"
#include "transport/ssh/ssh_prompter.h"

namespace transport {

/// A question about one hop, with its names filled in.
SshQuestion question_about(const HostSettings& hop, SshQuestion::Kind kind);

/// Whether these are the words in which ssh asks for the password of that hop, and for nothing else.
bool is_password_prompt(std::string_view prompt, const HostSettings& hop);

/// What ssh asks, in our own terms. `hop` is the one whose ssh asks; null: nobody knows which.
///
/// A server can have ssh ask in its own words, but ssh puts "(user@host) " before them; so what is taken for a
/// password, a passphrase or a host key is ssh's own question. What is not known for sure is for a person.
SshQuestion question_of(const AskpassRequest& request, const HostSettings* hop);

}  // namespace transport
