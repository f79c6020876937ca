// What stands on the last line of a terminal, and what a shell answers when it is asked which one it is: anything.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "remote_exec/dialect.h"
#include "remote_exec/prompt_guard.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  using namespace remote_exec;
  return what_is_asked("[sudo] password for ops: ") == Asking::password && looks_like_prompt("ops@db1:~$ ") &&
         client_of("mysql> ") == Client::mysql && bastion_verdict("Command `rm` is forbidden") == Verdict::forbidden &&
         opens_prompt("sudo -i") && family_of("\\\\;\\") == Shell::posix &&
         variant_of("5.2.15;;;r;bash") == Shell::bash;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace exec = remote_exec;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const exec::Asking asking = exec::what_is_asked(text);
  if (exec::needs_person(asking) && asking == exec::Asking::nothing) std::abort();
  const exec::Client client = exec::client_of(text);
  if (client != exec::Client::none && !exec::looks_like_prompt(text) && size <= 1024) std::abort();
  exec::client_continuation(client, text);
  for (const auto other : {exec::Client::mysql, exec::Client::psql, exec::Client::sqlite, exec::Client::python})
    exec::client_continuation(other, text);
  exec::bastion_verdict(text);
  exec::bastion_asks(text);
  exec::opens_prompt(text);
  if (const auto family = exec::family_of(text)) exec::shell_name(*family);
  const exec::Shell variant = exec::variant_of(text);
  if (exec::variant_can_hook(text) && variant != exec::Shell::bash && variant != exec::Shell::zsh) std::abort();
  return 0;
}
