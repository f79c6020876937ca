// Databases and queues.
#pragma once

#include "tests/unit/safety/commands/family.h"

namespace safety::commands {

inline constexpr Family kDatabases = {
    .read_only = R"ROWS(
psql -c 'select count(*) from users'
psql -h db01 -U app -d app -c "SELECT pid, state, query FROM pg_stat_activity WHERE state <> 'idle' ORDER BY query_start LIMIT 10"
psql -l
psql -At -c 'select pg_size_pretty(pg_database_size(current_database()))'
psql -c '\dt'
mysql -e 'show processlist'
mysql -u root -h 127.0.0.1 -e "SHOW ENGINE INNODB STATUS\G"
mysql -Ne 'select table_name, table_rows from information_schema.tables where table_schema = database()'
mysql -e 'explain select * from orders where id = 5'
mysqladmin status
mysqladmin -u root processlist
redis-cli info memory
redis-cli -h 10.0.0.3 -p 6380 ping
redis-cli slowlog get 10
redis-cli --bigkeys
redis-cli config get maxmemory
redis-cli get user:1
sqlite3 app.db 'select * from t limit 5'
sqlite3 -readonly app.db .tables
mongosh --quiet --eval 'rs.status()'
pg_isready -h db01
clickhouse-client -q 'select 1'
rabbitmqctl list_queues name messages
rabbitmqctl cluster_status
kafka-topics.sh --bootstrap-server b:9092 --list
kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group g
)ROWS",
    .changing = R"ROWS(
psql -c 'select 1 \gexec'
psql -c 'with a as (delete from x returning 1) select * from a'
psql -c "select lo_export(1,'/tmp/x')"
mysql -e 'select /*!50000 1 into outfile "x" */'
mysql --init-command='drop table x' -e 'select 1'
redis-cli sort x store y
redis-cli getdel x
sqlite3 -cmd '.shell x' f 'select 1'
sqlite3 f 'select writefile("x","y")'
clickhouse-client -q "insert into function file('x') select 1"
redis-cli set a b
redis-cli del a
redis-cli config set x y
redis-cli eval 'x' 0
redis-cli
psql -c 'insert into t values (1)'
psql -c 'update t set a=1 where b=2'
psql -c '\! ls'
psql -c '\copy t to f'
psql -f script.sql
psql
psql -c 'select pg_terminate_backend(1)'
psql -c 'select * into x from y'
psql -c "select lo_export(1, '/tmp/x')"
psql -c 'create index i on t(a)'
psql -c 'explain analyze update t set a=1'
psql -c 'select my_function()'
psql -o out -c 'select 1'
mysql -e 'set global x=1'
mysql -e '\! ls'
mysql -e 'system ls'
mysql -e "select 1 into outfile '/tmp/x'"
mysql -e 'select 1 /*!50000 ; drop table t */'
mysql < dump.sql
mysql --pager=x -e 'select 1'
mysql -e 'kill 5'
sqlite3 a.db '.shell ls'
sqlite3 a.db 'insert into t values(1)'
sqlite3 a.db
mongosh --eval 'db.x.insert({})'
rabbitmqctl add_user x y
)ROWS",
    .destroying = R"ROWS(
psql -c 'drop table t'
psql -c 'select 1; drop table t'
psql -c 'DELETE FROM t'
psql -c 'with x as (delete from t returning *) select * from x'
psql --foo -c 'drop table t'
mysql -e 'drop database x'
mysql -e 'update users set admin=1'
mysql -pX -e 'truncate t'
redis-cli flushall
redis-cli -n 2 FLUSHDB
redis-cli shutdown
sqlite3 a.db 'drop table t'
mongosh --eval 'db.dropDatabase()'
rabbitmqctl delete_queue q
)ROWS",
};

}  // namespace safety::commands
