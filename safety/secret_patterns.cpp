#include "safety/secret_patterns.h"

#include <algorithm>
#include <string>

#include "base/words.h"

namespace safety {
namespace {

// The end of a label that names a secret. What follows the word (password_file, token_type) makes it another label.
#define LABEL                                                                                                          \
  "(?:passw(?:or)?d|passwort|passphrase|passcode|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_" \
  "-]?key|"                                                                                                            \
  "client[_-]?secret|encryption[_-]?key|signing[_-]?key|master[_-]?key|account[_-]?key|shared[_-]?key|app[_-]?key|"    \
  "credential|psk|"                                                                                                    \
  "contrase\xC3\xB1"                                                                                                   \
  "a|mot[ _]de[ _]passe|senha|\xE5\xAF\x86\xE7\xA0\x81|\xE5\x8F\xA3\xE4\xBB\xA4|\xE5\xAF\x86\xE9\x92\xA5|"             \
  "\xE3\x83\x91\xE3\x82\xB9\xE3\x83\xAF\xE3\x83\xBC\xE3\x83\x89|\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE\xD0\xBB\xD1\x8C|"     \
  "\xEB\xB9\x84\xEB\xB0\x80\xEB\xB2\x88\xED\x98\xB8)(?:[_-]?base|[_-]?value)?"

constexpr SecretPattern kPatterns[] = {
    {"aws-key", R"(\b((?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16})\b)"},
    {"github-token", R"(\b(gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})\b)"},
    {"gitlab-token", R"(\b(gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_.-]{18,}))"},
    {"slack-token", R"(\b(xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}))"},
    {"webhook", R"((?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/([A-Za-z0-9_/-]{20,}))"},
    {"anthropic-key", R"(\b(sk-ant-[A-Za-z0-9_-]{16,}))"},
    {"openai-key", R"(\b(sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}))", Check::Strong},
    {"google-key", R"(\b(AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}))"},
    {"stripe-key", R"(\b((?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{20,}))"},
    {"cloud-key",
     R"(\b(LTAI[A-Za-z0-9]{12,26}|AKID[A-Za-z0-9]{13,40}|dop_v1_[a-f0-9]{64}|tskey-[A-Za-z0-9-]{20,}|AKLT[A-Za-z0-9_-]{16,})\b)"},
    {"service-token",
     R"(\b(npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40,}|hvs\.[A-Za-z0-9_-]{20,}|hvb\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|)"
     R"(glsa_[A-Za-z0-9_]{20,}|dckr_pat_[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|PMAK-[A-Za-z0-9-]{30,}|)"
     R"(NRAK-[A-Z0-9]{20,}|ATATT3[A-Za-z0-9_=-]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{40,}|sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}|EAACEdEose0cBA[A-Za-z0-9]+|lin_api_[A-Za-z0-9]{30,}))"},
    {"jwt", R"(\b(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*))"},
    {"private-key", R"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----((?:\\r|\\n|\s|[A-Za-z0-9+/=])+))"},
    {"authorization",
     R"((?i)authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest|negotiate|apikey|ntlm|bot|aws4-hmac-sha256)\s+)?([^\s"',;\\][^"'\r\n\\]{3,}))",
     Check::Value},
    {"authorization", R"((?i)\bbearer\s+([A-Za-z0-9_.~+/-]{16,}=*))", Check::Strong},
    {"cookie", R"((?i)\b(?:set-)?cookie["']?\s*:\s*["']?([^\s"'][^"'\r\n]*=[^"'\r\n]*))"},
    {"api-key",
     R"((?i)\bx-(?:api-key|auth-token|vault-token|amz-security-token|goog-api-key|access-token|csrf-token|auth-key|consul-token|gitlab-token)["']?\s*[:=]\s*["']?([^\s"',;]{6,}))",
     Check::Value},
    {"api-key", R"((?i)\bprivate-token["']?\s*:\s*["']?([^\s"',;]{6,}))", Check::Value},
    {"url-password", R"((?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]*:([^\s/"'<>@]+(?:@[^\s/"'<>@]+)*)@[^\s/@"'<>]+)",
     Check::Value},
    {"url-password", R"((?i)\bhttps?://([A-Za-z0-9_-]{20,})@)", Check::Strong},
    {"url-password", R"(\b[A-Za-z0-9_.-]+:([^\s:@/"']+)@(?:tcp|unix)\()", Check::Value},
    {"url-key",
     R"((?i)[?&;](?:access_?token|refresh_?token|id_token|auth_?token|token|api_?key|apikey|client_secret|secret|password|passwd|pwd|sig|signature|x-amz-signature|)"
     R"(x-amz-security-token|x-amz-credential|x-goog-signature|sas)=([^&\s"'<>#;]{4,}))",
     Check::Value},
    // label: "value", label='value', "label" => "value"
    {"password",
     "(?i)" LABEL R"x((?:\\?["'])?\s*(?:=>|:=|=|:|\x{EF}\x{BC}\x{9A})\s*\\?"((?:[^"\\\r\n]|\\[^\r\n"])+)\\?")x",
     Check::Value},
    {"password", "(?i)" LABEL R"((?:\\?["'])?\s*(?:=>|:=|=|:|\x{EF}\x{BC}\x{9A})\s*'([^'\r\n]+)')", Check::Value},
    // label=value, label: value
    {"password",
     "(?i)" LABEL R"(["']?\s*(?:=>|:=|=|:|\x{EF}\x{BC}\x{9A})[ \t]*([^\s"'`,;<>&|(){}\[\]][^\s"'`,;<>&|]*))",
     Check::Value},
    {"password", R"((?i)(?:^|[^A-Za-z0-9])(?:[A-Za-z0-9]+[_.-])*(?:pass|pw)["']?\s?=\s?["']?([^\s"'`,;<>&|]+))",
     Check::Value},
    {"password", R"((?i)<(?:[a-z]+[:.-])?(?:password|passwd|secret|token|apikey|passphrase)>([^<\s]+)</)",
     Check::Value},
    {"password",
     R"((?i)\b(?:password|secret)\s+(?:0|5|7|8|9|cipher|irreversible-cipher|simple|encrypted)\s+([^\s]{3,}))",
     Check::Value},
    {"password", R"((?i)\bsnmp-(?:server|agent)\s+community\s+(?:(?:read|write|cipher|simple|ro|rw)\s+)*([^\s]+))",
     Check::Value},
    {"password", R"((?i)\b(?:ro|rw)community6?\s+([^\s]+))", Check::Value},
    {"password", R"(\blogin\s+\S+\s+password\s+(\S+))", Check::Value},
    {"password", R"((?i)\bidentified\s+(?:with\s+\S+\s+)?by\s+["']([^"'\r\n]+)["'])", Check::Value},
    {"password", R"((?m)^[A-Za-z0-9_.*-]+:(?:\d{4,5}|\*):[A-Za-z0-9_*-]+:[A-Za-z0-9_*-]+:(\S{3,})$)", Check::Value},
    {"auth", R"x("auth"\s*:\s*"([A-Za-z0-9+/]{8,}={0,2})")x", Check::None},
    // Command lines.
    {"password",
     R"((?i)--?(?:password|passwd|pass|token|secret|api-?key|auth-token|access-token|client-secret|secret-key|private-key-passphrase)(?:=|\s+)["']?([^\s"'-][^\s"']*))",
     Check::Value},
    {"password",
     R"(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mysqlimport|mysqlcheck|mysqlsh|xtrabackup|innobackupex)\b[^\n|;&]*?\s-p["']?([^\s"']+))",
     Check::Value},
    {"password",
     R"(\b(?:sshpass|mongo(?:sh|dump|restore|export)?|docker\s+login|podman\s+login|az\s+login|smbclient|rabbitmqadmin|winexe|docker-login|cqlsh)\b[^\n|;&]*?\s-p\s*["']?([^\s"'-][^\s"']*))",
     Check::Value},
    {"password", R"(\bredis-cli\b[^\n|;&]*?\s-a\s*["']?([^\s"'-][^\s"']*))", Check::Value},
    {"password", R"(\bldap(?:search|modify|add|delete|whoami|passwd)\b[^\n|;&]*?\s-w\s*["']?([^\s"'-][^\s"']*))",
     Check::Value},
    {"password",
     R"(\b(?:curl|http|https|wget|restic|k6)\b[^\n|;&]*?\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s"':]+:([^\s"']+))",
     Check::Value},
    {"password", R"((?i)-U\s*["']?[A-Za-z0-9_.\\/-]+%([^\s"']+))", Check::Value},
    {"password", R"(\bpass(?:in|out)?\s+pass:([^\s"']+))", Check::Value},
    {"password",
     R"(\becho\s+["']?([^\s"'|]+)["']?\s*\|\s*(?:sudo\s+(?:-\w+\s+)*-S|docker\s+login|passwd\s+--stdin|chpasswd))",
     Check::Value},
    // Hashes.
    {"hash",
     R"((\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|P|H|sha1|argon2(?:id|i|d)|scrypt|pbkdf2[a-z0-9-]*)\$[./A-Za-z0-9$=,+-]{16,}))"},
    {"hash", R"((?:^|[\s|'"])(\*[0-9A-F]{40})\b)"},
    {"hash", R"((\{(?:SSHA|SHA|SMD5|MD5|CRYPT|SSHA512|SSHA256)\}[A-Za-z0-9+/=$.]{16,}))"},
    // Cluster credentials.
    {"kube-secret", R"(\b(?:client-key-data|client-key|bootstrap-token)["']?:\s*["']?([A-Za-z0-9+/]{40,}={0,2}))"},
    {"swarm-token", R"(\b(SWMTKN-1-[a-z0-9-]{40,}))"},
    {"kubeadm-token", R"(--token\s+([a-z0-9]{6}\.[a-z0-9]{16})\b)"},
};

constexpr std::string_view kPrefilter =
    R"((?im)passw|passph|passcode|\bpass["']?\s?=|_pass|-pass|\bpw["']?\s?=|_pw|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|(?:encryption|signing|master|account|shared|app)[_-]?key|)"
    R"(credential|psk|contrase|mot[ _]de|senha|authoriz|bearer|cookie|x-[a-z]+-[a-z]*(?:key|token)|://[^\s/]*@|@(?:tcp|unix)\(|[?&;](?:sig|sas|signature|x-amz|x-goog)|)"
    R"(AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-|xox[abeoprs]-|xapp-|api/webhooks|slack\.com/services|sk-|AIza|ya29\.|GOCSPX|_live_|_test_|whsec|LTAI|AKID|AKLT|dop_v1|tskey|)"
    R"(npm_|pypi-|hv[sb]\.|SG\.|glsa_|dckr_|hf_|gsk_|shp[acps]|PMAK|NRAK|ATATT3|AGE-SEC|sq0|EAACE|lin_api|eyJ|-----|community|identified|"auth"|\s-[pawuU]|-u\s|--user|pass:|\$[0-9a-zA-Z]{1,12}\$|\*[0-9A-F]{8}|)"
    R"(\{S?(?:SHA|MD5)|\{SMD5|\{CRYPT|client-key|SWMTKN|^[ \t]*(?:data|stringData):[ \t\r]*$|^[\w.*-]+:(?:\d{4,5}|\*):|\|\s*(?:sudo|chpasswd)|)"
    "\xE5\xAF\x86\xE7\xA0\x81|\xE5\x8F\xA3\xE4\xBB\xA4|\xE5\xAF\x86\xE9\x92\xA5|\xE3\x83\x91\xE3\x82\xB9|"
    "\xD0\xBF\xD0\xB0\xD1\x80\xD0\xBE|\xEB\xB9\x84\xEB\xB0\x80";

bool is_ordinary_word(std::string_view lower) {
  static constexpr std::string_view kWords =
      " null nil none true false yes no on off undefined empty required optional default expired invalid missing "
      "incorrect denied failed failure unknown changed ok not set unset disabled enabled "
      "accepted rejected wrong mismatch for is was and the a an has with from in of to at by must should may will can "
      "cannot please prompt sent received generated "
      "created deleted updated rotated revoked refreshed refresh validation verification verified auth authentication "
      "bearer basic type name string int bool str text permission error "
      "warning info debug user username login root hidden redacted masked filtered removed secret password token key "
      "value n/a any all file path env vault stdin ask prompting reset "
      "valid found authenticated used using need needed needs this that it new old same different or if when after "
      "before successfully ";
  return kWords.find(" " + std::string(lower) + " ") != std::string_view::npos;
}

bool is_path(std::string_view value) {
  if (!value.starts_with('/') && !value.starts_with("./") && !value.starts_with("~/") && !value.starts_with("../"))
    return false;
  if (value.find_first_of("+=!@#$%^&*") != std::string_view::npos) return false;
  // One slash in front of a random text is not yet a path.
  return value.find('/', 1) != std::string_view::npos || value.find('.') != std::string_view::npos || value.size() < 12;
}

bool is_reference(std::string_view value) {
  if (value.starts_with("${") || value.starts_with("$(") || value.starts_with("{{") || value.starts_with("<%") ||
      value.starts_with("%(") || value.starts_with("#{") || value.starts_with('`'))
    return true;
  if (value.starts_with('<') && value.ends_with('>')) return true;
  if (value.starts_with("<secret:")) return true;
  if (value.starts_with("%") && value.size() <= 3) return true;
  if (value.starts_with('$') && value.size() > 1) {
    // $NAME alone; a $ inside other text is a password's right.
    return std::all_of(value.begin() + 1, value.end(), [](char c) {
      return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
  }
  for (const std::string_view call : {"os.environ", "os.getenv", "getenv(", "process.env", "System.getenv", "ENV[",
                                      "env(", "lookup(", "vault:", "ref+", "arn:aws:", "secretKeyRef", "valueFrom",
                                      "projects/", "!vault", "file:", "env:", "op://", "keyring:"}) {
    if (value.starts_with(call)) return true;
  }
  return false;
}

bool is_masked(std::string_view value) {
  const auto first = value[0];
  const bool same = std::all_of(value.begin(), value.end(), [&](char c) { return c == first; });
  if (same &&
      (first == '*' || first == 'x' || first == 'X' || first == '.' || first == '-' || first == '#' || first == '_'))
    return true;
  if (value.find("***") != std::string_view::npos || value.find("...") != std::string_view::npos) return true;
  return value.find("REDACTED") != std::string_view::npos || value.find("[FILTERED]") != std::string_view::npos ||
         value.find("\xE2\x80\xA2") != std::string_view::npos;
}

/// Random text has letters and digits, or both cases, and no long run of one kind of word.
bool is_mixed(std::string_view value) {
  bool lower = false, upper = false, digit = false;
  for (const char c : value) {
    lower = lower || (c >= 'a' && c <= 'z');
    upper = upper || (c >= 'A' && c <= 'Z');
    digit = digit || (c >= '0' && c <= '9');
  }
  return (lower || upper) && (digit || (lower && upper));
}

}  // namespace

std::span<const SecretPattern> built_in_secret_patterns() {
  return kPatterns;
}

std::string_view secret_prefilter() {
  return kPrefilter;
}

bool is_secret_value(std::string_view value, Check check) {
  if (check == Check::None) return true;
  while (!value.empty() && (value.back() == '.' || value.back() == ':' || value.back() == '\\')) value.remove_suffix(1);
  if (value.empty() || is_reference(value) || is_masked(value) || is_path(value)) return false;
  if (is_ordinary_word(base::lower_case(value))) return false;
  // Lengths, counts and versions: password_length=12 is another label, but `token: 3` is a count.
  if (value.size() < 3) return false;
  if (check == Check::Strong) return value.size() >= 16 && is_mixed(value);
  return true;
}

}  // namespace safety
