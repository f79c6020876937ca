#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "transport/ssh/config_keywords.h"

namespace transport {

/// What the configuration said, before defaults and tokens: the first value of each keyword, lists added up.
struct ConfigValues {
  std::map<std::string, std::vector<std::string>, std::less<>> first;
  std::vector<std::string> identity_files;
  std::vector<std::string> certificate_files;
  std::vector<std::string> send_env;
  std::vector<std::string> openssh_only;  ///< "ControlPath (/home/me/.ssh/config line 3)": why only ssh can do it.
  std::vector<std::string> ignored;       ///< Likewise, keywords without effect here; for the debug log.
  std::vector<std::string> host_names;    ///< When read for no host: every name that a Host line gives in full.

  const std::string* single(std::string_view keyword) const;
};

/// Reads configuration files for one host, as ssh does: first value wins, Host and Match blocks, Include.
class ConfigReader {
 public:
  struct Context {
    std::string host;  ///< As typed.
    std::string local_user;
    std::string home;
  };
  enum class Trust { user_file, system_file };

  ConfigReader(Context context, ConfigValues& values) : context_(std::move(context)), values_(values) {}

  /// A file that does not exist is left out when `required` is false. Every other trouble is an error.
  base::Result<void> read_file(const std::string& path, Trust trust, bool required);
  /// One "-o" option of the command line.
  base::Result<void> read_option(std::string_view line);

  /// `Match final` was seen: ssh then reads everything a second time, with those blocks in effect.
  bool wants_final_pass() const { return wants_final_pass_; }
  void begin_final_pass(std::string resolved_host);

 private:
  struct Place {
    std::string file;
    int line = 0;
    Trust trust = Trust::user_file;
    int depth = 0;
    bool never = false;  ///< Included from a block that does not apply: checked, without effect.
  };

  base::Result<void> read_text(std::string_view text, Place place);
  base::Result<void> read_line(std::string_view line, const Place& place);
  base::Result<void> read_keyword(const Keyword& keyword, std::string_view rest, const Place& place);
  base::Result<void> start_host_block(const std::vector<std::string>& patterns, const Place& place);
  base::Result<void> start_match_block(std::string_view criteria, const Place& place);
  base::Result<bool> criterion_holds(const std::string& name, const std::string& argument, const Place& place);
  base::Result<void> include(const std::vector<std::string>& paths, const Place& place);
  base::Result<void> include_file(const std::string& path, const Place& place);
  base::Result<void> set_jump(std::string_view rest, const Place& place);
  void store(const Keyword& keyword, std::vector<std::string> values, const Place& place);
  bool is_ignored_unknown(std::string_view keyword) const;
  std::string host_for_match() const;

  Context context_;
  ConfigValues& values_;
  bool active_ = true;
  bool wants_final_pass_ = false;
  bool final_pass_ = false;
  std::string final_host_;
  std::size_t bytes_read_ = 0;
};

}  // namespace transport
