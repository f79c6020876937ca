#include "transport/jumpserver/credentials.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/one_line.h"
#include "base/words.h"
#include "transport/jumpserver/json.h"
#include "transport/jumpserver/private_file.h"

namespace transport::jumpserver {
namespace {

constexpr std::size_t kMostFile = 64 * 1024;
constexpr std::size_t kBearerLength = 36;

bool is_loopback(const std::string& host) {
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

}  // namespace

base::Result<std::string> normal_server(const std::string& written) {
  std::string text = written;
  if (text.find("://") == std::string::npos) text = "https://" + text;
  const bool plain = text.starts_with("http://");
  if (!plain && !text.starts_with("https://"))
    return base::fail("`" + base::one_line(written, 80) + "` is no server address; write https://jump.example.com");
  const std::size_t begin = plain ? 7 : 8;
  std::string authority = text.substr(begin, text.find_first_of("/?#", begin) - begin);
  if (authority.find('@') != std::string::npos)
    return base::fail("leave user and password out of the server address; `jms login` asks for them");
  if (authority.empty() || authority.find_first_of(std::string_view(" \t\r\n\"'\\\0", 8)) != std::string::npos)
    return base::fail("`" + base::one_line(written, 80) + "` is no server address; write https://jump.example.com");
  const std::string host = authority.front() == '[' ? authority.substr(0, authority.find(']') + 1)
                                                    : authority.substr(0, authority.find(':'));
  if (plain && !is_loopback(host))
    return base::fail("http://" + authority + " would send credentials in clear; use https://" + authority);
  return (plain ? "http://" : "https://") + authority;
}

Token token_from_text(const std::string& text) {
  for (const char* keyword : {"Bearer", "Token"})
    if (text.starts_with(std::string(keyword) + " ")) return {keyword, text.substr(std::string(keyword).size() + 1)};
  return {text.size() == kBearerLength ? "Bearer" : "Token", text};
}

WebSession session_from_text(const std::string& text) {
  WebSession found;
  for (const std::string_view part : base::split(text, ';')) {
    const std::string_view pair = base::trimmed(part);
    const auto equals = pair.find('=');
    const std::string_view name = pair.substr(0, equals);
    if (equals == std::string_view::npos) {
      if (found.id.empty()) found.id = pair;
    } else if (name.ends_with("sessionid")) {
      found.id = base::trimmed(pair.substr(equals + 1), "\"");
      found.prefix = name.substr(0, name.size() - std::string_view("sessionid").size());
    } else if (name.ends_with("csrftoken")) {
      found.csrf = base::trimmed(pair.substr(equals + 1), "\"");
    }
  }
  return found;
}

std::time_t parse_time(const std::string& text) {
  std::tm parts{};
  char sign = '+';
  int zone = 0;
  if (std::sscanf(text.c_str(), "%4d/%2d/%2d %2d:%2d:%2d %c%4d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                  &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &sign, &zone) != 8)
    return 0;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  const std::time_t offset = (zone / 100) * 3600 + (zone % 100) * 60;
  return timegm(&parts) - (sign == '-' ? -offset : offset);
}

CredentialFile::CredentialFile(std::string directory, const std::string& profile)
    : directory_(std::move(directory)), path_(directory_ + "/" + file_name_of(profile) + ".json") {}

base::Result<Credentials> CredentialFile::load() const {
  auto text = read_private_file(path_, kMostFile);
  if (!text) return base::fail(text.error());
  Credentials found;
  if (!*text) return found;
  const Json json = parse_json(**text);
  if (!json.is_object()) return base::fail(path_ + " is damaged; sign in again with `jms login`");
  found.server = text_at(json, "server");
  found.user = text_at(json, "user");
  found.org = text_at(json, "org");
  found.key = {text_at(json, "access_key"), text_at(json, "secret_key")};
  found.token = {text_at(json, "keyword"), text_at(json, "token")};
  found.web = {text_at(json, "session"), text_at(json, "csrf"), text_at(json, "prefix")};
  found.token_expires = number_at(json, "token_expires", 0);
  found.with = text_at(json, "with");
  return found;
}

base::Result<void> CredentialFile::save(const Credentials& credentials) const {
  Json json = {{"server", credentials.server}, {"user", credentials.user}, {"org", credentials.org}};
  if (!credentials.with.empty()) json["with"] = credentials.with;
  if (!credentials.key.empty()) {
    json["access_key"] = credentials.key.id;
    json["secret_key"] = credentials.key.secret;
  }
  if (!credentials.token.value.empty()) {
    json["keyword"] = credentials.token.keyword;
    json["token"] = credentials.token.value;
    json["token_expires"] = credentials.token_expires;
  }
  if (!credentials.web.id.empty()) {
    json["session"] = credentials.web.id;
    json["csrf"] = credentials.web.csrf;
    json["prefix"] = credentials.web.prefix;
  }
  return write_private_file(path_, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<std::string> kept_profiles(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    // A list of assets stands beside each sign-in, under the same name with more behind it.
    if (const std::string name = entry.path().filename().string(); name.ends_with(".json"))
      if (const std::string stem = name.substr(0, name.size() - 5); stem.find('.') == std::string::npos)
        names.push_back(base::percent_decode(stem));
  std::sort(names.begin(), names.end());
  return names;
}

base::Result<bool> CredentialFile::remove() const {
  if (::unlink(path_.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return base::fail_errno("removing " + path_);
}

}  // namespace transport::jumpserver
