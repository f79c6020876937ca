// What arrives where ssh's questions are asked: read the same however it is cut, bounded, and never taken for the
// question that a token answers unless it is that question word by word.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/fuzz/known_good.h"
#include "transport/ssh/askpass_message.h"
#include "transport/ssh/askpass_question.h"
#include "transport/ssh/ssh_words.h"

namespace {

using State = transport::AskpassArrival::State;

transport::HostSettings koko() {
  transport::HostSettings hop;
  hop.host_name = hop.alias = "koko";
  hop.user = "JMS-1";
  return hop;
}

void check_question(const transport::AskpassRequest& request) {
  const auto hop = koko();
  const auto question = transport::question_of(request, &hop);
  const bool is_password = question.kind == transport::SshQuestion::Kind::password;
  if (is_password !=
      (request.prompt == "JMS-1@koko's password: " && request.hint == transport::AskpassRequest::Hint::question))
    std::abort();
  if (transport::question_of(request, nullptr).kind == transport::SshQuestion::Kind::password) std::abort();
}

void check_words(std::string_view bytes) {
  const std::string why = transport::why_ssh_failed(bytes, "koko");
  for (const char c : why)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) std::abort();
  if (why.empty() || why.size() > 20'000) std::abort();
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto arrival = transport::read_askpass_request(
      transport::to_wire({transport::AskpassRequest::Hint::question, "JMS-1@koko's password: "}));
  const auto hop = koko();
  return arrival.state == State::complete &&
         transport::question_of(arrival.request, &hop).kind == transport::SshQuestion::Kind::password;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = transport::read_askpass_request(bytes);
  // What is complete was incomplete at every earlier byte, and comes back from the wire as it was.
  if (whole.state == State::complete) {
    for (std::size_t cut = 0; cut < size; ++cut)
      if (transport::read_askpass_request(bytes.substr(0, cut)).state != State::incomplete) std::abort();
    if (transport::to_wire(whole.request) != bytes) std::abort();
    check_question(whole.request);
  }
  check_question({transport::AskpassRequest::Hint::question, std::string(bytes)});
  check_words(bytes);
  return 0;
}
