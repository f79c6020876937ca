#include "safety/audit_log.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <thread>

#include "base/write_all.h"

namespace safety {
namespace {

using Json = nlohmann::ordered_json;

std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char buffer[40];
  const auto length = std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(buffer + length, sizeof buffer - length, ".%03dZ", static_cast<int>(millis));
  return buffer;
}

/// What an end record has more than the start it belongs to: exit code, duration, hash and size of the output.
constexpr std::size_t kEndFields = 160;

constexpr std::chrono::microseconds kLockStep(200);  // Short: other sessions leave it free for moments only.
constexpr std::chrono::seconds kLockPatience(3);

/// Holds the file's lock: two sessions may write to one log.
///
/// A record takes milliseconds. Whoever holds the lock for longer is stopped or stuck, and must not take this session,
/// which waits here with its whole event loop, along.
class FileLock {
 public:
  explicit FileLock(int fd) : fd_(fd) {
    const auto until = std::chrono::steady_clock::now() + kLockPatience;
    // A file system without locks is none of the two errors: there one session alone must do.
    while (::flock(fd_, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
      taken_ = std::chrono::steady_clock::now() > until;
      if (taken_) return;
      std::this_thread::sleep_for(kLockStep);
    }
  }
  ~FileLock() { ::flock(fd_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  base::Result<void> held() const {
    if (!taken_) return {};
    return base::fail("another program has held the lock of the audit log for " +
                      std::to_string(kLockPatience.count()) + " s; is a jms stopped? (`fuser` names it)");
  }

 private:
  int fd_;
  bool taken_ = false;  ///< By someone else, for all that time.
};

/// The bytes from `from` to the end, at most `most`.
base::Result<std::string> read_from(int fd, off_t from, std::size_t most) {
  std::string text(most, '\0');
  std::size_t done = 0;
  while (done < most) {
    const auto got = ::pread(fd, text.data() + done, most - done, from + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::fail_errno("reading the audit log");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

base::Result<void> check_private(int fd, std::string_view what, mode_t type) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return base::fail_errno(what);
  if ((info.st_mode & S_IFMT) != type)
    return base::fail(std::string(what) + " is not of the expected kind; move it away");
  if (info.st_uid != ::geteuid()) return base::fail(std::string(what) + " belongs to another user; move it away");
  if ((info.st_mode & 077) != 0)
    return base::fail(std::string(what) + " can be read or written by others; run chmod go-rwx on it");
  return {};
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < length; ++i) {
    out += kHex[digest[i] >> 4];
    out += kHex[digest[i] & 15];
  }
  return out;
}

base::Result<AuditLog> AuditLog::open(Options options) {
  if (!options.now) options.now = utc_now;
  if (::mkdir(options.directory.c_str(), 0700) != 0 && errno != EEXIST)
    return base::fail_errno("making the audit directory " + options.directory);
  const base::UniqueFd directory(::open(options.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return base::fail_errno("opening the audit directory " + options.directory);
  if (auto checked = check_private(directory.get(), "the audit directory " + options.directory, S_IFDIR); !checked)
    return base::fail(checked.error());
  AuditLog log(std::move(options));
  if (auto opened = log.open_current(); !opened) return base::fail(opened.error());
  return log;
}

base::Result<void> AuditLog::open_current() {
  const auto path = options_.directory + "/audit.jsonl";
  file_.reset(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_) return base::fail_errno("opening the audit log " + path);
  if (auto checked = check_private(file_.get(), "the audit log " + path, S_IFREG); !checked) return checked;
  const FileLock lock(file_.get());
  if (auto held = lock.held(); !held) return held;
  if (auto mended = mend_tail(); !mended) return mended;
  return size_ == 0 && last_hash_.empty() ? continue_from_set_aside() : base::Result<void>{};
}

/// A stop between setting the old file aside and the first record of the new one: the chain goes on from the old.
base::Result<void> AuditLog::continue_from_set_aside() {
  const auto records = read_audit(options_.directory);
  if (!records) return base::fail(records.error());
  if (records->empty()) return {};
  const auto& last = records->back();
  if (!last.contains("hash") || !last["hash"].is_string())
    return base::fail(
        "the last audit file that was set aside does not end in a record; run 'jms audit verify' and move it away");
  last_hash_ = last["hash"].get<std::string>();
  return {};
}

/// Learns the last hash from the file. A torn last line was never acknowledged, so it is cut off.
base::Result<void> AuditLog::mend_tail() {
  struct stat info {};
  if (::fstat(file_.get(), &info) != 0) return base::fail_errno("looking at the audit log");
  static constexpr off_t kLongestRecord = 4 * 1024 * 1024;
  const off_t from = std::max<off_t>(0, info.st_size - kLongestRecord);
  auto text = read_from(file_.get(), from, static_cast<std::size_t>(info.st_size - from));
  if (!text) return base::fail(text.error());
  auto end = text->rfind('\n');
  const auto whole = end == std::string::npos ? 0 : end + 1;
  if (whole < text->size()) {
    if (::ftruncate(file_.get(), from + static_cast<off_t>(whole)) != 0)
      return base::fail_errno("mending the audit log");
    text->resize(whole);
  }
  size_ = static_cast<std::uint64_t>(from) + whole;
  if (text->empty()) return {};  // last_hash_ stays: after a rotation the chain goes on
  const auto before = text->size() < 2 ? std::string::npos : text->rfind('\n', text->size() - 2);
  const auto line = std::string_view(*text).substr(before == std::string::npos ? 0 : before + 1);
  const auto record = Json::parse(line, nullptr, false);
  if (!record.is_object() || !record.contains("hash") || !record["hash"].is_string())
    return base::fail("the audit log's last line is not a record; run 'jms audit verify' and move the file away");
  last_hash_ = record["hash"].get<std::string>();
  return {};
}

base::Result<void> AuditLog::append(const AuditRecord& record) {
  // Other sessions may set the file aside again and again while this one waits for its turn.
  for (int attempt = 0; attempt < 100; ++attempt) {
    {
      const FileLock lock(file_.get());
      if (auto held = lock.held(); !held) return held;
      struct stat info {
      }, named{};
      if (::fstat(file_.get(), &info) != 0) return base::fail_errno("looking at the audit log");
      const bool current = ::stat((options_.directory + "/audit.jsonl").c_str(), &named) == 0 &&
                           named.st_ino == info.st_ino && named.st_dev == info.st_dev;
      if (current) {
        // Another session may have written since.
        if (static_cast<std::uint64_t>(info.st_size) != size_) {
          if (auto mended = mend_tail(); !mended) return mended;
        }
        // An end goes where room was made for it.
        if (size_ >= options_.rotate_bytes && !(record.event == "end" && running_ > 0)) {
          if (auto rotated = rotate(); !rotated) return rotated;
        } else {
          return write_record(record);
        }
      } else {
        // It was set aside by another session; the chain goes on from its last line.
        if (auto mended = mend_tail(); !mended) return mended;
      }
    }
    if (auto opened = open_current(); !opened) return opened;
  }
  return base::fail("the audit log keeps moving away; is another program rotating it?");
}

base::Result<void> AuditLog::write_record(const AuditRecord& record) {
  Json json;
  json["time"] = options_.now();
  json["event"] = record.event;
  json["target"] = record.target;
  json["user"] = record.user;
  json["command"] = record.command;
  json["class"] = record.cls;
  json["decision"] = record.decision;
  json["decided_by"] = record.decided_by;
  json["exit_code"] = or_null(record.exit_code);
  json["duration_ms"] = or_null(record.duration_ms);
  json["output_sha256"] = record.output_sha256.empty() ? Json(nullptr) : Json(record.output_sha256);
  json["output_bytes"] = or_null(record.output_bytes);
  json["question"] = record.question;
  json["model"] = record.model;
  json["prev"] = last_hash_;
  const auto hash = sha256_hex(json.dump(-1, ' ', false, Json::error_handler_t::replace));
  json["hash"] = hash;
  const auto line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto with_end = line.size() * 2 + kEndFields;
  if (record.event == "start") {
    if (auto room = reserve(with_end); !room) return room;
  }
  if (auto written = base::write_all(file_.get(), line, "the audit log"); !written) {
    // Half a line must not stay: the next record would be glued to it.
    if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) return base::fail_errno("mending the audit log");
    return written;
  }
  if (::fdatasync(file_.get()) != 0) return base::fail_errno("syncing the audit log");
  size_ += line.size();
  last_hash_ = hash;
  if (record.event == "start") {
    ++running_;
    reserved_ += with_end;
  }
  reserved_ -= std::min<std::uint64_t>(reserved_, line.size());
  if (record.event == "end" && running_ > 0 && --running_ == 0) reserved_ = 0;
  return {};
}

/// Takes blocks behind those that the file has already, without making it longer. An attempt that fails must not touch
/// what is reserved: tmpfs gives the whole range back then.
base::Result<void> AuditLog::reserve(std::size_t bytes) {
  struct stat info {};
  if (::fstat(file_.get(), &info) != 0) return base::fail_errno("looking at the audit log");
  const auto block = static_cast<std::uint64_t>(std::max<blksize_t>(info.st_blksize, 512));
  const auto from = (size_ + reserved_ + block - 1) / block * block;
  const auto to = size_ + reserved_ + bytes;
  while (from < to &&
         ::fallocate(file_.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(to - from)) != 0) {
    if (errno == EINTR) continue;
    if (errno == ENOSPC || errno == EDQUOT) return base::fail_errno("making room in the audit log");
    break;  // Not every file system can; then the end has the chance it always had.
  }
  return {};
}

/// Sets the full file aside under the next number. The caller holds the lock and opens a new one.
base::Result<void> AuditLog::rotate() {
  for (int number = 1; number < 1'000'000; ++number) {
    char name[32];
    std::snprintf(name, sizeof name, "/audit.%06d.jsonl", number);
    // link() refuses an existing name; rename() would overwrite it.
    if (::link((options_.directory + "/audit.jsonl").c_str(), (options_.directory + name).c_str()) == 0) {
      if (::unlink((options_.directory + "/audit.jsonl").c_str()) != 0)
        return base::fail_errno("rotating the audit log");
      return {};
    }
    if (errno != EEXIST) return base::fail_errno("rotating the audit log");
  }
  return base::fail("too many audit files in " + options_.directory + "; move old ones away");
}

}  // namespace safety
