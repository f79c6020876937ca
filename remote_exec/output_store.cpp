#include "remote_exec/output_store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/utf8.h"
#include "remote_exec/marks.h"

namespace remote_exec {
namespace {

constexpr std::string_view kPrefix = "out-";

bool valid_id(std::string_view id) {
  if (!id.starts_with(kPrefix) || id.size() > 64) return false;
  return std::all_of(id.begin(), id.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

base::Result<base::UniqueFd> open_kept(const std::string& directory, const std::string& id) {
  if (!valid_id(id)) return base::fail("\"" + id + "\" is not the id of a kept output; use the id from the result");
  base::UniqueFd file(::open((directory + "/" + id).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) return base::fail_errno("reading the kept output " + id);
  return file;
}

std::uint64_t size_of(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// The text without a cut character at its front or back.
std::string_view whole_characters(std::string_view text) {
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xc0) == 0x80) text.remove_prefix(1);
  text.remove_suffix(base::incomplete_utf8_tail(text));
  return text;
}

}  // namespace

OutputStore::OutputStore(const Options& options) : options_(options) {}

void OutputStore::append(std::string_view text) {
  const std::size_t half = options_.budget / 2;
  total_ += text.size();
  if (truncated() && file_id_.empty() && !options_.directory.empty() && options_.file_cap > 0) open_file();
  if (file_) write_file(text);

  const std::size_t for_head = std::min(text.size(), half - std::min(half, head_.size()));
  head_ += text.substr(0, for_head);
  text.remove_prefix(for_head);
  if (text.size() >= half) {
    tail_ = text.substr(text.size() - half);
    tail_start_ = 0;
    return;
  }
  const std::size_t room = half - tail_.size();
  const std::size_t growing = std::min(room, text.size());
  tail_ += text.substr(0, growing);
  text.remove_prefix(growing);
  // From here the tail is a full ring: new bytes replace the oldest.
  while (!text.empty()) {
    const std::size_t run = std::min(text.size(), tail_.size() - tail_start_);
    text.copy(tail_.data() + tail_start_, run);
    tail_start_ = (tail_start_ + run) % tail_.size();
    text.remove_prefix(run);
  }
}

std::string OutputStore::tail() const {
  return tail_.substr(tail_start_) + tail_.substr(0, tail_start_);
}

std::string OutputStore::text() const {
  if (!truncated()) return head_ + tail();
  const std::string last = tail();
  const std::string_view head = whole_characters(head_);
  const std::string_view rest = whole_characters(last);
  const std::uint64_t missing = total_ - head.size() - rest.size();
  std::string note = "\n[… " + std::to_string(missing) + " bytes left out";
  if (in_file_ == total_) {
    note += "; the whole output is kept as " + file_id_;
  } else if (in_file_ > 0) {
    note += "; its first " + std::to_string(in_file_) + " bytes are kept as " + file_id_;
  }
  note += " …]\n";
  return std::string(head) + note + std::string(rest);
}

void OutputStore::open_file() {
  std::error_code ignored;
  std::filesystem::create_directories(options_.directory, ignored);
  ::chmod(options_.directory.c_str(), 0700);
  const std::string id = std::string(kPrefix) + Nonce::fresh().text();
  const std::string path = options_.directory + "/" + id;
  file_.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_) return;
  file_id_ = id;
  write_file(head_ + tail());
}

void OutputStore::write_file(std::string_view text) {
  text = text.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(text.size(), options_.file_cap - in_file_)));
  while (!text.empty()) {
    const ssize_t written = ::write(file_.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return file_.reset();  // A full disk costs the rest of the file, never the command.
    in_file_ += static_cast<std::uint64_t>(written);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

base::Result<OutputPart> read_output(const std::string& directory, const std::string& id, std::uint64_t offset,
                                     std::size_t limit) {
  auto file = open_kept(directory, id);
  if (!file) return base::fail(file.error());
  OutputPart part;
  part.size = size_of(file->get());
  if (offset >= part.size) return part;
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(limit, part.size - offset)), '\0');
  const ssize_t count = ::pread(file->get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (count < 0) return base::fail_errno("reading the kept output " + id);
  bytes.resize(static_cast<std::size_t>(count));
  part.text = whole_characters(bytes);
  part.more = offset + bytes.size() < part.size;
  return part;
}

void forget_old_outputs(const std::string& directory, std::chrono::hours age) {
  std::error_code error;
  const auto oldest = std::filesystem::file_time_type::clock::now() - age;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    std::error_code ignored;
    if (!valid_id(entry.path().filename().string()) || entry.is_symlink(ignored)) continue;
    if (const auto written = entry.last_write_time(ignored); !ignored && written < oldest)
      std::filesystem::remove(entry.path(), ignored);
  }
}

base::Result<OutputPart> grep_output(const std::string& directory, const std::string& id, std::string_view needle,
                                     std::size_t limit) {
  auto file = open_kept(directory, id);
  if (!file) return base::fail(file.error());
  OutputPart part;
  part.size = size_of(file->get());
  std::array<char, 64 * 1024> buffer;
  std::string line;
  std::uint64_t number = 1;
  // Lines longer than the limit are matched and shown by their beginning.
  const auto end_line = [&] {
    if (line.find(needle) != std::string::npos && !part.more) {
      const std::string shown = std::to_string(number) + ":" + line + "\n";
      if (part.text.size() + shown.size() <= limit) {
        part.text += shown;
      } else {
        part.more = true;
      }
    }
    line.clear();
    ++number;
  };
  ssize_t count = 0;
  while (!part.more && (count = ::read(file->get(), buffer.data(), buffer.size())) > 0) {
    for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(count))) {
      if (c == '\n') {
        end_line();
      } else if (line.size() < limit) {
        line += c;
      }
    }
  }
  if (!line.empty()) end_line();
  return part;
}

}  // namespace remote_exec
