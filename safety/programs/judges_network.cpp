#include <algorithm>

#include "base/words.h"
#include "safety/credentials.h"
#include "safety/programs/judges.h"
#include "safety/web_request.h"

namespace safety {
namespace {

using base::is_one_of;

bool any_computed(std::span<const Argument> args) {
  return std::any_of(args.begin(), args.end(), [](const Argument& arg) { return !arg.known; });
}

constexpr std::string_view kCurlShorts = "sSfLkiIvGgH:m:A:e:r:u:w:x:o:X:46Nb:Z0#y:Y:U:";
constexpr std::string_view kCurlLongs =
    "silent show-error fail fail-with-body location insecure include head verbose get globoff header= max-time= "
    "connect-timeout= user-agent= "
    "referer= range= user= write-out= proxy= output= request= ipv4 ipv6 no-buffer cookie= compressed resolve= "
    "connect-to= cacert= capath= http1.1 "
    "http1.0 http2 http3 noproxy= retry= retry-delay= retry-max-time= retry-connrefused max-redirs= tlsv1.2 tlsv1.3 "
    "tls-max= no-progress-meter "
    "progress-bar interface= limit-rate= max-filesize= path-as-is url= oauth2-bearer= unix-socket= haproxy-protocol "
    "basic digest cert-status "
    "keepalive-time= dns-servers= doh-url= local-port= tcp-nodelay trace-time no-keepalive";

/// Plain web addresses only: other schemes can carry commands (gopher, dict, smtp), and curl guesses some from the
/// name.
std::string curl_target_problem(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme != std::string_view::npos) {
    const auto name = url.substr(0, scheme);
    if (name == "file") return is_credential_path(url.substr(scheme + 3)) ? "would show credentials" : "";
    if (name != "http" && name != "https") return "speaks a protocol other than HTTP";
    url.remove_prefix(scheme + 3);
  } else {
    for (const std::string_view guess : {"ftp.", "dict.", "ldap.", "imap.", "smtp.", "pop3."}) {
      if (url.starts_with(guess)) return "speaks a protocol other than HTTP";
    }
  }
  // Cloud metadata services hand out credentials.
  if (url.find("169.254.169.254") != url.npos || url.find("metadata.google") != url.npos ||
      url.find("100.100.100.200") != url.npos || url.find("fd00:ec2::254") != url.npos) {
    return "would read the cloud's metadata, which holds credentials";
  }
  for (const std::string_view verb : {"/shutdown", "/_shutdown", "/quit", "/-/quit", "/-/reload", "/restart",
                                      "/actuator/shutdown", "/delete", "/flush"}) {
    const auto path = url.substr(0, url.find_first_of("?#"));
    if (path.ends_with(verb)) return "asks the server for something other than a page";
  }
  return {};
}

/// What the model read on the host it could write into an address: long ones leave the site only when asked.
bool takes_data_out(const Options& options) {
  bool outside = false, much = false;
  const auto look_at = [&](std::string_view url) {
    if (url.starts_with("file:")) return;
    outside = outside || !stays_inside(url);
    much = much || carries_much(url);
  };
  for (const auto* url : options.operands) look_at(url->text);
  for (const auto& option : options.options) {
    // These send the request elsewhere than the address says.
    if (is_one_of(option.name, {"x", "--proxy", "--resolve", "--connect-to", "--dns-servers", "--doh-url"}))
      outside = true;
    if (option.name == "--url") look_at(option.value);
    if (is_one_of(option.name, {"H", "--header", "A", "U", "--user-agent", "e", "--referer", "b", "--cookie", "u",
                                "--user", "--oauth2-bearer"}))
      much = much || long_value(option.value);
  }
  return outside && much;
}

/// $HOME is known well enough to read a file there, as "~"; in an address it is still something of the host's.
bool names_home(const Options& options) {
  return std::any_of(options.operands.begin(), options.operands.end(),
                     [](const Argument* url) { return url->computed && url->text.find('~') != std::string::npos; });
}

constexpr const char* kComputed = "a computed part of the request would carry data to another host";
constexpr const char* kTakesDataOut = "a request this long could carry data to a host outside";

}  // namespace

Judgement judge_ip(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  std::vector<std::string> words;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& arg = call.args[i];
    if (arg.may_be_option() || (!arg.known && words.size() < 2))
      return changes("a computed argument could be a command");
    if (words.empty() && arg.text.starts_with('-')) {
      if (is_one_of(arg.text, {"-b", "-batch", "-force"})) return changes("runs commands from a file");
      if (is_one_of(arg.text, {"-n", "-netns"})) ++i;
      if (is_one_of(arg.text, {"-f", "-family"})) ++i;
      continue;
    }
    words.push_back(arg.text);
    if (words.size() == 2 && words[0] == "netns" && words[1] == "exec") {
      const auto rest = call.args.subspan(std::min(i + 2, call.args.size()));
      return call.nested.judge_command(rest);
    }
  }
  if (words.size() < 2) return reads("shows the network");
  const auto& object = words[0];
  const auto& verb = words[1];
  if (object == "monitor" || object == "mon") return reads("shows network events");
  if (is_one_of(verb, {"show", "sho", "sh", "list", "lis", "lst", "ls", "get", "help", "identify", "pids", "health"}))
    return reads("shows the network");
  if (verb == "s" && is_one_of(object, {"a", "ad", "addr", "address"})) return reads("shows the network");
  if (is_one_of(verb, {"flush", "f"})) return destroys("drops addresses or routes");
  if (object == "xfrm" && words.size() > 2 && is_one_of(words[2], {"list", "show"}))
    return changes("would show encryption keys");
  return changes("changes the network");
}

Judgement judge_ethtool(const Invocation& call) {
  const auto options =
      read_options(call.args, "iSkgaclmnTPuxI",
                   "driver statistics show-features show-offload show-ring show-pause show-coalesce show-channels "
                   "module-info show-nfc show-time-stamping show-permaddr show-rxfh show-priv-flags show-eee show-fec "
                   "json phy-statistics");
  if (!options.problem.empty()) return changes(options.problem);
  return options.operands.size() <= 1 && !options.unbounded ? reads("shows a network card")
                                                            : changes("may set something on a network card");
}

Judgement judge_iptables(const Invocation& call) {
  const auto options =
      read_options(call.args, "LSnvxt:4w::", "list list-rules numeric verbose exact table= line-numbers wait?");
  if (!options.problem.empty()) {
    const bool flush = mentions(call.args, "-F") || mentions(call.args, "--flush") || mentions(call.args, "-X");
    return flush ? destroys("drops firewall rules") : changes("changes the firewall");
  }
  const bool list = options.has("L") || options.has("S") || options.has("--list") || options.has("--list-rules");
  return list ? reads("lists firewall rules") : changes("changes the firewall");
}

Judgement judge_nft(const Invocation& call) {
  const auto options = read_options(call.args, "anstjyuSpN", "handle numeric stateless json");
  if (options.problem.empty() && !options.operands.empty() && options.operands[0]->known) {
    const auto& verb = options.operands[0]->text;
    if (verb == "list" || verb.starts_with("list ")) {
      const bool more = std::any_of(options.operands.begin(), options.operands.end(), [](const Argument* a) {
        return a->text.find_first_of(";\n") != std::string::npos;
      });
      if (!more && !any_computed(call.args)) return reads("lists firewall rules");
    }
    if (verb == "flush" || verb.starts_with("flush ")) return destroys("drops firewall rules");
  }
  return changes("changes the firewall");
}

Judgement judge_firewall_cmd(const Invocation& call) {
  for (const auto& arg : call.args) {
    const auto& word = arg.text;
    const bool show = word.starts_with("--list-") || word.starts_with("--get-") || word.starts_with("--query-") ||
                      word.starts_with("--info-") || word.starts_with("--zone=") ||
                      is_one_of(word, {"--state", "--permanent", "--version", "--help"});
    if (!arg.known || !show) return changes("changes the firewall");
  }
  return reads("shows the firewall");
}

Judgement judge_dns(const Invocation& call) {
  if (any_computed(call.args)) return changes("a computed name would carry data to a name server");
  const auto problem = [&]() -> std::string {
    if (call.name == "dig" || call.name == "kdig")
      return read_options(call.args, "46b:c:mp:q:t:ux:i", "", kPlain).problem;
    if (call.name == "nslookup")
      return read_options(call.args, "", "type= query= port= timeout= retry= debug class=", kOneDash).problem;
    return read_options(call.args, "aCdlnrsTwv46c:N:R:t:W:m:h:p:HI", "").problem;
  }();
  if (!problem.empty()) return changes(problem);
  return reads("asks a name server");
}

Judgement judge_curl(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  if (call.args.size() == 1 && call.args[0].text == "-V") return reads();
  const auto options = read_options(call.args, kCurlShorts, kCurlLongs);
  if (!options.problem.empty()) {
    for (const char* sends : {"-d ", "--data", "-F ", "--form", "-T ", "--upload-file", "--json"}) {
      if (options.problem.find(sends) != std::string::npos) return changes("curl sends data to a server");
    }
    for (const char* writes : {"-O ", "-J ", "--remote-name", "-c ", "-D ", "-K "}) {
      if (options.problem.find(writes) != std::string::npos)
        return changes("curl writes a file or reads its options from one");
    }
    return changes(options.problem);
  }
  if (any_computed(call.args) || names_home(options)) return changes(kComputed);
  for (const auto& option : options.options) {
    const auto& value = option.value;
    if ((option.name == "o" || option.name == "--output") && value != "/dev/null" && value != "-")
      return changes("curl writes the file " + value);
    if ((option.name == "X" || option.name == "--request") && !is_one_of(value, {"GET", "HEAD", "OPTIONS"})) {
      return value == "DELETE" ? destroys("asks the server to delete something")
                               : changes("curl sends a " + value + " request");
    }
    if ((option.name == "H" || option.name == "--header" || option.name == "w" || option.name == "--write-out") &&
        value.starts_with('@')) {
      return changes("curl reads a file into its request");
    }
    if ((option.name == "b" || option.name == "--cookie") && value.find('=') == std::string::npos)
      return changes("curl reads a cookie file");
    if ((option.name == "w" || option.name == "--write-out") && value.find("%output{") != std::string::npos)
      return changes("curl writes a file");
    if ((option.name == "H" || option.name == "--header") && (value.find("Method-Override") != std::string::npos))
      return changes("overrides the request's method");
    if (option.name == "--unix-socket" && value.find("docker.sock") != std::string::npos)
      return changes("talks to the Docker daemon");
    if (option.name == "--url") {
      if (auto problem = curl_target_problem(value); !problem.empty()) return changes(problem);
    }
  }
  for (const auto* url : options.operands) {
    if (auto problem = curl_target_problem(url->text); !problem.empty()) return changes(problem);
  }
  if (takes_data_out(options)) return changes(kTakesDataOut);
  return reads("fetches a page");
}

Judgement judge_wget(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options =
      read_options(call.args, "qSO:T:t:46vdn:U:",
                   "quiet spider server-response output-document= timeout= tries= no-check-certificate header= "
                   "user-agent= no-verbose max-redirect= no-proxy inet4-only inet6-only method= connect-timeout= "
                   "ca-certificate= debug");
  if (!options.problem.empty()) return changes(options.problem);
  if (any_computed(call.args) || names_home(options)) return changes(kComputed);
  if (const auto* method = options.find("--method");
      method != nullptr && method->value != "GET" && method->value != "HEAD")
    return changes("sends a " + method->value + " request");
  for (const auto* url : options.operands) {
    if (auto problem = curl_target_problem(url->text); !problem.empty()) return changes(problem);
    if (url->text.starts_with("ftp:")) return changes("speaks a protocol other than HTTP");
  }
  const auto* out = options.find("O");
  if (out == nullptr) out = options.find("--output-document");
  const bool kept = out == nullptr || (out->value != "-" && out->value != "/dev/null");
  if (kept && !options.has("--spider")) return changes("wget writes a file");
  if (takes_data_out(options)) return changes(kTakesDataOut);
  return reads("fetches a page");
}

Judgement judge_nc(const Invocation& call) {
  const auto options = read_options(call.args, "zvnuw:46i:", "");
  if (options.problem.empty() && options.has("z") && !any_computed(call.args))
    return reads("tests whether a port is open");
  if (options.problem.find("-e ") != std::string::npos || options.problem.find("-c ") != std::string::npos)
    return destroys("runs a program for whoever connects");
  return changes("opens a connection that can carry anything");
}

Judgement judge_ssh(const Invocation& call) {
  if (call.args.size() == 1 && call.args[0].text == "-V") return reads();
  const auto options =
      read_options(call.args, "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:", "", kOperandEnds);
  if (!options.problem.empty()) return changes(options.problem);
  if (options.has("Q")) return reads("lists algorithms");
  for (const auto& option : options.options) {
    if (option.name == "o") {
      std::string lower;
      for (const char c : option.value) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
      if (lower.starts_with("proxycommand") || lower.starts_with("localcommand") ||
          lower.starts_with("permitlocalcommand") || lower.starts_with("knownhostscommand") || !option.value_known) {
        return destroys("an ssh option runs a local program");
      }
    }
  }
  if (options.has("G")) return reads("shows the client's settings");
  if (options.operands.size() < 2) {
    return call.around.piped_input ? changes("pipes commands into another host")
                                   : changes("opens a session on another host");
  }
  std::string script;
  for (std::size_t i = 1; i < options.operands.size(); ++i) {
    if (!options.operands[i]->known) return changes("runs a computed command on another host");
    script += options.operands[i]->text + " ";
  }
  return at_least_changes(call.nested.judge_script(script), "runs a command on another host");
}

Judgement judge_ssh_keygen(const Invocation& call) {
  const auto options = read_options(call.args, "lvf:F:E:L", "");
  if (options.problem.empty() && (options.has("l") || options.has("F") || options.has("L")))
    return reads("shows fingerprints");
  return changes("makes or changes keys");
}

Judgement judge_openssl(const Invocation& call) {
  if (call.args.empty() || !call.args[0].known) return changes("which openssl command runs is computed");
  const auto& command = call.args[0].text;
  const auto rest = call.args.subspan(1);
  if (is_one_of(command, {"version", "ciphers", "list", "errstr", "help", "speed", "dgst-list"}))
    return reads("asks openssl about itself");
  if (!is_one_of(command, {"s_client", "x509", "verify", "crl", "req", "ocsp", "dgst", "sha256", "md5", "sha1",
                           "asn1parse", "crl2pkcs7", "pkcs7", "ec", "rsa", "pkey"})) {
    return changes("openssl " + command + " is not known to only read");
  }
  const auto options = read_options(
      rest, "",
      "connect= servername= showcerts brief starttls= status alpn= tls1 tls1_1 tls1_2 tls1_3 CAfile= CApath= verify= "
      "verify_return_error cipher= ciphersuites= prexit no_ign_eof ign_eof quiet state msg proxy= host= port= timeout "
      "nocommands "
      "in= inform= noout text subject issuer dates startdate enddate serial fingerprint sha256 sha1 md5 sha512 sha384 "
      "ext= checkend= "
      "checkhost= checkip= purpose modulus pubkey email alias hash subject_hash issuer_hash nameopt= certopt= "
      "untrusted= "
      "crl_check partial_chain trusted= issuer_checks x509_strict print_certs nextupdate lastupdate nocert url= cert= "
      "resp_text "
      "no_nonce check pubin pubout 4 6 ocsp_uri verify_hostname= no-CAfile crlf",
      kOneDash);
  if (!options.problem.empty()) return changes(options.problem);
  const bool key = is_one_of(command, {"ec", "rsa", "pkey"}) && !options.has("-pubin");
  if (key && !(options.has("-noout") && !options.has("-text"))) return changes("would show a private key");
  if (any_computed(rest)) return changes("an argument of openssl is computed");
  return reads("looks at certificates");
}

Judgement judge_keytool(const Invocation& call) {
  const bool list = mentions(call.args, "-list") || mentions(call.args, "-printcert");
  for (const auto& arg : call.args) {
    if (!arg.known || is_one_of(arg.text, {"-delete", "-import", "-importcert", "-genkey", "-genkeypair",
                                           "-storepasswd", "-importkeystore", "-exportcert", "-file"})) {
      return changes("changes a key store");
    }
    if (arg.text.starts_with("-provider") || arg.text.starts_with("-J") || arg.text == "-addprovider")
      return changes("loads code from elsewhere");
  }
  return list ? reads("lists a key store") : changes("is not known to only read");
}

Judgement judge_nmcli(const Invocation& call) {
  const auto options = read_options(call.args, "tpf:m:e:c:g:o",
                                    "terse pretty fields= mode= escape= colors= get-values= overview", kPlain);
  if (!options.problem.empty()) return changes(options.problem);
  if (any_computed(call.args)) return changes("an argument of nmcli is computed");
  if (options.operands.size() < 2) return reads("shows the network");
  const auto& verb = options.operands[1]->text;
  if (is_one_of(verb, {"show", "status", "list", "permissions", "hostname", "lldp"})) {
    const bool sets = (verb == "hostname" && options.operands.size() > 2);
    return sets ? changes("sets the host name") : reads("shows the network");
  }
  if (options.operands[0]->text.starts_with("dev") && verb == "wifi" &&
      (options.operands.size() == 2 || options.operands[2]->text == "list"))
    return reads("lists wireless networks");
  return changes("changes the network");
}

Judgement judge_router(const Invocation& call) {
  const auto options = read_options(call.args, "c:", "command=");
  if (!options.problem.empty()) return changes(options.problem);
  bool any = !options.operands.empty();
  for (const auto& option : options.options) {
    any = true;
    if (!option.value_known || !(option.value.starts_with("show ") || option.value.starts_with("sh ")))
      return changes("may configure the router");
  }
  if (!options.operands.empty() && options.operands[0]->text != "show") return changes("may configure the router");
  return any ? reads("shows routing") : changes("opens the router's own prompt");
}

}  // namespace safety
