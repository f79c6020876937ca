#include "base/log.h"

#include <fcntl.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>
#include <utility>

namespace base {
namespace {

constexpr std::size_t kFileBytes = 2 * 1024 * 1024;
constexpr std::size_t kFiles = 3;

LogSettings settings;
std::shared_ptr<spdlog::logger> logger;
bool tried = false;

/// spdlog would make the file by the umask; this one is the operator's alone.
void make_private(const spdlog::filename_t& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
}

/// Opened with the first line, so that a command with nothing to tell leaves no file. A log that cannot be written
/// does not stop the work.
spdlog::logger* opened() {
  if (std::exchange(tried, true) || !settings.path) return logger.get();
  const std::string path = settings.path();
  if (path.empty()) return nullptr;
  try {
    spdlog::file_event_handlers handlers;
    handlers.before_open = make_private;
    auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_st>(path, kFileBytes, kFiles, false, handlers);
    logger = std::make_shared<spdlog::logger>("jms", std::move(sink));
    logger->set_level(spdlog::level::debug);
    logger->flush_on(spdlog::level::debug);
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z [%P] %l %v");
    logger->set_error_handler([](const std::string&) {});  // spdlog's own one prints on the terminal.
  } catch (const spdlog::spdlog_ex&) {
    logger.reset();
  }
  return logger.get();
}

void write(LogLevel level, spdlog::level::level_enum as, std::string_view line) {
  if (settings.level < level) return;
  if (auto* log = opened()) log->log(as, "{}", line);
}

std::string printable(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && byte != '\\') {
      text += c;
    } else {
      text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return text;
}

}  // namespace

void set_log(LogSettings wanted) {
  settings = std::move(wanted);
  logger.reset();
  tried = false;
}

bool log_level_named(std::string_view name, LogLevel& level) {
  static constexpr std::pair<std::string_view, LogLevel> kNames[] = {
      {"off", LogLevel::off}, {"error", LogLevel::error}, {"info", LogLevel::info}, {"debug", LogLevel::debug}};
  for (const auto& [known, value] : kNames) {
    if (known != name) continue;
    level = value;
    return true;
  }
  return false;
}

void log_error(std::string_view line) {
  write(LogLevel::error, spdlog::level::err, line);
}
void log_info(std::string_view line) {
  write(LogLevel::info, spdlog::level::info, line);
}
void log_debug(std::string_view line) {
  write(LogLevel::debug, spdlog::level::debug, line);
}

void log_content(std::string_view what, std::string_view bytes) {
  if (!settings.content) return;
  if (auto* log = opened()) log->log(spdlog::level::debug, "{}: {}", what, printable(bytes));
}

}  // namespace base
