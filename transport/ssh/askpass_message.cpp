#include "transport/ssh/askpass_message.h"

#include <utility>

#include "transport/ssh/wire.h"

namespace transport {
namespace {

constexpr std::string_view kGreeting = "jms-askpass 1 ";
constexpr std::pair<AskpassRequest::Hint, std::string_view> kHints[] = {
    {AskpassRequest::Hint::question, "question"},
    {AskpassRequest::Hint::confirm, "confirm"},
    {AskpassRequest::Hint::notice, "notice"},
};
constexpr std::size_t kLengthBytes = 4;

}  // namespace

std::string to_wire(const AskpassRequest& request) {
  std::string text(kGreeting);
  for (const auto& [hint, name] : kHints)
    if (hint == request.hint) text += name;
  // ssh itself cuts nothing: a server's prompt may be as long as a packet.
  const std::size_t room = kLongestAskpassRequest - text.size() - 1;
  std::string bytes;
  put_string(bytes, text + "\n" + request.prompt.substr(0, room));
  return bytes;
}

AskpassArrival read_askpass_request(std::string_view bytes) {
  using State = AskpassArrival::State;
  WireReader reader(bytes);
  const auto length = reader.number();
  if (!length) return {State::incomplete, {}};
  if (*length > kLongestAskpassRequest || bytes.size() > kLengthBytes + *length) return {};
  const auto text = reader.take(*length);
  if (!text) return {State::incomplete, {}};
  const std::size_t line = text->find('\n');
  if (!text->starts_with(kGreeting) || line == std::string_view::npos) return {};
  const std::string_view name = text->substr(kGreeting.size(), line - kGreeting.size());
  for (const auto& [hint, its_name] : kHints)
    if (name == its_name) return {State::complete, {hint, std::string(text->substr(line + 1))}};
  return {};
}

}  // namespace transport
