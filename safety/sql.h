#pragma once

#include <string_view>

#include "safety/programs/program.h"

namespace safety {

/// Which client will read the statement: they differ in escapes and in commands of their own.
enum class SqlClient { Psql, Mysql, Sqlite, Other };

/// What one or several SQL statements would do. Only plain questions made of known functions are reads.
Judgement judge_sql(std::string_view text, SqlClient client);

}  // namespace safety
