#include "transport/ssh/known_hosts.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/unique_fd.h"
#include "base/words.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/pattern.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

constexpr std::size_t kMostKnownHostsBytes = 32 * 1024 * 1024;
constexpr std::string_view kHashMagic = "|1|";
constexpr std::size_t kHashSize = 20;

std::string hmac_sha1(std::string_view salt, std::string_view name) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  HMAC(EVP_sha1(), salt.data(), static_cast<int>(salt.size()), reinterpret_cast<const unsigned char*>(name.data()),
       name.size(), digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

bool names_match(const std::string& names, const std::string& host) {
  if (!names.starts_with('|')) return match_pattern_list(host, names, PatternCase::lower) == ListVerdict::match;
  if (!names.starts_with(kHashMagic)) return false;
  const std::size_t bar = names.find('|', kHashMagic.size());
  if (bar == std::string::npos) return false;
  const auto salt = base64_decode(std::string_view(names).substr(kHashMagic.size(), bar - kHashMagic.size()));
  const auto hash = base64_decode(std::string_view(names).substr(bar + 1));
  return salt && hash && salt->size() == kHashSize && hash->size() == kHashSize && hmac_sha1(*salt, host) == *hash;
}

std::string_view next_field(std::string_view& rest) {
  rest = trim_left(rest, " \t");
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end);
  return field;
}

/// Nothing for comments and for what ssh would not understand either.
std::optional<KnownHostLine> parse_line(std::string_view text) {
  std::string_view rest = trim_right(text, " \t\r\n");
  std::string_view field = next_field(rest);
  if (field.empty() || field.front() == '#') return std::nullopt;
  KnownHostLine line;
  if (field.front() == '@') {
    if (field == "@revoked")
      line.marker = KnownHostLine::Marker::revoked;
    else if (field == "@cert-authority")
      line.marker = KnownHostLine::Marker::cert_authority;
    else
      return std::nullopt;
    field = next_field(rest);
  }
  line.names = field;
  line.key_type = next_field(rest);
  line.key_blob = next_field(rest);
  if (line.names.empty() || line.key_blob.empty()) return std::nullopt;
  return line;
}

base::Result<std::string> read_known_hosts(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return std::string();
  if (!file) return base::fail_errno("opening " + path);
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno("reading " + path);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostKnownHostsBytes)
      return base::fail(path + " is larger than 32 MB, which no known_hosts file is");
  }
}

}  // namespace

base::Result<KnownHosts> KnownHosts::load(const std::vector<std::string>& files) {
  KnownHosts known;
  for (const auto& file : files) {
    auto text = read_known_hosts(file);
    if (!text)
      return base::fail("host keys cannot be checked: " + text.error().message +
                        "; make the file readable or move it away");
    known.add_text(file, *text);
  }
  return known;
}

void KnownHosts::add_text(const std::string& file, std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    if (auto line = parse_line(text.substr(0, end))) {
      line->file = file;
      line->line = number;
      lines_.push_back(std::move(*line));
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

std::vector<KnownHostLine> KnownHosts::lines_for(const std::string& name) const {
  std::vector<KnownHostLine> found;
  for (const auto& line : lines_) {
    if (!names_match(line.names, name)) continue;
    auto blob = base64_decode(line.key_blob);
    // A type that does not fit its key is a line that somebody tampered with or cut.
    if (!blob || blob_type(*blob) != line.key_type) continue;
    found.push_back(line);
    found.back().key_blob = std::move(*blob);
  }
  return found;
}

HostKeyVerdict KnownHosts::check(const std::string& name, const std::string& bare_name,
                                 std::string_view key_blob) const {
  using Kind = HostKeyVerdict::Kind;
  using Marker = KnownHostLine::Marker;
  std::vector<KnownHostLine> same_type, other_types, authorities;
  bool matched = false;
  const auto lines = lines_for(name);
  const auto bare_lines = bare_name.empty() ? std::vector<KnownHostLine>() : lines_for(bare_name);
  for (const auto* list : {&lines, &bare_lines})
    for (const auto& line : *list)
      if (line.marker == Marker::revoked && line.key_blob == key_blob) return {Kind::revoked, {line}};
  for (const auto& line : lines) {
    if (line.marker == Marker::cert_authority) authorities.push_back(line);
    if (line.marker != Marker::none) continue;
    if (line.key_blob == key_blob) matched = true;
    (line.key_type == blob_type(key_blob) ? same_type : other_types).push_back(line);
  }
  if (matched) return {Kind::match, {}};
  if (!same_type.empty()) return {Kind::changed, std::move(same_type)};
  for (const auto& line : bare_lines)
    if (line.marker == Marker::none && line.key_blob == key_blob) return {Kind::match, {line}};
  if (!authorities.empty()) return {Kind::cert_authority, std::move(authorities)};
  return {Kind::unknown, std::move(other_types)};
}

std::vector<std::string> KnownHosts::key_types(const std::string& name) const {
  std::vector<std::string> types;
  for (const auto& line : lines_for(name))
    if (line.marker == KnownHostLine::Marker::none &&
        std::find(types.begin(), types.end(), line.key_type) == types.end())
      types.push_back(line.key_type);
  return types;
}

std::string known_host_name(std::string_view host, int port) {
  const std::string name = base::lower_case(host);
  return port == 22 ? name : "[" + name + "]:" + std::to_string(port);
}

base::Result<void> append_known_host(const std::string& path, const std::string& name, std::string_view key_blob,
                                     HashNames hash) {
  std::string names = name;
  if (hash == HashNames::yes) {
    std::string salt(kHashSize, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(salt.data()), static_cast<int>(salt.size())) != 1)
      return base::fail("no random numbers to hash the host name with; the key was not kept");
    names = std::string(kHashMagic) + base::base64_encode(salt) + "|" + base::base64_encode(hmac_sha1(salt, name));
  }
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0)
    mkdir(path.substr(0, slash).c_str(), 0700);  // Usually there; when it cannot be made, open() says why.
  const base::UniqueFd file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  if (!file) return base::fail_errno("adding the host key to " + path);

  std::string line = names + " " + std::string(blob_type(key_blob)) + " " + base::base64_encode(key_blob) + "\n";
  const off_t size = lseek(file.get(), 0, SEEK_END);
  char last = '\n';
  if (size > 0 && pread(file.get(), &last, 1, size - 1) == 1 && last != '\n') line.insert(0, "\n");
  // One write, so that two sessions that learn a key at once do not mix their lines.
  const ssize_t written = ::write(file.get(), line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) return base::fail_errno("adding the host key to " + path);
  return {};
}

}  // namespace transport
