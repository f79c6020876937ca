// Reading kept conversations: everything in a file may be damaged or made up, and nothing of it may hurt.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "agent/context.h"
#include "agent/session_store.h"

namespace agent {
namespace {

using model::Json;

constexpr std::size_t kMostFile = 64u << 20;
constexpr std::size_t kHeadBytes = 64u << 10;  // Enough for the header and the first question.
constexpr std::string_view kEnding = ".jsonl";

bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
  });
}

base::Result<std::string> read_bounded(const std::string& path, std::size_t most) {
  base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) return base::fail_errno("opening " + path);
  std::string text;
  char buffer[16 * 1024];
  while (text.size() < most) {
    const ssize_t count = ::read(file.get(), buffer, std::min(sizeof buffer, most - text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno("reading " + path);
    if (count == 0) break;
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

void read_messages(const Json& record, std::vector<model::Message>& into, std::size_t& damaged) {
  const Json* list = model::member(record, "messages");
  if (!list || !list->is_array()) {
    ++damaged;
    return;
  }
  into.clear();
  for (const auto& stored : *list) {
    auto message = model::message_from_json(stored);
    message ? into.push_back(std::move(*message)) : void(++damaged);
  }
}

void apply(const Json& record, StoredSession& session) {
  const auto type = model::string_at(record, "type");
  if (type == "session") {
    session.info.created = model::string_at(record, "created");
    session.info.target = model::string_at(record, "target");
  } else if (type == "message") {
    const Json* stored = model::member(record, "message");
    auto message = stored ? model::message_from_json(*stored) : std::nullopt;
    message ? session.messages.push_back(std::move(*message)) : void(++session.damaged_lines);
  } else if (type == "rollback") {
    const auto to = model::number_at(record, "to").value_or(-1);
    if (to < 0 || static_cast<std::size_t>(to) > session.messages.size())
      ++session.damaged_lines;
    else
      session.messages.resize(static_cast<std::size_t>(to));
  } else if (type == "compaction" || type == "rewrite") {
    read_messages(record, session.messages, session.damaged_lines);
    if (type == "compaction")
      session.boundaries.push_back({std::string(model::string_at(record, "reason")),
                                    static_cast<std::size_t>(model::number_at(record, "messages_before").value_or(0)),
                                    model::number_at(record, "tokens_before").value_or(0),
                                    model::number_at(record, "tokens_after").value_or(0)});
  } else {
    ++session.damaged_lines;
  }
}

void apply_lines(std::string_view text, StoredSession& session) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    if (const auto record = model::parse_json(line); record && record->is_object())
      apply(*record, session);
    else
      ++session.damaged_lines;
  }
}

std::string first_question(const std::vector<model::Message>& messages) {
  for (const auto& message : messages)
    if (begins_question(message)) return model::one_line(question_text(message), 80);
  return {};
}

void fill_file_info(const std::string& path, SessionInfo& info) {
  struct stat stored {};
  if (::stat(path.c_str(), &stored) != 0) return;
  info.modified = stored.st_mtime;
  info.bytes = static_cast<std::size_t>(stored.st_size);
}

base::Result<std::string> whole_id(const std::string& directory, const std::string& beginning) {
  if (!is_id(beginning))
    return base::fail("\"" + model::one_line(beginning, 64) + "\" is no session id; see `jms sessions list`");
  const auto sessions = list_sessions(directory);
  if (!sessions) return base::fail(sessions.error());
  std::string found;
  for (const auto& session : *sessions) {
    if (session.id == beginning) return session.id;
    if (!session.id.starts_with(beginning)) continue;
    if (!found.empty()) return base::fail("several sessions begin with " + beginning + "; give more of the id");
    found = session.id;
  }
  if (found.empty()) return base::fail("there is no session " + beginning + "; see `jms sessions list`");
  return found;
}

}  // namespace

base::Result<std::vector<SessionInfo>> list_sessions(const std::string& directory) {
  std::vector<SessionInfo> sessions;
  std::error_code error;
  if (!std::filesystem::exists(directory, error)) return sessions;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(kEnding)) continue;
    StoredSession session;
    session.info.id = name.substr(0, name.size() - kEnding.size());
    if (!is_id(session.info.id)) continue;
    const auto head = read_bounded(entry.path(), kHeadBytes);
    if (!head) continue;
    apply_lines(*head, session);
    if (session.messages.empty() && session.damaged_lines == 0) continue;  // Its only question was cancelled.
    session.info.title = first_question(session.messages);
    fill_file_info(entry.path(), session.info);
    sessions.push_back(std::move(session.info));
  }
  if (error) return base::fail("reading " + directory + ": " + error.message());
  std::sort(sessions.begin(), sessions.end(), [](const SessionInfo& a, const SessionInfo& b) {
    return std::tie(a.modified, a.id) > std::tie(b.modified, b.id);
  });
  return sessions;
}

base::Result<StoredSession> load_session(const std::string& directory, const std::string& id) {
  const auto whole = whole_id(directory, id);
  if (!whole) return base::fail(whole.error());
  const std::string path = directory + "/" + *whole + std::string(kEnding);
  const auto text = read_bounded(path, kMostFile + 1);
  if (!text) return base::fail(text.error());
  if (text->size() > kMostFile) return base::fail(path + " is larger than 64 MB and is not read");
  StoredSession session;
  session.info.id = *whole;
  apply_lines(*text, session);
  session.info.title = first_question(session.messages);
  fill_file_info(path, session.info);
  return session;
}

std::string describe_session(const StoredSession& session) {
  std::string out = session.info.id + "  " + session.info.target + "  " + session.info.created + "\n";
  for (const auto& message : session.messages) {
    if (begins_question(message)) {
      out += "\n> " + std::string(question_text(message)) + "\n";
      continue;
    }
    for (const auto& block : message.blocks) {
      if (block.kind() == model::Block::Kind::tool_use) {
        const Json* input = model::member(block.wire(), "input");
        out += "  * " + std::string(block.name()) + " " +
               (input ? model::one_line(model::dump_json(*input), 160) : "") + "\n";
      }
      if (block.kind() == model::Block::Kind::text && message.role == model::Role::assistant)
        out += std::string(block.text()) + "\n";
    }
  }
  return out;
}

}  // namespace agent
