#include "transport/ssh/ssh_words.h"

#include <algorithm>
#include <vector>

#include "base/one_line.h"
#include "base/words.h"

namespace transport {
namespace {

constexpr std::size_t kLongestSaid = 300;

/// What ssh says when the hop before it has failed, or beside the point; the line before tells more.
constexpr std::string_view kBesideThePoint[] = {
    "Connection closed by UNKNOWN",
    "kex_exchange_identification: ",
    "ssh_exchange_identification: ",
    "stdio forwarding failed",
    "Warning: Permanently added ",
    "Permission denied, please try again.",
    "Killed by signal",
    "client_loop: send disconnect",
};

std::vector<std::string> lines_of(std::string_view printed) {
  std::vector<std::string> lines;
  while (!printed.empty()) {
    std::string line = base::one_line(base::take_line(printed), kLongestSaid);
    if (const auto text = base::trimmed(line); !text.empty() && !text.starts_with("@@@")) lines.emplace_back(text);
  }
  return lines;
}

bool is_beside_the_point(const std::string& line) {
  return std::any_of(std::begin(kBesideThePoint), std::end(kBesideThePoint),
                     [&](std::string_view words) { return line.starts_with(words); });
}

std::string changed_key(const std::vector<std::string>& lines, const std::string& label) {
  std::string sentence = "THE HOST KEY OF " + label +
                         " HAS CHANGED: somebody may be listening in, or the host was reinstalled. Not connected.";
  for (const auto& line : lines)
    if (line.starts_with("ssh-keygen ")) sentence += " When the change is right, run: " + line;
  return sentence;
}

}  // namespace

std::string why_ssh_failed(std::string_view printed, const std::string& label) {
  const auto lines = lines_of(printed);
  const auto says = [&](std::string_view words) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  if (says("REMOTE HOST IDENTIFICATION HAS CHANGED")) return changed_key(lines, label);
  const auto telling =
      std::find_if(lines.rbegin(), lines.rend(), [](auto& line) { return !is_beside_the_point(line); });
  if (telling == lines.rend())
    return lines.empty() ? "ssh could not connect to " + label + ", and gave no reason" : lines.back();
  // Alone it does not say whose key, and why.
  const auto before = std::next(telling);
  if (*telling == "Host key verification failed." && before != lines.rend()) return *before + " " + *telling;
  return *telling;
}

std::string without_name(std::string text, const std::string& name) {
  if (name.empty()) return text;
  for (const std::string& what : {name + "@", name})
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) text.erase(at, what.size());
  return text;
}

}  // namespace transport
