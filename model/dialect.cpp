#include "model/dialect.h"

#include <algorithm>

#include "base/words.h"

namespace model {

base::Result<Endpoint> endpoint(std::string_view base_url, std::string_view path) {
  Endpoint found;
  std::string base;
  if (base_url.starts_with("unix:")) {
    std::string_view socket = base_url.substr(5);
    if (socket.starts_with("//")) socket.remove_prefix(2);
    const auto prefix = socket.find(':');
    found.unix_socket = socket.substr(0, prefix);
    if (!found.unix_socket.starts_with('/'))
      return base::fail("base_url names no absolute socket path; write unix:///path/to.sock");
    base = "http://localhost";
    if (prefix != std::string_view::npos) base += socket.substr(prefix + 1);
  } else if (base_url.starts_with("https://") || base_url.starts_with("http://")) {
    base = base_url;
  } else {
    return base::fail("base_url must begin with https://, http:// or unix:");
  }
  if (base.find_first_of(std::string_view(" \t\r\n\0", 5)) != std::string::npos)
    return base::fail("base_url contains blanks or line breaks; correct it");
  if (base.ends_with('/')) base.pop_back();
  // People paste the address of the endpoint, or of its parent, where the base belongs.
  for (auto cut = path.size(); cut > 0 && cut != std::string_view::npos; cut = path.rfind('/', cut - 1)) {
    if (!base.ends_with(path.substr(0, cut))) continue;
    path.remove_prefix(cut);
    break;
  }
  found.url = base + std::string(path);
  return found;
}

http::Headers with_extra(http::Headers ours, const http::Headers& extra) {
  const auto is_credential = [](std::string_view name) { return name == "authorization" || name == "x-api-key"; };
  const bool has_credential = std::any_of(
      extra.begin(), extra.end(), [&](const auto& header) { return is_credential(base::lower_case(header.first)); });
  if (has_credential) std::erase_if(ours, [&](const auto& header) { return is_credential(header.first); });
  for (const auto& [name, value] : extra) {
    const std::string key = base::lower_case(name);
    const auto same = std::find_if(ours.begin(), ours.end(), [&](const auto& header) { return header.first == key; });
    if (same == ours.end())
      ours.emplace_back(key, value);
    else
      same->second = key == "anthropic-beta" ? same->second + "," + value : value;
  }
  return ours;
}

base::Result<http::Request> http_request(const Settings& settings, std::string_view base_url, std::string_view path) {
  const auto where = endpoint(base_url, path);
  if (!where) return base::fail(where.error());
  http::Request request;
  request.url = where->url;
  request.unix_socket = where->unix_socket;
  request.ca_file = settings.ca_file;
  request.proxy = settings.proxy;
  request.connect_timeout = settings.timing.connect;
  return request;
}

}  // namespace model
