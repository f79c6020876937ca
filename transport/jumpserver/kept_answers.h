#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "transport/jumpserver/credentials.h"
#include "transport/jumpserver/json.h"

namespace transport::jumpserver {

/// What core has answered, kept across runs of jms so that the next opening need not ask again: a file of mode 0600
/// beside the sign-in. It belongs to one sign-in at one server; to any other, and when it is damaged, it is as if
/// empty. How long an answer counts is the asker's business; nothing is kept for more than a day.
class KeptAnswers {
 public:
  /// Keeps within this run only.
  KeptAnswers() = default;
  /// `whose` is looked at whenever something is kept or wanted: it may change while signing in. It must outlive this.
  KeptAnswers(const std::string& directory, const std::string& profile, const Credentials& whose);

  /// The answer, unless it is older than `most_age`.
  std::optional<Json> find(const std::string& what, std::chrono::seconds most_age);
  void keep(const std::string& what, Json answer);
  void forget(const std::string& what);
  /// Writes what has changed. What cannot be written is only asked again the next time.
  void save();

  static std::string path_of(const std::string& directory, const std::string& profile);

 private:
  struct Answer {
    long at = 0;  ///< Seconds since 1970.
    Json json;
  };

  void load();
  void drop_old();

  std::string path_;  ///< Empty: nowhere.
  const Credentials* whose_ = nullptr;
  std::string owner_;  ///< Whose answers are loaded: a digest, from which no credential can be had.
  bool changed_ = false;
  std::map<std::string, Answer> answers_;
};

}  // namespace transport::jumpserver
