// The publickey part of the Authenticator: which keys, in which order, and how each one signs.

#include <libssh2.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "event/background.h"
#include "transport/ssh/askpass_question.h"
#include "transport/ssh/authenticator.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

constexpr std::chrono::milliseconds kKeyAnswerLimit(60'000);
constexpr int kMostPassphrases = 3;
constexpr std::size_t kMostKeys = 20;  // No server lets us try as many.

/// SHA-1 signatures are refused by OpenSSH since 8.8, and libssh2 1.10 knows no other for RSA. A blob that calls itself
/// rsa-sha2-512 works there; Go's and Dropbear's servers take it for garbage, and accept SHA-1.
std::string rsa_algorithm(const std::string& banner) {
  return banner.find("OpenSSH") != std::string::npos ? "rsa-sha2-512" : "ssh-rsa";
}

std::string relabelled(std::string_view key_blob, std::string_view algorithm) {
  WireReader reader(key_blob);
  (void)reader.string();
  std::string blob;
  put_string(blob, algorithm);
  return blob + std::string(reader.rest());
}

/// The algorithm that stands in what is to be signed (RFC 4252, 7): libssh2 1.11 takes a better one than the key's own
/// label where the server announces it. Empty for other keys than RSA, which have one only.
std::string rsa_algorithm_in(std::string_view data) {
  WireReader reader(data);
  (void)reader.string();  // The session.
  (void)reader.byte();
  for (int i = 0; i < 3; ++i) (void)reader.string();  // User, service, "publickey".
  (void)reader.byte();
  const std::string_view name = reader.string().value_or("");
  return name == "ssh-rsa" || name.starts_with("rsa-sha2-") ? std::string(name) : "";
}

/// What libssh2 calls when the server has accepted the public half.
struct SignRequest {
  std::function<base::Result<std::string>(std::string_view)> sign;
  SshSession& session;
  std::string error;
};

int sign_for_libssh2(LIBSSH2_SESSION*, unsigned char** signature, std::size_t* size, const unsigned char* data,
                     std::size_t data_size, void** abstract) {
  auto& request = *static_cast<SignRequest*>(*abstract);
  const auto made = request.sign({reinterpret_cast<const char*>(data), data_size});
  if (!made) {
    request.error = made.error().message;
    return -1;
  }
  *signature = static_cast<unsigned char*>(request.session.allocate(made->size()));
  if (*signature == nullptr) return -1;
  std::memcpy(*signature, made->data(), made->size());
  *size = made->size();
  return 0;
}

}  // namespace

Authenticator::Outcome Authenticator::try_keys() {
  if (!collected_) collect_candidates();
  collected_ = true;
  while (next_candidate_ < candidates_.size()) {
    const Outcome outcome = try_candidate(candidates_[next_candidate_++]);
    if (outcome != Outcome::exhausted) return outcome;
  }
  return Outcome::exhausted;
}

void Authenticator::collect_candidates() {
  std::vector<KeyFile> files;
  for (const auto& path : session_.settings().identity_files) {
    auto file = read_key_file(path);
    if (!file) {
      tried_.push_back(file.error().message);
      setup_.tell(file.error().message);
    } else if (*file) {
      files.push_back(std::move(**file));
    } else if (session_.settings().identities_configured) {
      tried_.push_back("identity " + path + " (no such file)");
    }
  }
  collect_from_agent(files);
  for (auto& file : files) {
    if (file.format == KeyFile::Format::public_only) continue;
    if (!file.openssh_only.empty()) {
      tried_.push_back("identity " + file.path + " (" + file.openssh_only + ": needs ssh_engine=openssh)");
      continue;
    }
    const std::string label = "identity " + file.path;
    candidates_.push_back({label, file.public_blob, false, std::move(file)});
  }
  if (candidates_.size() > kMostKeys) candidates_.resize(kMostKeys);
}

void Authenticator::collect_from_agent(std::vector<KeyFile>& files) {
  const HostSettings& settings = session_.settings();
  if (settings.identity_agent.empty()) return;
  auto agent = AgentClient::connect(setup_.loop(), setup_.fiber(), settings.identity_agent);
  if (!agent) return;  // A stale SSH_AUTH_SOCK is everyday life; the files may do.
  auto identities = agent->identities();
  if (!identities) return;
  agent_ = std::move(*agent);
  std::vector<Candidate> others;
  for (auto& identity : *identities) {
    const std::string type(blob_type(identity.key_blob));
    if (type.starts_with("sk-") || type.find("-cert-") != std::string::npos) {
      tried_.push_back("agent key " + key_type_label(type) + " (needs ssh_engine=openssh)");
      continue;
    }
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const KeyFile& one) { return one.public_blob == identity.key_blob; });
    Candidate candidate{"agent key " + key_type_label(type) + " " + fingerprint(identity.key_blob), identity.key_blob,
                        true, std::nullopt};
    if (file != files.end()) {
      candidates_.push_back(std::move(candidate));
      files.erase(file);
    } else if (!settings.identities_only) {
      others.push_back(std::move(candidate));
    }
  }
  std::move(others.begin(), others.end(), std::back_inserter(candidates_));
}

Authenticator::Outcome Authenticator::try_candidate(Candidate& candidate) {
  unlocked_.reset();
  if (candidate.key_blob.empty()) {
    // An encrypted PEM file without its .pub: only the passphrase shows which key it is.
    if (auto done = unlock_candidate(candidate); !done) {
      tried_.push_back(candidate.label + " (" + done.error().message + ")");
      return setup_.declined() || setup_.fiber().cancelled() ? Outcome::over : Outcome::exhausted;
    }
    candidate.key_blob = unlocked_->public_blob();
  }
  const bool is_rsa = blob_type(candidate.key_blob) == "ssh-rsa";
  const std::string algorithm = is_rsa ? rsa_algorithm(session_.banner()) : "";
  const std::string blob = is_rsa ? relabelled(candidate.key_blob, algorithm) : candidate.key_blob;
  const std::string& user = session_.settings().user;
  SignRequest request{[&](std::string_view data) { return sign(candidate, rsa_algorithm_in(data), data); }, session_,
                      ""};
  void* abstract = &request;
  const int status = session_.repeat(setup_, kKeyAnswerLimit, [&] {
    return libssh2_userauth_publickey(session_.native(), user.c_str(),
                                      reinterpret_cast<const unsigned char*>(blob.data()), blob.size(),
                                      sign_for_libssh2, &abstract);
  });
  unlocked_.reset();
  if (status == 0) return Outcome::success;
  if (setup_.declined() || setup_.fiber().cancelled()) return Outcome::over;
  if (!request.error.empty()) {
    tried_.push_back(candidate.label + " (" + request.error + ")");
    return Outcome::exhausted;
  }
  if (!is_refusal(status)) return lost(status, "offering a key");
  tried_.push_back(candidate.label);
  // Refused outright, or signed and not enough: the latter may be a first factor that was accepted.
  return status == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED ? after_refusal() : Outcome::exhausted;
}

base::Result<std::string> Authenticator::sign(Candidate& candidate, const std::string& algorithm,
                                              std::string_view data) {
  if (candidate.from_agent) {
    const std::uint32_t flags = algorithm == "rsa-sha2-512"   ? AgentClient::kRsaSha512
                                : algorithm == "rsa-sha2-256" ? AgentClient::kRsaSha256
                                                              : 0;
    return agent_->sign(candidate.key_blob, data, flags);
  }
  if (!unlocked_)
    if (auto done = unlock_candidate(candidate); !done) return base::fail(done.error());
  return unlocked_->sign(algorithm, data);
}

base::Result<void> Authenticator::unlock_candidate(Candidate& candidate) {
  const KeyFile& file = *candidate.file;
  if (!file.encrypted) {
    auto key = unlock(file, "");
    if (!key) return base::fail(key.error());
    if (!*key) return base::fail("it is damaged");
    unlocked_ = std::move(*key);
    return {};
  }
  if (const auto known = setup_.passphrases().find(file.path); known != setup_.passphrases().end()) {
    auto key = unlock_beside(file, Secret(known->second.view()));
    if (key && *key) {
      unlocked_ = std::move(*key);
      return {};
    }
  }
  if (session_.settings().batch_mode) return base::fail("its passphrase may not be asked for in BatchMode");
  SshQuestion question = question_about(session_.settings(), SshQuestion::Kind::passphrase);
  question.text = "Enter passphrase for key '" + file.path + "': ";
  for (; question.attempt <= kMostPassphrases; ++question.attempt) {
    auto passphrase = setup_.ask(question);
    if (!passphrase) return base::fail("no passphrase");
    if (passphrase->empty()) break;  // As with ssh: an empty answer goes on to the next key.
    auto key = unlock_beside(file, Secret(passphrase->view()));
    if (!key) return base::fail(key.error());
    if (!*key) continue;
    unlocked_ = std::move(*key);
    setup_.passphrases().insert_or_assign(file.path, std::move(*passphrase));
    return {};
  }
  return base::fail("not unlocked");
}

base::Result<std::optional<PrivateKey>> Authenticator::unlock_beside(const KeyFile& file, Secret passphrase) {
  /// Everything the other thread touches; it may outlive us when the operator gives up.
  struct Job {
    KeyFile file;
    Secret passphrase;
    std::optional<base::Result<std::optional<PrivateKey>>> result;
  };
  auto job = std::make_shared<Job>();
  job->file.path = file.path;
  job->file.format = file.format;
  job->file.encrypted = file.encrypted;
  job->file.text.text = file.text.text;
  job->passphrase = std::move(passphrase);
  bool done = false;
  const event::Background work(
      setup_.loop(), [job] { job->result = unlock(job->file, job->passphrase.view()); },
      [&] {
        done = true;
        setup_.fiber().wake();
      });
  while (!done)
    if (setup_.fiber().wait() == event::Fiber::Woken::cancelled) return base::fail("cancelled");
  return std::move(*job->result);
}

}  // namespace transport
