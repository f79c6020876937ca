#include "agent/session_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <utility>

#include "agent/untrusted.h"
#include "base/write_all.h"

namespace agent {
namespace {

using model::Json;

/// Redacts every string in `value`.
Json redact_strings(const Json& value, const SessionStore::Redact& redact) {
  if (value.is_string()) return redact(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json out = value;
  for (auto& inner : out) inner = redact_strings(inner, redact);
  return out;
}

std::string new_id() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d-%H%M%S-", &local);
  return text + random_tag().substr(0, 6);
}

base::Result<void> make_private_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return base::fail_errno("making " + path);
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return base::fail_errno("reading " + path);
  if ((info.st_mode & 077) != 0) return base::fail(path + " can be read by others; make it private: chmod 700 " + path);
  return {};
}

}  // namespace

base::Result<std::unique_ptr<SessionStore>> SessionStore::create(Options options) {
  if (auto made = make_private_directory(options.directory); !made) return base::fail(made.error());
  return std::unique_ptr<SessionStore>(new SessionStore(std::move(options), new_id()));
}

base::Result<std::unique_ptr<SessionStore>> SessionStore::resume(Options options, const std::string& id) {
  if (auto made = make_private_directory(options.directory); !made) return base::fail(made.error());
  std::unique_ptr<SessionStore> store(new SessionStore(std::move(options), id));
  if (auto opened = store->open(0); !opened) return base::fail(opened.error());
  // A crash may have left half a line; what follows must not be lost with it.
  const off_t size = ::lseek(store->file_.get(), 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(store->file_.get(), &last, 1, size - 1) == 1 && last != '\n')
    static_cast<void>(::write(store->file_.get(), "\n", 1) == 1);
  return store;
}

base::Result<void> SessionStore::open(int flags) {
  const std::string path = options_.directory + "/" + id_ + ".jsonl";
  file_.reset(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (!file_) return base::fail_errno("opening " + path);
  return {};
}

base::Result<void> SessionStore::write(const Json& record) {
  if (!file_) {
    if (auto opened = open(O_CREAT | O_EXCL); !opened) return opened;
    const Json header = {
        {"type", "session"}, {"version", 1}, {"id", id_}, {"created", options_.created}, {"target", options_.target}};
    if (auto written = write(header); !written) return written;
  }
  return base::write_all(file_.get(), model::dump_json(record) + "\n", "the session file");
}

void SessionStore::keep(base::Result<void> written) {
  if (!health_ || written) return;
  health_ = std::move(written);
  if (options_.on_failure) options_.on_failure(health_.error());
}

model::Message SessionStore::redacted(const model::Message& message) const {
  model::Message out{message.role, {}, {}, false};
  for (const auto& block : message.blocks) {
    const auto kind = block.kind();
    if (kind == model::Block::Kind::thinking || kind == model::Block::Kind::redacted_thinking) continue;
    Json wire = block.wire();
    if (options_.redact)
      for (const char* key : {"text", "content", "input"})
        if (wire.contains(key)) wire[key] = redact_strings(wire[key], options_.redact);
    out.blocks.emplace_back(std::move(wire));
  }
  if (out.blocks.empty()) out.blocks.push_back(model::Block::text("(thinking)"));
  return out;
}

void SessionStore::appended(const model::Message& message) {
  if (health_) keep(write({{"type", "message"}, {"message", model::to_json(redacted(message))}}));
}

void SessionStore::rolled_back(std::size_t length) {
  if (health_) keep(write({{"type", "rollback"}, {"to", length}}));
}

void SessionStore::replaced(const std::vector<model::Message>& messages, const Boundary* boundary) {
  if (!health_) return;
  Json record = {{"type", boundary ? "compaction" : "rewrite"}};
  if (boundary)
    record.update({{"reason", boundary->why},
                   {"messages_before", boundary->messages_before},
                   {"tokens_before", boundary->tokens_before},
                   {"tokens_after", boundary->tokens_after}});
  record["messages"] = Json::array();
  for (const auto& message : messages) record["messages"].push_back(model::to_json(redacted(message)));
  keep(write(record));
}

}  // namespace agent
