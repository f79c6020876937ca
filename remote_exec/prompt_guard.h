// Recognises, by their texts, the places where a terminal waits for a person. What is recognised here decides what is
// *said* and when typing is refused; it never decides that a command ended.
#pragma once

#include <string>
#include <string_view>

namespace remote_exec {

/// What the last line of a terminal asks for.
enum class Asking {
  nothing,
  password,      ///< A secret without echo: password, passphrase, one-time code.
  yes_no,        ///< [Y/n], (yes/no/[fingerprint]).
  key_press,     ///< "Press any key to continue".
  menu,          ///< A numbered choice.
  login,         ///< A user name.
  pager,         ///< --More--, less.
  continuation,  ///< A shell or client waits for the rest of a command.
  question,      ///< Ends like a question; weak, never acted on alone.
};

/// Reads one line, without controls, as the cursor stands at its end. `line` keeps its trailing blanks.
Asking what_is_asked(std::string_view line);

/// True when only a person can answer, and surely so.
bool needs_person(Asking asking);

/// What a bastion between us and the host said about a command.
enum class Verdict { none, forbidden, review_question, review_running, confirm_question };

/// Reads the text that came instead of the command's start.
Verdict bastion_verdict(std::string_view text);

/// True when the bytes that came instead of the command's start have the form of koko's rejection, in whatever
/// language: a line in red whose end is a line feed before its carriage return, which no host's terminal writes.
bool bastion_forbids(std::string_view raw);

/// True when a bastion's question stands open on this line: it takes one key, and repeats itself for anything else.
bool bastion_asks(std::string_view last_line);

/// True when `line` ends the way shell prompts do ($, #, %, >, ❯ …) or is a device's or client's prompt.
bool looks_like_prompt(std::string_view line);

/// The program whose prompt this is, when it is one of those that take commands but are no shell.
enum class Client { none, mysql, psql, sqlite, redis, python, device };
Client client_of(std::string_view line);

/// True when a client's line is its "go on typing" prompt.
bool client_continuation(Client client, std::string_view line);

/// True when running `command` is meant to open another prompt (su, ssh, bash, docker exec -it, mysql …).
bool opens_prompt(std::string_view command);

}  // namespace remote_exec
