#include "safety/sql.h"

#include <algorithm>
#include <string>
#include <vector>

#include "safety/word_list.h"

namespace safety {
namespace {

/// A word, a sign or a string of a statement; words are in capitals.
struct SqlToken {
  std::string text;
  bool word = false;
};
using Statement = std::vector<SqlToken>;

// Functions and keywords that may stand before a parenthesis in a question. Others could be anyone's procedure.
constexpr std::string_view kCalls =
    " COUNT SUM MIN MAX AVG ROUND FLOOR CEIL CEILING ABS MOD GREATEST LEAST NOW CURRENT_TIMESTAMP CURRENT_DATE "
    "CURRENT_TIME COALESCE NULLIF IFNULL IF CAST CONVERT EXTRACT AGE DATE_TRUNC "
    "DATE_PART TO_CHAR TO_TIMESTAMP SUBSTR SUBSTRING LEFT RIGHT LENGTH CHAR_LENGTH OCTET_LENGTH LOWER UPPER TRIM LTRIM "
    "RTRIM REPLACE CONCAT CONCAT_WS GROUP_CONCAT STRING_AGG ARRAY_AGG "
    "JSON_AGG JSON_EXTRACT JSON_UNQUOTE VERSION DATABASE SCHEMA USER CURRENT_USER SESSION_USER CONNECTION_ID "
    "CURRENT_DATABASE CURRENT_SCHEMA CURRENT_SETTING DATE DATETIME TIME TIMESTAMP "
    "UNIX_TIMESTAMP FROM_UNIXTIME TIMESTAMPDIFF TIMEDIFF DATEDIFF DATE_SUB DATE_ADD DATE_FORMAT SEC_TO_TIME FORMAT "
    "STRFTIME JULIANDAY ROW_NUMBER RANK DENSE_RANK LAG LEAD OVER FILTER IN EXISTS ANY ALL "
    "SOME VALUES INTERVAL DISTINCT AND OR NOT ON WHERE FROM SELECT AS BY WHEN THEN ELSE CASE USING UNION HAVING JOIN "
    "LATERAL LIKE BETWEEN SQRT POWER SIGN HEX MD5 TYPEOF IIF PRINTF INSTR LOCATE "
    "VARCHAR CHAR NUMERIC DECIMAL INT ARRAY ROW PG_SIZE_PRETTY PG_DATABASE_SIZE PG_TOTAL_RELATION_SIZE "
    "PG_RELATION_SIZE PG_TABLE_SIZE PG_INDEXES_SIZE PG_TABLESPACE_SIZE PG_IS_IN_RECOVERY "
    "PG_LAST_WAL_RECEIVE_LSN PG_LAST_WAL_REPLAY_LSN PG_LAST_XACT_REPLAY_TIMESTAMP PG_CURRENT_WAL_LSN PG_WAL_LSN_DIFF "
    "PG_POSTMASTER_START_TIME PG_BLOCKING_PIDS PG_BACKEND_PID PG_GET_INDEXDEF "
    "PG_GET_CONSTRAINTDEF PG_GET_VIEWDEF PG_CONF_LOAD_TIME TXID_CURRENT_IF_ASSIGNED TXID_CURRENT_SNAPSHOT TO_REGCLASS "
    "OBJ_DESCRIPTION FORMAT_TYPE BYTES TOUINT64 FORMATREADABLESIZE UPTIME EPOCH TRUNC "
    "PG_STAT_GET_ACTIVITY JUSTIFY_INTERVAL MAKE_INTERVAL GENERATE_SERIES UNNEST PG_IS_WAL_REPLAY_PAUSED "
    "PG_STAT_FILE_NONE ANALYZE VERBOSE EXPLAIN BUFFERS COSTS ";

bool is_sql_word_char(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Splits a text into statements. Sets `problem` where clients would disagree about what is a string or a comment.
class SqlReader {
 public:
  explicit SqlReader(std::string_view text) : text_(text) {}

  std::vector<Statement> read() {
    while (at_ < text_.size() && problem.empty()) step();
    finish();
    return std::move(statements_);
  }

  std::string problem;

 private:
  void step() {
    const char c = text_[at_];
    const auto rest = text_.substr(at_);
    if (c == '\'' || c == '"' || c == '`') return read_quoted(c);
    if (rest.starts_with("--") || c == '#') return skip_line();
    if (rest.starts_with("/*")) return skip_comment();
    if (c == '$' && rest.size() > 1 && (rest[1] == '$' || is_sql_word_char(rest[1]))) problem = "a dollar-quoted text";
    if (c == '\\') problem = "a backslash, which the client may act on";
    if (c == ';') {
      finish();
    } else if (is_sql_word_char(c)) {
      return read_word();
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      current_.push_back({std::string(1, c), false});
    }
    ++at_;
  }

  void read_quoted(char quote) {
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      problem = "an open string";
      return;
    }
    const auto inside = text_.substr(at_ + 1, end - at_ - 1);
    // MySQL escapes with backslashes, PostgreSQL does not: the string's end is a matter of taste.
    if (inside.find('\\') != std::string_view::npos) problem = "a backslash inside a string";
    std::string name(inside);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    current_.push_back({quote == '\'' ? "'" : name, quote != '\''});
    at_ = end + 1;
  }

  void skip_line() {
    // `a--b` is a comment for some and a subtraction for others.
    problem = "a comment";
    at_ = text_.size();
  }

  void skip_comment() {
    const auto end = text_.find("*/", at_ + 2);
    // MySQL runs what stands in /*! … */.
    if (end == std::string_view::npos || text_.substr(at_).starts_with("/*!") || text_.substr(at_).starts_with("/*+")) {
      problem = "a comment that the server may run";
      return;
    }
    at_ = end + 2;
  }

  void read_word() {
    SqlToken token{{}, true};
    for (; at_ < text_.size() && is_sql_word_char(text_[at_]); ++at_) {
      const char c = text_[at_];
      token.text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    }
    current_.push_back(std::move(token));
  }

  void finish() {
    if (!current_.empty()) statements_.push_back(std::move(current_));
    current_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Statement current_;
  std::vector<Statement> statements_;
};

bool has_word(const Statement& statement, std::string_view word) {
  return std::any_of(statement.begin(), statement.end(),
                     [&](const SqlToken& token) { return token.word && token.text == word; });
}

Judgement judge_question(const Statement& statement) {
  for (const std::string_view word : {"INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "DROP", "INTO", "OUTFILE",
                                      "DUMPFILE", "NEXTVAL", "SETVAL", "LOCK", "EXECUTE", "CALL", "LOAD_FILE"}) {
    if (!has_word(statement, word)) continue;
    const bool gone = word == "DELETE" || word == "TRUNCATE" || word == "DROP";
    // FOR UPDATE locks rows.
    return gone ? destroys("the query deletes data") : changes("the query writes or locks something");
  }
  for (const std::string_view secret :
       {"PG_SHADOW", "PG_AUTHID", "AUTHENTICATION_STRING", "ROLPASSWORD", "PASSWD", "PG_USER_MAPPING"}) {
    if (has_word(statement, secret)) return changes("would show password hashes");
  }
  for (std::size_t i = 0; i + 1 < statement.size(); ++i) {
    const bool call = statement[i].word && statement[i + 1].text == "(" && !statement[i + 1].word;
    if (call && !listed(kCalls, statement[i].text))
      return changes("calls " + statement[i].text + "(), which could do anything");
  }
  return reads("asks the database");
}

Judgement judge_statement(const Statement& statement) {
  const auto& first = statement[0].text;
  const auto second = statement.size() > 1 ? statement[1].text : std::string();
  if (!statement[0].word) return first == "(" ? judge_question(statement) : changes("the statement is not understood");
  if (first == "SELECT" || first == "WITH" || first == "VALUES" || first == "TABLE") return judge_question(statement);
  if (first == "SHOW" || first == "DESCRIBE" || first == "DESC" || first == "EXPLAIN" || first == "USE" ||
      first == "HELP") {
    const bool runs = has_word(statement, "ANALYZE") || first == "DESC" || first == "DESCRIBE";
    return first == "EXPLAIN" || runs ? judge_question(statement) : reads("asks the database");
  }
  if (first == "DROP" || first == "TRUNCATE") return destroys(first + " removes data");
  if (first == "DELETE") return destroys("deletes rows");
  if (first == "ALTER" && has_word(statement, "DROP")) return destroys("drops part of a table");
  if (first == "UPDATE" && !has_word(statement, "WHERE")) return destroys("changes every row of a table");
  if (first == "PURGE" || first == "RESET" || first == "FLUSHALL") return destroys(first + " removes data");
  if (first == "PRAGMA") {
    const bool sets =
        std::any_of(statement.begin(), statement.end(), [](const SqlToken& token) { return token.text == "="; });
    return sets || statement.size() > 5 ? changes("sets a database option") : reads("asks the database");
  }
  return changes(first + (second.empty() ? "" : " " + second) + " changes the database");
}

}  // namespace

Judgement judge_sql(std::string_view text, SqlClient client) {
  auto trimmed = text.substr(std::min(text.find_first_not_of(" \t\n"), text.size()));
  if (client == SqlClient::Psql && trimmed.starts_with('\\')) {
    const auto word = trimmed.substr(1, trimmed.find_first_of(" \t\n") - 1);
    const bool more =
        trimmed.find('\\', 1) != std::string_view::npos || trimmed.find_first_of("`|!\n") != std::string_view::npos;
    const bool shows = word.starts_with("d") || word == "l" || word == "l+" || word == "conninfo" || word == "z" ||
                       word == "sf" || word == "sv" || word == "encoding";
    return shows && !more ? reads("describes the database") : changes("a client command of psql");
  }
  if (client == SqlClient::Sqlite && trimmed.starts_with('.')) {
    const auto word = trimmed.substr(0, trimmed.find_first_of(" \t\n"));
    const bool shows = word == ".tables" || word == ".schema" || word == ".databases" || word == ".indexes" ||
                       word == ".dbinfo" || word == ".fullschema";
    return shows && trimmed.find('\n') == std::string_view::npos ? reads("describes the database")
                                                                 : changes("a client command of sqlite3");
  }
  std::string plain(text);
  if (client == SqlClient::Mysql) {
    for (auto at = plain.find("\\G"); at != std::string::npos; at = plain.find("\\G")) plain.replace(at, 2, " ;");
  }
  SqlReader reader(plain);
  const auto statements = reader.read();
  Judgement worst = reads("asks the database");
  for (const auto& statement : statements) {
    auto one = judge_statement(statement);
    if (one.cls > worst.cls) worst = std::move(one);
  }
  if (!reader.problem.empty()) return at_least_changes(worst, "the statement holds " + reader.problem);
  return statements.empty() ? changes("no statement was found") : worst;
}

}  // namespace safety
