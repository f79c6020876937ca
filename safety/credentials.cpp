#include "safety/credentials.h"

#include <fnmatch.h>

#include <algorithm>

namespace safety {
namespace {

/// Patterns for fnmatch, without FNM_PATHNAME: `*` also matches slashes. Matched against the whole path.
constexpr const char* kSecretPatterns[] = {
    // A raw disk or the memory holds all of them.
    "/dev/sd[a-z]*",
    "/dev/vd[a-z]*",
    "/dev/xvd*",
    "/dev/nvme[0-9]*",
    "/dev/dm-*",
    "/dev/mapper/*",
    "/dev/md[0-9]*",
    "/dev/mem",
    "/dev/kmem",
    "*/shadow",
    "*/shadow-",
    "*/gshadow",
    "*/gshadow-",
    "*/master.passwd",
    "*/opasswd",
    // Where they are kept: a program that reads whole directories shows all of it.
    "*/.ssh",
    "*/.gnupg",
    "*/.aws",
    "*/.kube",
    "*/.docker",
    "*/.azure",
    "*/.config/gcloud",
    "*/.password-store",
    "*/.password-store/*",
    "*/ssl/private",
    "*/tls/private",
    "*/pki/private",
    "*/run/secrets",
    "*/kubernetes/pki",
    "*/letsencrypt/live",
    "*/letsencrypt/archive",
    "*/.ssh/id_*",
    "*/id_rsa",
    "*/id_dsa",
    "*/id_ecdsa",
    "*/id_ed25519",
    "*/ssh_host_*_key",
    "*/identity",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ppk",
    "*.keytab",
    "*/privkey*.pem",
    "*/*key.pem",
    "*/private/*",
    "*/.aws/credentials",
    "*/.kube/config",
    "*/.kube/*",
    "*/kubeconfig*",
    "*.kubeconfig",
    "*/kubernetes/*.conf",
    "*/k3s.yaml",
    "*/.docker/config.json",
    "*/.dockercfg",
    "*/.netrc",
    "*/_netrc",
    "*/.pgpass",
    "*/.my.cnf",
    "*/.mylogin.cnf",
    "*/debian.cnf",
    "*/.git-credentials",
    "*/.env",
    "*/.env.*",
    "*.env",
    "*/.htpasswd",
    "*/.vault-token",
    "*/.npmrc",
    "*/.pypirc",
    "*/.gnupg/*",
    "/proc/*/environ",
    "/proc/*/mem",
    "/proc/kcore",
    "*/run/secrets/*",
    "*/credentials.json",
    "*/credentials.db",
    "*/application_default_credentials.json",
    "*/service-account*.json",
    "*/secrets.yml",
    "*/secrets.yaml",
    "*/secrets.json",
    "*/secret.yml",
    "*/secret.yaml",
    "*/.config/gh/hosts.yml",
    "*/wp-config.php",
    "*/pgbouncer/userlist.txt",
    "*/.s3cfg",
    "*/.boto",
    "*/rclone.conf",
    "*/.rclone.conf",
    "*/chap-secrets",
    "*/ipsec.secrets",
    "*/wg*.conf",
    "*/wpa_supplicant.conf",
    "*/.bash_history.secrets",
    "*/terraform.tfstate*",
    "*/.terraform.d/credentials*",
    "*/htpasswd",
    "*/.erlang.cookie",
    "*/vault.yml",
    "*/id_*_sk",
    "*/kubelet/pki/*",
    "*/etcd/*-key.pem",
    "*/.ssh/*key",
    "*/.azure/*token*",
    "*/gcloud/*",
};

/// Paths that a pattern on the command line must not match.
constexpr const char* kSecretFiles[] = {
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/ssh/ssh_host_rsa_key",
    "/root/.ssh/id_rsa",
    "/root/.ssh/id_ed25519",
    "/home/user/.ssh/id_rsa",
    "~/.ssh/id_rsa",
    "~/.ssh/id_ed25519",
    "~/.kube/config",
    "/root/.kube/config",
    "~/.aws/credentials",
    "/root/.aws/credentials",
    "/proc/1/environ",
    "/proc/self/environ",
    "/etc/kubernetes/admin.conf",
    "/etc/ssl/private/server.key",
    "~/.ssh",
    "/root/.ssh",
    "/home/user/.ssh",
    "~/.aws",
    "~/.kube",
    "~/.gnupg",
};

/// Public halves and settings that stand beside keys.
constexpr const char* kHarmlessPatterns[] = {
    "*.pub", "*/authorized_keys", "*/known_hosts", "*/.ssh/config", "*/public.key", "*/etc/kubernetes/kube-proxy.conf",
};

bool matches_any(const std::string& path, std::span<const char* const> patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const char* pattern) { return ::fnmatch(pattern, path.c_str(), 0) == 0; });
}

std::string normalised(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '/' && i + 1 < path.size() && path[i + 1] == '/') continue;
    if (path.substr(i).starts_with("/./")) {
      ++i;
      continue;
    }
    out += path[i];
  }
  // "/x/../etc/shadow" is "/etc/shadow"; only the names matter, so one pass from the left is enough.
  for (auto up = out.find("/../"); up != std::string::npos; up = out.find("/../")) {
    const auto parent = up == 0 ? std::string::npos : out.rfind('/', up - 1);
    out.erase(parent == std::string::npos ? 0 : parent, up + 3 - (parent == std::string::npos ? 0 : parent));
  }
  if (!out.starts_with('/')) out.insert(0, "./");
  while (out.size() > 2 && (out.ends_with('/') || out.ends_with("/."))) out.pop_back();
  return out;
}

}  // namespace

bool is_credential_path(std::string_view path) {
  static constexpr std::size_t kLongestPath = 4096;
  if (path.empty() || path.size() > kLongestPath) return false;
  const auto name = normalised(path);
  const bool pattern = name.find_first_of("*?[") != std::string::npos;
  if (pattern) {
    const auto given = name.starts_with("./") ? name.substr(2) : name;
    for (const char* file : kSecretFiles) {
      if (::fnmatch(given.c_str(), file, FNM_PATHNAME) == 0) return true;
    }
  }
  return matches_any(name, kSecretPatterns) && !matches_any(name, kHarmlessPatterns);
}

std::string credential_among(std::span<const Argument> args) {
  for (const auto& arg : args) {
    std::string_view text = arg.text;
    const auto equals = text.find('=');
    const bool option = text.starts_with('-');
    const bool found =
        is_credential_path(text) ||
        (!arg.known && (is_credential_path(arg.tail) || is_credential_path(arg.text + "x" + arg.tail))) ||
        (equals != std::string_view::npos && is_credential_path(text.substr(equals + 1))) ||
        (option && text.size() > 2 && is_credential_path(text.substr(2))) ||
        (text.starts_with('@') && is_credential_path(text.substr(1)));
    if (found) return "would show credentials (" + (arg.known ? arg.text : arg.text + "…" + arg.tail) + ")";
  }
  return {};
}

}  // namespace safety
