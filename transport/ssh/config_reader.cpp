#include "transport/ssh/config_reader.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"
#include "base/words.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/destination.h"
#include "transport/ssh/pattern.h"
#include "transport/ssh/token.h"

namespace transport {
namespace {

constexpr int kDeepestInclude = 16;
constexpr std::size_t kMostHostNames = 2'000;
constexpr std::size_t kMostConfigBytes =
    4 * 1024 * 1024;  // Of all files together; also bounds Include loops over globs.
constexpr std::size_t kMostIdentityFiles = 100;

template <typename Place>
tl::unexpected<base::Error> fail_at(const Place& place, const std::string& what) {
  if (place.file.empty()) return base::fail("option -o: " + what);
  return base::fail(place.file + " line " + std::to_string(place.line) + ": " + what);
}

/// Others must not be able to write what decides where we connect and what we run.
bool is_safe_owner(const struct stat& info) {
  return (info.st_uid == 0 || info.st_uid == getuid()) && (info.st_mode & 022) == 0;
}

base::Result<std::string> read_whole(int fd, const std::string& path, std::size_t most) {
  std::string text;
  std::array<char, 16384> buffer;
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail_errno("reading " + path);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > most) return base::fail(path + " is too large for an SSH configuration");
  }
}

void add_once(std::vector<std::string>& list, const std::string& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace

const std::string* ConfigValues::single(std::string_view keyword) const {
  const auto found = first.find(keyword);
  return found == first.end() || found->second.empty() ? nullptr : &found->second.front();
}

base::Result<void> ConfigReader::read_file(const std::string& path, Trust trust, bool required) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno == ENOENT && !required) return {};
  if (!file) return base::fail_errno("opening " + path);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return base::fail_errno("reading " + path);
  // As ssh: the file named with -F is the operator's own responsibility.
  if (!required && trust == Trust::user_file && !is_safe_owner(info))
    return base::fail("bad owner or permissions on " + path +
                      ": it must be yours and writable by you only (chmod 600)");
  auto text = read_whole(file.get(), path, kMostConfigBytes);
  if (!text) return base::fail(text.error());
  active_ = true;
  return read_text(*text, {path, 0, trust, 0, false});
}

base::Result<void> ConfigReader::read_option(std::string_view line) {
  active_ = true;
  return read_line(line, {"", 0, Trust::user_file, 0, false});
}

void ConfigReader::begin_final_pass(std::string resolved_host) {
  final_pass_ = true;
  final_host_ = std::move(resolved_host);
  bytes_read_ = 0;
}

base::Result<void> ConfigReader::read_text(std::string_view text, Place place) {
  bytes_read_ += text.size();
  if (bytes_read_ > kMostConfigBytes) return base::fail(place.file + ": the configuration includes too much");
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    ++place.line;
    // ssh reads C strings: what follows a zero byte is not seen.
    std::string_view line = text.substr(0, end);
    line = line.substr(0, line.find('\0'));
    if (auto done = read_line(line, place); !done) return done;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return {};
}

base::Result<void> ConfigReader::read_line(std::string_view line, const Place& place) {
  std::string_view rest = trim_right(line, " \t\r\n\f");
  auto word = take_config_word(rest);
  if (word && word->empty()) word = take_config_word(rest);
  if (!word || word->empty() || word->front() == '#') return {};
  const std::string name = base::lower_case(*word);
  rest = trim_left(rest, kConfigSpace);
  if (rest.empty()) return fail_at(place, "no argument after keyword \"" + name + "\"");
  const Keyword* keyword = find_keyword(name);
  if (keyword == nullptr) {
    if (is_ignored_unknown(name)) return {};
    return fail_at(place, "bad configuration option: " + name);
  }
  if (keyword->kind == ValueKind::ignored) {
    if (active_) values_.ignored.push_back(name + " (" + place.file + " line " + std::to_string(place.line) + ")");
    return {};
  }
  return read_keyword(*keyword, rest, place);
}

base::Result<void> ConfigReader::read_keyword(const Keyword& keyword, std::string_view rest, const Place& place) {
  if (place.file.empty() &&
      (keyword.kind == ValueKind::host || keyword.kind == ValueKind::match || keyword.kind == ValueKind::include))
    return fail_at(place, std::string(keyword.name) + " belongs in a file");
  if (keyword.kind == ValueKind::match) return start_match_block(rest, place);
  if (keyword.kind == ValueKind::jump) return set_jump(trim_left(rest, " \t\r\n="), place);
  if (keyword.kind == ValueKind::command) {
    const std::string_view command = trim_left(rest, " \t\r\n=");
    // ProxyJump and ProxyCommand exclude each other; the first one seen stands.
    const bool taken = keyword.name == "proxycommand" && values_.first.contains("proxyjump");
    if (active_ && !taken) values_.first.try_emplace(std::string(keyword.name), 1, std::string(command));
    return {};
  }
  auto words = split_config_words(rest);
  if (!words) return fail_at(place, "invalid quotes");
  auto checked = check_values(keyword, std::move(*words));
  if (!checked) return fail_at(place, std::string(keyword.name) + ": " + checked.error().message);
  if (keyword.kind == ValueKind::host) return start_host_block(*checked, place);
  if (keyword.kind == ValueKind::include) return include(*checked, place);
  if (keyword.kind == ValueKind::identity && values_.identity_files.size() >= kMostIdentityFiles)
    return fail_at(place, "too many identity files (at most 100)");
  if (active_) store(keyword, std::move(*checked), place);
  return {};
}

void ConfigReader::store(const Keyword& keyword, std::vector<std::string> words, const Place& place) {
  switch (keyword.kind) {
    case ValueKind::identity:
      add_once(keyword.name == "certificatefile" ? values_.certificate_files : values_.identity_files, words.front());
      return;
    case ValueKind::send_env:
      for (auto& word : words) {
        if (word.front() == '-')
          std::erase_if(values_.send_env, [&](auto& one) { return matches_pattern(one, word.substr(1)); });
        else
          values_.send_env.push_back(std::move(word));
      }
      return;
    case ValueKind::openssh_only: {
      // Its first value counts, and only one that switches something on matters.
      const std::string value = words.empty() ? "" : base::lower_case(words.front());
      const bool is_new = values_.first.try_emplace(std::string(keyword.name), words).second;
      if (is_new && (" " + std::string(keyword.choices) + " ").find(" " + value + " ") == std::string::npos)
        values_.openssh_only.push_back(std::string(keyword.name) + " (" + place.file + " line " +
                                       std::to_string(place.line) + ")");
      return;
    }
    default:
      if (!words.empty()) values_.first.try_emplace(std::string(keyword.name), std::move(words));
  }
}

base::Result<void> ConfigReader::set_jump(std::string_view rest, const Place& place) {
  const std::string_view chain = trim_right(rest.substr(0, rest.find('#')), kConfigSpace);
  if (auto hops = parse_jump_chain(chain); !hops) return fail_at(place, "invalid ProxyJump: " + hops.error().message);
  if (active_ && !values_.first.contains("proxycommand")) values_.first.try_emplace("proxyjump", 1, std::string(chain));
  return {};
}

base::Result<void> ConfigReader::start_host_block(const std::vector<std::string>& patterns, const Place& place) {
  active_ = false;
  for (const auto& pattern : patterns)
    if (context_.host.empty() && pattern.find_first_of("*?!") == std::string::npos &&
        values_.host_names.size() < kMostHostNames)
      add_once(values_.host_names, pattern);
  if (place.never) return {};
  for (const auto& pattern : patterns) {
    const bool negated = pattern.front() == '!';
    if (!matches_pattern(context_.host, negated ? std::string_view(pattern).substr(1) : pattern)) continue;
    active_ = !negated;
    if (negated) break;
  }
  return {};
}

std::string ConfigReader::host_for_match() const {
  if (final_pass_) return final_host_;
  const std::string* name = values_.single("hostname");
  if (name == nullptr) return context_.host;
  return expand_tokens(*name, {{'h', context_.host}}).value_or(*name);
}

base::Result<void> ConfigReader::start_match_block(std::string_view criteria, const Place& place) {
  bool applies = true;
  int count = 0;
  while (true) {
    auto word = take_config_word(criteria);
    if (!word) return fail_at(place, "invalid quotes");
    if (word->empty() || word->front() == '#') break;
    const bool negated = word->front() == '!';
    const std::string name = base::lower_case(std::string_view(*word).substr(negated ? 1 : 0));
    if (name == "all") {
      const auto more = take_config_word(criteria);
      if (count > 1 || (more && !more->empty() && more->front() != '#'))
        return fail_at(place, "'all' cannot be combined with other Match attributes");
      active_ = applies && !negated && !place.never;
      return {};
    }
    ++count;
    std::string argument;
    if (name == "final") wants_final_pass_ = true;
    if (name != "final" && name != "canonical") {
      const auto taken = take_config_word(criteria);
      if (!taken || taken->empty() || taken->front() == '#')
        return fail_at(place, "missing Match criteria for " + name);
      argument = *taken;
    }
    // ssh does not run a command whose result cannot matter any more; neither does it count for us.
    if (name == "exec" && !applies) continue;
    auto holds = criterion_holds(name, argument, place);
    if (!holds) return base::fail(holds.error());
    if (*holds == negated) applies = false;
  }
  if (count == 0) return fail_at(place, "one or more attributes are required for Match");
  active_ = applies && !place.never;
  return {};
}

base::Result<bool> ConfigReader::criterion_holds(const std::string& name, const std::string& argument,
                                                 const Place& place) {
  const auto in_list = [&](std::string_view value, PatternCase pattern_case) {
    return match_pattern_list(value, argument, pattern_case) == ListVerdict::match;
  };
  if (name == "final" || name == "canonical") return final_pass_;
  if (name == "host") return in_list(base::lower_case(host_for_match()), PatternCase::lower);
  if (name == "originalhost") return in_list(base::lower_case(context_.host), PatternCase::lower);
  if (name == "localuser") return in_list(context_.local_user, PatternCase::keep);
  if (name == "user") {
    const std::string* user = values_.single("user");
    return in_list(user == nullptr ? context_.local_user : *user, PatternCase::keep);
  }
  if (name == "exec") {
    if (!place.never)
      values_.openssh_only.push_back("Match exec (" + place.file + " line " + std::to_string(place.line) + ")");
    return false;
  }
  return fail_at(place, "unsupported Match attribute " + name);
}

base::Result<void> ConfigReader::include(const std::vector<std::string>& paths, const Place& place) {
  for (std::string path : paths) {
    const bool is_user = place.trust == Trust::user_file;
    if (path.front() == '~' && !is_user) return fail_at(place, "bad include path " + path);
    if (path.front() == '~') {
      path = expand_home(path, context_.home);
    } else if (path.front() != '/') {
      path = (is_user ? context_.home + "/.ssh/" : std::string("/etc/ssh/")) + path;
    }
    glob_t found{};
    const int status = glob(path.c_str(), 0, nullptr, &found);
    std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
    globfree(&found);
    if (status != 0 && status != GLOB_NOMATCH) return fail_at(place, "cannot look for " + path);
    for (const auto& file : files)
      if (auto done = include_file(file, place); !done) return done;
  }
  return {};
}

base::Result<void> ConfigReader::include_file(const std::string& path, const Place& place) {
  if (place.depth + 1 > kDeepestInclude) return fail_at(place, "too many recursive configuration includes");
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file && errno == ENOENT) return {};
  if (!file) return fail_at(place, "cannot open " + path + ": " + std::strerror(errno));
  struct stat info {};
  if (fstat(file.get(), &info) != 0 || !is_safe_owner(info))
    return fail_at(place, "bad owner or permissions on " + path);
  auto text = read_whole(file.get(), path, kMostConfigBytes);
  if (!text) return fail_at(place, text.error().message);
  // A Host or Match in the included file ends with it.
  const bool was_active = active_;
  auto done = read_text(*text, {path, 0, place.trust, place.depth + 1, place.never || !was_active});
  active_ = was_active;
  return done;
}

bool ConfigReader::is_ignored_unknown(std::string_view keyword) const {
  const std::string* patterns = values_.single("ignoreunknown");
  return patterns != nullptr && match_pattern_list(keyword, *patterns, PatternCase::lower) == ListVerdict::match;
}

}  // namespace transport
