#include "event/resolver.h"

#include <netdb.h>

#include <array>
#include <cstring>
#include <utility>

#include "base/free.h"

namespace event {
namespace {

/// What the thread fills; shared with it because it may outlive the resolver.
struct LookUp {
  std::string host;
  std::string port;
  int family = AF_UNSPEC;
  int status = 0;
  std::vector<Address> found;
};

void look_up(LookUp& job) {
  addrinfo hints{};
  hints.ai_family = job.family;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  job.status = getaddrinfo(job.host.c_str(), job.port.c_str(), &hints, &list);
  const std::unique_ptr<addrinfo, base::Free<freeaddrinfo>> owner(job.status == 0 ? list : nullptr);
  for (const addrinfo* one = owner.get(); one != nullptr; one = one->ai_next) {
    Address address;
    if (one->ai_addrlen > sizeof address.storage) continue;
    std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    address.size = one->ai_addrlen;
    job.found.push_back(address);
  }
}

base::Result<std::vector<Address>> outcome(LookUp& job) {
  if (job.status == 0 && !job.found.empty()) return std::move(job.found);
  if (job.status == EAI_AGAIN)
    return base::fail("the name server did not answer for " + job.host + "; check the network and try again");
  return base::fail("no address for " + job.host + " (" + gai_strerror(job.status) + "); check the name");
}

}  // namespace

std::string Address::text() const {
  std::array<char, NI_MAXHOST> name{};
  getnameinfo(get(), size, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST);
  return name.data();
}

Resolver::Resolver(EventLoop& loop, const std::string& host, int port, int family, Done done) {
  auto job = std::make_shared<LookUp>(LookUp{host, std::to_string(port), family, 0, {}});
  work_ = std::make_unique<Background>(
      loop, [job] { look_up(*job); }, [job, done = std::move(done)] { done(outcome(*job)); });
}

}  // namespace event
