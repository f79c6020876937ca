#include "transport/ssh/host_key_check.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "transport/ssh/askpass_question.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/pattern.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

constexpr int kMostQuestions = 3;

std::string describe(std::string_view key_blob) {
  return key_type_label(blob_type(key_blob)) + " " + fingerprint(key_blob);
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace

HostKeyCheck::HostKeyCheck(const HostSettings& settings, KnownHosts known)
    : settings_(settings), known_(std::move(known)) {
  if (!settings.host_key_alias.empty()) {
    name_ = base::lower_case(settings.host_key_alias);
  } else {
    name_ = known_host_name(settings.host_name, settings.port);
    if (settings.port != 22) bare_name_ = known_host_name(settings.host_name, 22);
  }
}

base::Result<HostKeyCheck> HostKeyCheck::prepare(const HostSettings& settings) {
  std::vector<std::string> files = settings.user_known_hosts_files;
  files.insert(files.end(), settings.global_known_hosts_files.begin(), settings.global_known_hosts_files.end());
  auto known = KnownHosts::load(files);
  if (!known) return base::fail(known.error());
  return HostKeyCheck(settings, std::move(*known));
}

std::string HostKeyCheck::cert_authority() const {
  std::string place;
  for (const auto& line : known_.lines_for(name_)) {
    if (line.marker == KnownHostLine::Marker::none) return "";
    if (line.marker == KnownHostLine::Marker::cert_authority && place.empty()) place = line.place();
  }
  return place;
}

base::Result<void> HostKeyCheck::accept(ConnectionSetup& setup, const std::string& key_blob) const {
  using Kind = HostKeyVerdict::Kind;
  if (key_blob.empty()) return base::fail(settings_.label() + " shows no host key; it cannot be trusted");
  if (settings_.no_host_authentication_for_localhost && is_loopback(settings_.host_name)) return {};
  const HostKeyVerdict verdict = known_.check(name_, bare_name_, key_blob);
  switch (verdict.kind) {
    case Kind::match:
      return {};
    case Kind::revoked:
      return base::fail("the host key of " + settings_.label() + " (" + describe(key_blob) +
                        ") is marked @revoked in " + verdict.lines.front().place() +
                        "; not connected: ask whoever runs the host");
    case Kind::changed:
      return base::fail(changed(key_blob, verdict.lines));
    case Kind::cert_authority:
      return base::fail("only a certificate authority vouches for " + settings_.label() + " (" +
                        verdict.lines.front().place() +
                        "), which libssh2 cannot check: not supported here; use ssh_engine=openssh");
    case Kind::unknown:
      return accept_unknown(setup, key_blob, verdict.lines);
  }
  return base::fail("the host key of " + settings_.label() + " could not be checked");
}

base::Error HostKeyCheck::changed(const std::string& key_blob, const std::vector<KnownHostLine>& lines) const {
  std::string known;
  for (const auto& line : lines) known += (known.empty() ? "" : ", ") + describe(line.key_blob) + " in " + line.place();
  return {"THE HOST KEY OF " + name_ +
          " HAS CHANGED: somebody may be listening in, or the host was reinstalled. It shows " + describe(key_blob) +
          "; known is " + known + ". Not connected. When the change is right, run: ssh-keygen -R '" + name_ + "' -f " +
          lines.front().file};
}

base::Result<void> HostKeyCheck::accept_unknown(ConnectionSetup& setup, const std::string& key_blob,
                                                const std::vector<KnownHostLine>& others) const {
  switch (settings_.strict_host_key_checking) {
    case HostKeyPolicy::yes:
      return base::fail("the host key of " + settings_.label() + " (" + describe(key_blob) +
                        ") is not known, and StrictHostKeyChecking is yes; add it to known_hosts first");
    case HostKeyPolicy::no:
    case HostKeyPolicy::accept_new:
      return keep(setup, key_blob);
    case HostKeyPolicy::ask:
      break;
  }
  if (settings_.batch_mode)
    return base::fail("the host key of " + settings_.label() + " is not known, and BatchMode forbids to ask");
  return ask(setup, key_blob, others);
}

base::Result<void> HostKeyCheck::ask(ConnectionSetup& setup, const std::string& key_blob,
                                     const std::vector<KnownHostLine>& others) const {
  SshQuestion question = question_about(settings_, SshQuestion::Kind::host_key);
  question.echo = true;
  question.text = "The authenticity of " + name_ + " cannot be established.\n" + key_type_label(blob_type(key_blob)) +
                  " key fingerprint is " + fingerprint(key_blob) + ".\n";
  for (const auto& line : others)
    question.text += "Note: known so far is its " + describe(line.key_blob) + " (" + line.place() + ").\n";
  question.text += "Are you sure you want to continue connecting (yes/no/fingerprint)? ";
  for (; question.attempt <= kMostQuestions; ++question.attempt) {
    const auto answer = setup.ask(question);
    if (!answer) break;
    const std::string text(trim_left(trim_right(answer->view(), kConfigSpace), kConfigSpace));
    if (base::lower_case(text) == "yes" || text == fingerprint(key_blob)) return keep(setup, key_blob);
    if (base::lower_case(text) == "no") break;
    question.text = "Please type 'yes', 'no' or the fingerprint: ";
  }
  return base::fail("the host key of " + settings_.label() + " was not accepted; not connected");
}

base::Result<void> HostKeyCheck::keep(ConnectionSetup& setup, const std::string& key_blob) const {
  if (settings_.user_known_hosts_files.empty() || settings_.user_known_hosts_files.front() == "/dev/null") return {};
  const auto kept = append_known_host(settings_.user_known_hosts_files.front(), name_, key_blob,
                                      settings_.hash_known_hosts ? HashNames::yes : HashNames::no);
  // A read-only home must not stop the operator who has just checked the key.
  if (!kept) setup.tell(kept.error().message);
  return {};
}

}  // namespace transport
