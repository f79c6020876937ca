// Database clients.
#include <algorithm>

#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"
#include "safety/sql.h"

namespace safety {
namespace {

constexpr Program kDatabasePrograms[] = {
    {.names = "psql", .judge = judge_psql},
    {.names = "mysql mariadb", .judge = judge_mysql},
    {.names = "mysqladmin mariadb-admin", .judge = judge_mysqladmin},
    {.names = "sqlite3 sqlite", .judge = judge_sqlite},
    {.names = "clickhouse-client clickhouse", .judge = judge_clickhouse},
    {.names = "redis-cli valkey-cli keydb-cli", .judge = judge_redis},
    {.names = "mongo mongosh", .judge = judge_mongo},
    {.names = "pg_isready pg_lsclusters pg_controldata pg_config",
     .reason = "shows a database server",
     .traits = kAnyOption},
    {.names = "mysqldump mariadb-dump pg_dump pg_dumpall mongodump",
     .cls = kChanges,
     .reason = "dumps whole databases"},
    {.names = "dropdb dropuser mongorestore pg_resetwal",
     .cls = kDestroys,
     .reason = "removes or overwrites databases"},
    {.names = "createdb createuser vacuumdb reindexdb pg_restore pg_ctl pg_ctlcluster patronictl mysqlimport "
              "mysqlcheck cqlsh sqlplus influx",
     .cls = kChanges,
     .reason = "can change databases"},
    {.names = "nodetool", .judge = judge_nodetool},
};

Judgement judge_statements(const Invocation& call, const Options& options,
                           std::initializer_list<std::string_view> names, SqlClient client) {
  if (!options.problem.empty()) {
    // The option is odd, but a destructive statement must still be called so.
    for (const auto& arg : call.args) {
      if (arg.known && judge_sql(arg.text, client).cls == CommandClass::Destructive) return judge_sql(arg.text, client);
    }
    return changes(options.problem);
  }
  Judgement worst = reads("asks the database");
  bool any = false;
  for (const auto& option : options.options) {
    if (std::find(names.begin(), names.end(), option.name) == names.end()) continue;
    any = true;
    auto one = option.value_known ? judge_sql(option.value, client) : changes("a statement is computed");
    if (one.cls > worst.cls) worst = std::move(one);
  }
  if (any)
    return call.around.here_doc_input ? at_least_changes(worst, "further statements come from its input") : worst;
  return changes(call.around.piped_input || call.around.here_doc_input ? "statements come from its input"
                                                                       : "opens the client's own prompt");
}

}  // namespace

std::span<const Program> database_programs() {
  return kDatabasePrograms;
}

Judgement judge_psql(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options =
      read_options(call.args, "c:d:h:p:U:wAtxXqlF:R:P:eaEnb1VH",
                   "command= dbname= host= port= username= no-password tuples-only no-align expanded no-psqlrc "
                   "quiet list pset= field-separator= csv html");
  if (options.problem.empty() && (options.has("l") || options.has("--list") || options.has("V")))
    return reads("lists databases");
  for (const auto& option : options.options) {
    if (option.name == "P" || option.name == "--pset") {
      if (option.value.find("pager") != std::string::npos && option.value != "pager=off")
        return changes("sets a pager program");
    }
  }
  return judge_statements(call, options, {"c", "--command"}, SqlClient::Psql);
}

Judgement judge_mysql(const Invocation& call) {
  if (only_asks_about_itself(call.args) || (call.args.size() == 1 && call.args[0].text == "-V")) return reads();
  const auto options = read_options(
      call.args, "e:h:P:u:p::D:S:BNstEHXrfAvVwC",
      "execute= host= port= user= password? database= socket= batch skip-column-names silent table vertical "
      "html xml raw force protocol= connect-timeout= ssl-mode= default-character-set= login-path= defaults-file= "
      "defaults-extra-file= no-auto-rehash skip-ssl ssl");
  return judge_statements(call, options, {"e", "--execute"}, SqlClient::Mysql);
}

Judgement judge_clickhouse(const Invocation& call) {
  auto args = call.args;
  if (!args.empty() && args[0].text == "client") args = args.subspan(1);
  const auto options = read_options(args, "q:h:u:d:", "query= host= port= user= password= database= format= secure");
  return judge_statements(call, options, {"q", "--query"}, SqlClient::Other);
}

Judgement judge_mysqladmin(const Invocation& call) {
  const auto options = read_options(
      call.args, "h:P:u:p::S:i:c:rvE",
      "host= port= user= password? socket= sleep= count= relative verbose vertical connect-timeout= protocol=");
  if (!options.problem.empty()) return changes(options.problem);
  for (const auto* word : options.operands) {
    static constexpr std::string_view kReads = " status extended-status processlist variables version ping ";
    if (word->text == "drop" || word->text == "shutdown") return destroys("drops a database or stops the server");
    if (!word->known || kReads.find(" " + word->text + " ") == std::string_view::npos)
      return changes("mysqladmin " + word->text + " changes the server");
  }
  return options.operands.empty() ? changes("is not known to only read") : reads("asks the server");
}

Judgement judge_sqlite(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(call.args, "",
                                    "readonly header noheader column csv json line list html table box markdown "
                                    "separator= bail batch nullvalue= safe",
                                    kOneDash);
  if (!options.problem.empty()) return changes(options.problem);
  if (options.operands.size() < 2) return changes("opens the client's own prompt");
  Judgement worst = reads("asks the database");
  for (std::size_t i = 1; i < options.operands.size(); ++i) {
    if (!options.operands[i]->known) return changes("a statement is computed");
    auto one = judge_sql(options.operands[i]->text, SqlClient::Sqlite);
    if (one.cls > worst.cls) worst = std::move(one);
  }
  return worst;
}

Judgement judge_redis(const Invocation& call) {
  const auto options = read_options(call.args, "h:p:a:n:u:s:r:i:c23",
                                    "raw no-auth-warning user= pass= tls cacert= no-raw bigkeys memkeys hotkeys "
                                    "latency stat scan pattern= csv json askpass insecure "
                                    "latency-history intrinsic-latency=",
                                    kOperandEnds);
  if (!options.problem.empty()) return changes(options.problem);
  if (options.operands.empty()) {
    for (const char* samples :
         {"--bigkeys", "--memkeys", "--hotkeys", "--latency", "--stat", "--scan", "--latency-history"}) {
      if (options.has(samples)) return reads("samples the server");
    }
    return changes(call.around.piped_input ? "commands come from its input" : "opens the client's own prompt");
  }
  std::string words;
  for (const auto* operand : options.operands) {
    if (!operand->known && operand == options.operands[0]) return changes("the redis command is computed");
    for (const char c : operand->text) words += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    words += ' ';
  }
  const auto first = words.substr(0, words.find(' ') + 1);
  static constexpr std::string_view kReads =
      " PING INFO DBSIZE GET MGET EXISTS TTL PTTL TYPE KEYS SCAN HGET HGETALL HMGET HKEYS HVALS HLEN HSCAN LLEN LRANGE "
      "LINDEX SCARD SMEMBERS SISMEMBER SSCAN "
      "ZCARD ZRANGE ZREVRANGE ZSCORE ZCOUNT ZSCAN STRLEN XLEN XRANGE XINFO XPENDING TIME LASTSAVE ROLE OBJECT DUMP "
      "ECHO RANDOMKEY GETRANGE BITCOUNT MONITOR COMMAND ";
  static constexpr std::string_view kReadPairs[] = {"CONFIG GET ",      "CLIENT LIST ",
                                                    "CLIENT INFO ",     "CLIENT ID ",
                                                    "SLOWLOG GET ",     "SLOWLOG LEN ",
                                                    "MEMORY USAGE ",    "MEMORY STATS ",
                                                    "MEMORY DOCTOR ",   "CLUSTER INFO ",
                                                    "CLUSTER NODES ",   "CLUSTER SLOTS ",
                                                    "CLUSTER SHARDS ",  "LATENCY LATEST ",
                                                    "LATENCY DOCTOR ",  "LATENCY HISTORY ",
                                                    "ACL WHOAMI ",      "SENTINEL MASTERS ",
                                                    "SENTINEL SLAVES ", "SENTINEL REPLICAS ",
                                                    "SENTINEL MASTER ", "SENTINEL GET-MASTER-ADDR-BY-NAME ",
                                                    "PUBSUB CHANNELS ", "MODULE LIST "};
  if (kReads.find(" " + first) != std::string_view::npos) return reads("asks redis");
  for (const auto pair : kReadPairs) {
    if (words.starts_with(pair))
      return words.find("REQUIREPASS") == std::string::npos ? reads("asks redis") : changes("would show a password");
  }
  static constexpr std::string_view kGone = " FLUSHALL FLUSHDB SHUTDOWN DEBUG SWAPDB ";
  if (kGone.find(" " + first) != std::string_view::npos || words.starts_with("CLUSTER RESET ") ||
      words.starts_with("SCRIPT FLUSH "))
    return destroys("redis " + first + "removes data or stops the server");
  return changes("redis " + first + "changes data or settings");
}

Judgement judge_mongo(const Invocation& call) {
  const auto options = read_options(
      call.args, "u:p:", "eval= quiet host= port= username= password= authenticationDatabase= norc version");
  if (!options.problem.empty()) return changes(options.problem);
  if (options.has("--version")) return reads();
  const auto* eval = options.find("--eval");
  if (eval == nullptr || !eval->value_known) return changes("opens the client's own prompt");
  static constexpr std::string_view kReads =
      " rs.status() rs.conf() rs.printReplicationInfo() rs.printSecondaryReplicationInfo() db.stats() "
      "db.serverStatus() db.version() db.hello() db.isMaster() "
      "db.currentOp() sh.status() db.getMongo() db.hostInfo() db.adminCommand('listDatabases') db.getCollectionNames() "
      "db.serverStatus().connections "
      "db.runCommand({ping:1}) db.adminCommand('ping') ";
  auto text = eval->value;
  text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
  if (text.starts_with("printjson(") && text.ends_with(")")) text = text.substr(10, text.size() - 11);
  if (text.find(' ') == std::string::npos && kReads.find(" " + text + " ") != std::string_view::npos)
    return reads("asks the database");
  for (const char* gone : {"drop", "remove", "delete", "shutdownServer"}) {
    if (text.find(gone) != std::string::npos) return destroys("deletes data");
  }
  return changes("runs a script in the database");
}

Judgement judge_nodetool(const Invocation& call) {
  static constexpr SubCommand kRows[] = {
      {"status,info,ring,tpstats,compactionstats,netstats,describecluster,gossipinfo,cfstats,tablestats,version,"
       "proxyhistograms,tablehistograms,getendpoints"},
      {"decommission,removenode,drain,assassinate", kDestroys, "takes a node out of the cluster"}};
  const Program program{.names = "nodetool", .shorts = "h:p:u:", .longs = "host= port=", .sub = kRows};
  return judge_subcommand(program, call);
}

}  // namespace safety
