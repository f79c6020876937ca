#include "base/line_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/unique_fd.h"
#include "base/write_all.h"

namespace base {
namespace {

constexpr int kLockTries = 100;
constexpr useconds_t kLockPause = 2'000;  // microseconds
// A file that is trimmed at every line would be rewritten at every line.
constexpr std::size_t kSlack = 2;

Result<UniqueFd> open_private(const std::string& path, int flags) {
  UniqueFd file(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return fail_errno("opening " + path);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fail_errno("looking at " + path);
  if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid()) return fail(path + " is not a file of yours");
  if ((info.st_mode & 077) != 0) return fail(path + " can be read by others; run `chmod 600 " + path + "`");
  return file;
}

/// Held while the file is added to (shared) or replaced (exclusive). Beside the file, which is replaced whole.
/// Somebody who holds it for long, stopped perhaps, is not waited for: false.
bool lock(const UniqueFd& file, int how) {
  for (int tries = 0; tries < kLockTries; ++tries) {
    if (::flock(file.get(), how | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    ::usleep(kLockPause);
  }
  return false;
}

/// The last line has no end: whoever wrote it was stopped, or it was edited by hand. The next one must not be glued to
/// it.
bool is_torn(const UniqueFd& file) {
  char last = '\n';
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  return size > 0 && ::pread(file.get(), &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

Result<std::string> LineFile::read() const {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT) return std::string();
  auto file = open_private(path_, O_RDONLY);
  if (!file) return fail(file.error());
  // Only the end counts, however large somebody made it.
  const off_t size = ::lseek(file->get(), 0, SEEK_END);
  const auto most = static_cast<off_t>(limits_.bytes * kSlack * 2);
  ::lseek(file->get(), std::max<off_t>(size - most, 0), SEEK_SET);
  std::string content;
  std::array<char, 16 * 1024> buffer;
  while (content.size() < static_cast<std::size_t>(most)) {
    const ssize_t count = ::read(file->get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno("reading " + path_);
    if (count == 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return content;
}

/// The last whole lines within the limits.
std::string LineFile::newest(const std::string& content) const {
  std::size_t from = content.size();
  std::size_t lines = 0;
  while (from > 0 && lines < limits_.lines) {
    const std::size_t before = from < 2 ? std::string::npos : content.rfind('\n', from - 2);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    if (content.size() - begin > limits_.bytes) break;
    from = begin;
    ++lines;
  }
  return content.substr(from);
}

Result<std::vector<std::string>> LineFile::load() const {
  const auto content = read();
  if (!content) return fail(content.error());
  std::vector<std::string> lines;
  const std::string kept = newest(*content);
  for (std::size_t at = 0; at < kept.size();) {
    const std::size_t end = std::min(kept.find('\n', at), kept.size());
    if (end > at) lines.push_back(kept.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

Result<void> LineFile::append(std::string_view line) const {
  if (line.size() >= limits_.bytes) return fail("the line is too long for " + path_);
  std::string bytes(line);
  std::replace(bytes.begin(), bytes.end(), '\n', ' ');
  bytes += '\n';
  const auto gate = open_private(path_ + ".lock", O_RDWR | O_CREAT);
  if (!gate) return fail(gate.error());
  off_t size = 0;
  {
    lock(*gate, LOCK_SH);  // Without it too the line is written: one write to the end is whole.
    const auto file = open_private(path_, O_RDWR | O_CREAT | O_APPEND);
    if (!file) return fail(file.error());
    if (is_torn(*file)) bytes.insert(0, 1, '\n');
    if (auto written = write_all(file->get(), bytes, path_); !written) return written;
    size = ::lseek(file->get(), 0, SEEK_END);
    ::flock(gate->get(), LOCK_UN);
  }
  const bool many_bytes = static_cast<std::size_t>(size) > limits_.bytes * kSlack;
  const bool many_lines = static_cast<std::size_t>(size) > limits_.lines * kSlack;  // at least a byte each
  if (!many_bytes && !many_lines) return {};
  if (!lock(*gate, LOCK_EX)) return {};  // the next one trims
  return trim();
}

Result<void> LineFile::trim() const {
  const auto content = read();
  if (!content) return fail(content.error());
  const auto lines = static_cast<std::size_t>(std::count(content->begin(), content->end(), '\n'));
  if (lines <= limits_.lines * kSlack && content->size() <= limits_.bytes * kSlack) return {};
  const std::string next = path_ + ".new";
  ::unlink(next.c_str());
  {
    const auto file = open_private(next, O_WRONLY | O_CREAT | O_EXCL);
    if (!file) return fail(file.error());
    if (auto written = write_all(file->get(), newest(*content), next); !written) return written;
  }
  if (::rename(next.c_str(), path_.c_str()) != 0) return fail_errno("replacing " + path_);
  return {};
}

}  // namespace base
