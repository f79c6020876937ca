#pragma once

// Kept conversations: one file of JSON lines each, appended as things happen, so that a crash loses at most the turn
// in progress. What is written has passed the redaction; thinking is not kept (it is bound to unredacted words).

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/conversation.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace agent {

/// What is known of a kept conversation without reading all of it.
struct SessionInfo {
  std::string id;
  std::string created;
  std::string target;
  std::string title;       ///< The first question.
  long long modified = 0;  ///< Seconds since 1970.
  std::size_t bytes = 0;
};

/// A conversation read back.
struct StoredSession {
  SessionInfo info;
  std::vector<model::Message> messages;
  std::vector<Boundary> boundaries;
  std::size_t damaged_lines = 0;  ///< Not read: cut by a crash, or no record of ours.
};

/// Writes one conversation down while it happens.
class SessionStore : public Journal {
 public:
  using Redact = std::function<std::string(std::string_view)>;
  struct Options {
    std::string directory;  ///< 0700; made if it is missing.
    std::string target;
    std::string created;  ///< The time, as people write it.
    Redact redact;        ///< Nothing: text is written as it is.
    /// Once, when it cannot be written any more; from inside the call that wanted it written. May be empty.
    std::function<void(const base::Error&)> on_failure;
  };

  /// A new conversation. The file is made with its first message.
  static base::Result<std::unique_ptr<SessionStore>> create(Options options);
  /// Goes on with a kept one, which load_session() has read.
  static base::Result<std::unique_ptr<SessionStore>> resume(Options options, const std::string& id);

  const std::string& id() const { return id_; }
  /// The first thing that went wrong with writing; the conversation goes on without being kept.
  const base::Result<void>& health() const { return health_; }

  void appended(const model::Message& message) override;
  void rolled_back(std::size_t length) override;
  void replaced(const std::vector<model::Message>& messages, const Boundary* boundary) override;

 private:
  SessionStore(Options options, std::string id) : options_(std::move(options)), id_(std::move(id)) {}
  base::Result<void> open(int flags);
  base::Result<void> write(const model::Json& record);
  void keep(base::Result<void> written);
  model::Message redacted(const model::Message& message) const;

  Options options_;
  std::string id_;
  base::UniqueFd file_;
  base::Result<void> health_;
};

/// All kept conversations, the newest first.
base::Result<std::vector<SessionInfo>> list_sessions(const std::string& directory);

/// Reads one back; bounded in size. `id` may be the beginning of exactly one id.
base::Result<StoredSession> load_session(const std::string& directory, const std::string& id);

/// What `jms sessions show` prints: questions and answers, with one line per call.
std::string describe_session(const StoredSession& session);

/// A report to hand on: Markdown with questions as headings, commands and results as code; or all of it as JSON.
std::string export_markdown(const StoredSession& session);
std::string export_json(const StoredSession& session);

}  // namespace agent
