#include "app/session/recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "base/write_all.h"

namespace app {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;

std::string as_json(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

base::Result<Recorder> Recorder::create(const std::string& path, base::Size size) {
  base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file && errno == EEXIST) return base::fail("the recording " + path + " exists already; name another file");
  if (!file) return base::fail_errno("creating the recording " + path);
  Recorder recorder(std::move(file), path);
  nlohmann::ordered_json header = {
      {"version", 2}, {"width", size.cols}, {"height", size.rows}, {"timestamp", std::time(nullptr)}};
  if (const char* term = std::getenv("TERM")) header["env"]["TERM"] = term;
  recorder.buffer_ = header.dump() + "\n";
  return recorder;
}

void Recorder::output(std::string_view bytes, Clock::time_point now) {
  std::string text = std::exchange(cut_, {}) + std::string(bytes);
  const std::size_t tail = base::incomplete_utf8_tail(text);
  cut_ = text.substr(text.size() - tail);
  text.resize(text.size() - tail);
  if (!text.empty()) event(now, 'o', text);
}

void Recorder::resized(base::Size size, Clock::time_point now) {
  event(now, 'r', std::to_string(size.cols) + "x" + std::to_string(size.rows));
}

void Recorder::event(Clock::time_point now, char kind, std::string_view data) {
  char head[48];
  std::snprintf(head, sizeof head, "[%.6f, \"%c\", ", std::chrono::duration<double>(now - start_).count(), kind);
  buffer_ += head + as_json(data) + "]\n";
  if (buffer_.size() > kBuffer) flush();
}

void Recorder::flush() {
  const std::string lines = std::exchange(buffer_, {});
  if (!file_ || lines.empty()) return;
  if (const auto written = base::write_all(file_.get(), lines, path_); !written) {
    // A full disk must not stop the session; the recording ends there, with its last whole line.
    failure_ = "the recording ends here: " + written.error().message;
    (void)!::ftruncate(file_.get(), whole_);
    return file_.reset();
  }
  whole_ += static_cast<off_t>(lines.size());
}

}  // namespace app
