#include "transport/ssh/config_keywords.h"

#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <utility>

#include "base/words.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/pattern.h"

namespace transport {
namespace {

using enum ValueKind;

constexpr std::string_view kYesNo = "yes no true=yes false=no";

/// Every keyword of OpenSSH 9.2 as Debian builds it; a word that is not here is an error, as it is for ssh.
constexpr std::pair<std::string_view, Keyword> kKeywords[] = {
    {"host", {"host", host, ""}},
    {"match", {"match", match, ""}},
    {"include", {"include", include, ""}},
    {"ignoreunknown", {"ignoreunknown", ignore_unknown, ""}},
    {"addressfamily", {"addressfamily", choice, "any inet inet6"}},
    {"batchmode", {"batchmode", flag, kYesNo}},
    {"bindaddress", {"bindaddress", text, ""}},
    {"certificatefile", {"certificatefile", identity, ""}},
    {"challengeresponseauthentication", {"kbdinteractiveauthentication", flag, kYesNo}},
    {"ciphers", {"ciphers", text, ""}},
    {"connectionattempts", {"connectionattempts", number, ""}},
    {"connecttimeout", {"connecttimeout", time, ""}},
    {"dsaauthentication", {"pubkeyauthentication", flag, kYesNo}},
    {"forwardagent", {"forwardagent", text, ""}},
    {"globalknownhostsfile", {"globalknownhostsfile", words, ""}},
    {"hashknownhosts", {"hashknownhosts", flag, kYesNo}},
    {"hostkeyalgorithms", {"hostkeyalgorithms", text, ""}},
    {"hostkeyalias", {"hostkeyalias", text, ""}},
    {"hostname", {"hostname", text, ""}},
    {"identitiesonly", {"identitiesonly", flag, kYesNo}},
    {"identityagent", {"identityagent", text, ""}},
    {"identityfile", {"identityfile", identity, ""}},
    {"identityfile2", {"identityfile", identity, ""}},
    {"kbdinteractiveauthentication", {"kbdinteractiveauthentication", flag, kYesNo}},
    {"keepalive", {"tcpkeepalive", flag, kYesNo}},
    {"kexalgorithms", {"kexalgorithms", text, ""}},
    {"macs", {"macs", text, ""}},
    {"nohostauthenticationforlocalhost", {"nohostauthenticationforlocalhost", flag, kYesNo}},
    {"numberofpasswordprompts", {"numberofpasswordprompts", number, ""}},
    {"passwordauthentication", {"passwordauthentication", flag, kYesNo}},
    {"port", {"port", port, ""}},
    {"preferredauthentications", {"preferredauthentications", text, ""}},
    {"proxycommand", {"proxycommand", command, ""}},
    {"proxyjump", {"proxyjump", jump, ""}},
    {"pubkeyauthentication", {"pubkeyauthentication", choice, "yes no true=yes false=no unbound=yes host-bound=yes"}},
    {"remotecommand", {"remotecommand", command, ""}},
    {"requesttty", {"requesttty", choice, "auto force yes no true=yes false=no"}},
    {"sendenv", {"sendenv", send_env, ""}},
    {"serveralivecountmax", {"serveralivecountmax", number, ""}},
    {"serveraliveinterval", {"serveraliveinterval", time, ""}},
    {"setenv", {"setenv", set_env, ""}},
    {"setuptimeout", {"serveraliveinterval", time, ""}},
    {"protocolkeepalives", {"serveraliveinterval", time, ""}},
    {"skeyauthentication", {"kbdinteractiveauthentication", flag, kYesNo}},
    {"stricthostkeychecking", {"stricthostkeychecking", choice, "ask yes no accept-new true=yes false=no off=no"}},
    {"tcpkeepalive", {"tcpkeepalive", flag, kYesNo}},
    {"tisauthentication", {"kbdinteractiveauthentication", flag, kYesNo}},
    {"user", {"user", text, ""}},
    {"userknownhostsfile", {"userknownhostsfile", words, ""}},

    {"canonicalizehostname", {"canonicalizehostname", openssh_only, "no false none"}},
    {"bindinterface", {"bindinterface", openssh_only, ""}},
    {"hostbasedauthentication", {"hostbasedauthentication", openssh_only, "no false"}},
    {"knownhostscommand", {"knownhostscommand", openssh_only, "none"}},
    {"pkcs11provider", {"pkcs11provider", openssh_only, "none"}},
    {"smartcarddevice", {"pkcs11provider", openssh_only, "none"}},
    {"proxyusefdpass", {"proxyusefdpass", openssh_only, "no false"}},
    {"revokedhostkeys", {"revokedhostkeys", openssh_only, "none"}},
    {"sessiontype", {"sessiontype", openssh_only, "default"}},
    {"verifyhostkeydns", {"verifyhostkeydns", openssh_only, "no false"}},
};

/// Known to ssh, without effect here.
constexpr std::string_view kIgnored[] = {
    "addkeystoagent",
    "afstokenpassing",
    "canonicaldomains",
    "canonicalizefallbacklocal",
    "canonicalizemaxdots",
    "canonicalizepermittedcnames",
    "casignaturealgorithms",
    "checkhostip",
    "cipher",
    "clearallforwardings",
    "compression",
    "compressionlevel",
    "controlmaster",
    "controlpath",
    "controlpersist",
    "dynamicforward",
    "enableescapecommandline",
    "enablesshkeysign",
    "escapechar",
    "exitonforwardfailure",
    "fallbacktorsh",
    "fingerprinthash",
    "forkafterauthentication",
    "forwardx11",
    "forwardx11timeout",
    "forwardx11trusted",
    "gatewayports",
    "globalknownhostsfile2",
    "gssapiauthentication",
    "gssapiclientidentity",
    "gssapidelegatecredentials",
    "gssapikexalgorithms",
    "gssapikeyexchange",
    "gssapirenewalforcesrekey",
    "gssapiserveridentity",
    "gssapitrustdns",
    "hostbasedacceptedalgorithms",
    "hostbasedkeytypes",
    "ipqos",
    "kbdinteractivedevices",
    "kerberosauthentication",
    "kerberostgtpassing",
    "localcommand",
    "localforward",
    "loglevel",
    "logverbose",
    "permitlocalcommand",
    "permitremoteopen",
    "protocol",
    "pubkeyacceptedalgorithms",
    "pubkeyacceptedkeytypes",
    "rekeylimit",
    "remoteforward",
    "requiredrsasize",
    "rhostsauthentication",
    "rhostsrsaauthentication",
    "rsaauthentication",
    "securitykeyprovider",
    "stdinnull",
    "streamlocalbindmask",
    "streamlocalbindunlink",
    "syslogfacility",
    "tunnel",
    "tunneldevice",
    "updatehostkeys",
    "useprivilegedport",
    "userknownhostsfile2",
    "useroaming",
    "usersh",
    "visualhostkey",
    "xauthlocation",
};

/// The meaning of `value` among "yes no true=yes"; empty when it is none of them.
std::string_view choose(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    const std::size_t space = choices.find(' ');
    const std::string_view one = choices.substr(0, space);
    choices = space == std::string_view::npos ? std::string_view() : choices.substr(space + 1);
    const std::size_t equals = one.find('=');
    if (one.substr(0, equals) == value) return equals == std::string_view::npos ? one : one.substr(equals + 1);
  }
  return {};
}

base::Result<std::string> check_single(const Keyword& keyword, const std::string& word) {
  switch (keyword.kind) {
    case flag:
    case choice: {
      const std::string_view meaning = choose(keyword.choices, base::lower_case(word));
      if (meaning.empty()) return base::fail("unsupported option \"" + word + "\"");
      return std::string(meaning);
    }
    case number: {
      int value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || value < 0)
        return base::fail("\"" + word + "\" is not a number");
      return std::to_string(value);
    }
    case time: {
      if (word == "none") return word;
      const auto seconds = parse_config_time(word);
      if (!seconds) return base::fail(seconds.error());
      return std::to_string(*seconds);
    }
    case port: {
      const int value = parse_port(word);
      if (value == 0) return base::fail("\"" + word + "\" is not a port");
      return std::to_string(value);
    }
    default:
      return word;
  }
}

base::Result<std::vector<std::string>> check_words(std::vector<std::string> values) {
  for (const auto& word : values) {
    if (word.empty()) return base::fail("empty argument");
    if (values.size() > 1 && base::lower_case(word) == "none") return base::fail("\"none\" must stand alone");
  }
  return values;
}

base::Result<std::vector<std::string>> check_environment(const Keyword& keyword, std::vector<std::string> values) {
  for (const auto& word : values) {
    const bool has_equals = word.find('=') != std::string::npos;
    if (keyword.kind == set_env && !has_equals) return base::fail("SetEnv needs NAME=value, not \"" + word + "\"");
    if (keyword.kind == send_env && (word.empty() || has_equals))
      return base::fail("SendEnv needs names, not \"" + word + "\"");
  }
  return values;
}

}  // namespace

const Keyword* find_keyword(std::string_view name) {
  for (const auto& [spelling, keyword] : kKeywords)
    if (spelling == name) return &keyword;
  static constexpr Keyword kNoEffect{"", ignored, ""};
  return std::find(std::begin(kIgnored), std::end(kIgnored), name) == std::end(kIgnored) ? nullptr : &kNoEffect;
}

base::Result<std::vector<std::string>> check_values(const Keyword& keyword, std::vector<std::string> values) {
  switch (keyword.kind) {
    case ignored:
    case openssh_only:
      return values;
    case words:
    case ignore_unknown:
    case host:
    case include:
      return check_words(std::move(values));
    case send_env:
    case set_env:
      return check_environment(keyword, std::move(values));
    default:
      break;
  }
  if (values.empty() || values.front().empty()) return base::fail("missing argument");
  if (values.size() > 1) return base::fail("extra arguments at end of line");
  auto single = check_single(keyword, values.front());
  if (!single) return base::fail(single.error());
  return std::vector<std::string>{std::move(*single)};
}

base::Result<int> parse_config_time(std::string_view text) {
  const auto wrong = [&] {
    return base::fail("\"" + std::string(text) + "\" is not a time (such as 30, 5m or 1h30m)");
  };
  std::string_view rest = text;
  long total = 0;
  if (rest.empty()) return wrong();
  while (!rest.empty()) {
    long amount = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), amount);
    if (error != std::errc() || amount < 0 || amount > INT_MAX) return wrong();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    static constexpr std::pair<char, long> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    if (!rest.empty()) {
      const char unit = base::lower_case(rest.substr(0, 1)).front();
      const auto* found = std::find_if(std::begin(kUnits), std::end(kUnits), [&](auto& u) { return u.first == unit; });
      if (found == std::end(kUnits)) return wrong();
      amount *= found->second;
      rest.remove_prefix(1);
    }
    total += amount;
    if (total > INT_MAX) return wrong();
  }
  return static_cast<int>(total);
}

int parse_port(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value > 0 && value <= 65535 ? value : 0;
  const servent* service = getservbyname(text.c_str(), "tcp");
  return service == nullptr ? 0 : ntohs(static_cast<std::uint16_t>(service->s_port));
}

}  // namespace transport
