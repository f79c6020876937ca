#include "safety/redactor.h"

#include <gtest/gtest.h>

#include <ctime>

#include "tests/support/linear_time.h"

namespace safety {
namespace {

// Test values are put together at run time, so that no scanner takes this file for a leak.
std::string join(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const auto part : parts) out += part;
  return out;
}

const Redactor& redactor() {
  static const Redactor kRedactor = std::move(*Redactor::create());
  return kRedactor;
}

std::string redact(std::string_view text) {
  SecretBook book;
  return redactor().redact(text, book, "host");
}

struct Row {
  std::string text;
  std::string secret;
};

std::vector<Row> secrets() {
  const std::string random36 = "a8Kd02jfLqP0zXcV5bNm7Qw3Er9TyUiOpAsD";
  std::vector<Row> rows;
  const auto add = [&](std::string before, std::string secret, std::string after = "") {
    rows.push_back({before + secret + after, secret});
  };
  // Provider prefixes
  add("key ", join({"AKIA", "IOSFODNN7EXAMPL1"}), " used");
  add("id=", join({"ASIA", "IOSFODNN7EXAMPL2"}));
  add("remote: ", join({"ghp", "_", random36}), "\n");
  add("", join({"github", "_pat_", random36, random36}));
  add("token ", join({"glpat", "-", "x8Kd02jfLqP0zXcV5bNm"}));
  add("", join({"xoxb", "-", "123456789012-abcdefABCDEF1234"}));
  add("k: ", join({"sk-", "ant-", "api03-", random36}));
  add("", join({"sk-", "proj-", random36}));
  add("", join({"AIza", "SyA8Kd02jfLqP0zXcV5bNm7Qw3Er9TyUiOp"}));
  add("", join({"sk_", "live_", random36}));
  add("", join({"npm", "_", random36}));
  add("", join({"hvs", ".", random36}));
  add("", join({"LTAI", "5tA8Kd02jfLqP0zX"}));
  add("", join({"hf", "_", random36}));
  add("https://hooks.slack.com/services/", "T00000000/B00000000/XXXXabcdXXXXabcd1234");
  add("docker swarm join --token ",
      join({"SWMTKN-1-", "3pu6hszjas19xyp7ghgosyx9k8atbfcr8p2is99znpy26u2lkl-1awxwuwd3z9j1z3puu7rcgdbx"}));
  add("kubeadm join 10.0.0.1:6443 --token ", "abcdef.0123456789abcdef");
  // JWT, headers
  add("got ",
      join({"eyJ", "hbGciOiJIUzI1NiJ9.eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"}));
  add("Authorization: Bearer ", "abc123DEF456ghi789");
  add("curl -H 'Authorization: Basic ", "dXNlcjpwYXNzd29yZA==", "' http://x");
  add("authorization: ", "AWS4xyz/20240101/secretstuff");
  add("Cookie: ", "session=abc123; csrftoken=xyz");
  add("Set-Cookie: ", "sid=s%3Aabc.def; Path=/; HttpOnly");
  add("X-Api-Key: ", "0123456789abcdef");
  add("X-Vault-Token: ", "abcdefabcdef");
  add("PRIVATE-TOKEN: ", "abcdefabcdef1");
  // URLs
  add("postgres://app:", "s3cr3t", "@db:5432/app");
  add("redis://:", "hunter2", "@cache:6379/0");
  add("https://user:", "p%40ss", "@git.example.com/x.git");
  add("amqp://guest:", "p@ssw0rd", "@mq/");
  add("mongodb+srv://u:", "Zx81cvb", "@c0.example.net/?w=1");
  add("GET /x?access_token=", "abcd1234efgh", "&y=1");
  add("https://x/y?sig=", "aGVsbG8%3D", "&se=2024");
  add("dsn=app:", "s3cr3t", "@tcp(db:3306)/app");
  // Labels
  add("password=", "hunter2");
  add("PASSWORD=", "hunter2", " ./run");
  add("DB_PASSWORD='", "it is long", "'");
  add("export MYSQL_ROOT_PASSWORD=", "changeme");
  add("password: ", "hunter2");
  add("  db_password: \"", "hunter2", "\"");
  add("{\"password\": \"", "hunter2", "\", \"x\": 1}");
  add("{\"user\":\"a\",\"apiKey\":\"", "k1234567", "\"}");
  add("'password' => '", "hunter2", "',");
  add("spring.datasource.password=", "hunter2");
  add("secret_key = ", "xyz123abc");
  add("SECRET_KEY_BASE=", "0a1b2c3d4e5f");
  add("aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
  add("client_secret: ", "abc.def~ghi");
  add("token: ", "1a2b3c4d5e6f7g8h");
  add("JWT_SECRET=", "supersecretvalue");
  add("APP_KEY=", "base64:aGVsbG8gd29ybGQ=");
  add("Server=db;Uid=sa;Pwd=", "Str0ng!Pass", ";Database=x");
  add("AccountKey=", "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==", ";EndpointSuffix=core");
  add("<password>", "hunter2", "</password>");
  add("psk=", "wifi-pass-1");
  add("密码：", "abc123!");
  add("密码: ", "abc123!");
  add("パスワード: ", "himitsu1");
  add("Passwort: ", "geheim99");
  add("пароль: ", "tayna123");
  add("machine h login u password ", "hunter2");
  add("db.example.com:5432:app:app:", "hunter2");
  add("CREATE USER 'a'@'%' IDENTIFIED BY '", "hunter2", "';");
  add("snmp-server community ", "s3cr3tcomm", " RO");
  add("enable secret 5 ", "$1$mERr$hx5rVt7rPNoS4wqbXKX7m0");
  add("password 7 ", "0822455D0A16");
  add("local-user admin password irreversible-cipher ", "$1a$abcDEF123$xyz");
  // Command lines
  add("mysql -u root -p", "hunter2", " -e 'show tables'");
  add("mysqldump -h h -uroot --password=", "hunter2", " db");
  add("sshpass -p ", "hunter2", " ssh h");
  add("curl -u admin:", "hunter2", " http://x");
  add("curl -s --user 'admin:", "hunter2", "' http://x");
  add("redis-cli -h x -a ", "hunter2", " ping");
  add("docker login -u a -p ", "hunter2");
  add("tool --token ", "abcd1234", " --x");
  add("tool --api-key=", "abcd1234");
  add("ldapsearch -D cn=a -w ", "hunter2", " x");
  add("openssl x -passin pass:", "hunter2");
  add("echo ", "hunter2", " | sudo -S ls");
  // Hashes
  add("root:", "$6$rounds=5000$abcdefgh$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH", ":19000:0:99999:7:::");
  add("u:", "$y$j9T$abcdefghijklmnop$0123456789abcdefghijklmnop", ":1:");
  add("admin:", "$2y$10$abcdefghijklmnopqrstuuW1234567890abcdefghijklmnopqrst");
  add("| ", "*6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9", " |");
  add("userPassword: ", "{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3");
  add("    client-key-data: ", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlF");
  add("\"auth\": \"", "dXNlcjpwYXNz", "\"");
  return rows;
}

TEST(Redactor, MasksEveryFamily) {
  int masked = 0;
  const auto rows = secrets();
  for (const auto& row : rows) {
    const auto out = redact(row.text);
    EXPECT_EQ(out.find(row.secret), std::string::npos) << "a row of " << row.text.size() << " bytes, result: " << out;
    EXPECT_NE(out.find("<secret:"), std::string::npos) << out;
    masked += out.find(row.secret) == std::string::npos;
  }
  EXPECT_EQ(masked, static_cast<int>(rows.size()));
}

TEST(Redactor, LeavesOrdinaryTextAlone) {
  for (const char* text : {
           "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
           "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
           "550e8400-e29b-41d4-a716-446655440000",
           "d41d8cd98f00b204e9800998ecf8427e  file.iso",
           "CONTAINER 4f1b2c3d5e6f nginx:1.25 Up 3 days",
           "/var/lib/docker/overlay2/0123456789abcdef0123456789abcdef/merged",
           "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
           "password=${DB_PASSWORD}",
           "password: $DB_PASSWORD",
           "PASSWORD=$(cat /run/x)",
           "token: {{ vault_token }}",
           "password: <your password>",
           "password=********",
           "password: xxxxxxxx",
           "password_file: /etc/app/pw",
           "password: /run/secrets/db",
           "ssh -p 22 host",
           "mysql -p",
           "mysql -p -u root",
           "docker run -p 8080:80 nginx",
           "mkdir -p /a/b",
           "Failed password for root from 10.0.0.1 port 22 ssh2",
           "Accepted password for deploy from 10.0.0.2",
           "Enter password: ",
           "max_tokens=4096 total_tokens: 1234",
           "\"completion_tokens\": 512",
           "token_type: bearer",
           "secretName: tls-cert",
           "PWD=/root/app",
           "OLDPWD=/home/user",
           "invalid token: expired",
           "password: incorrect",
           "PasswordAuthentication yes",
           "PermitEmptyPasswords no",
           "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 user@host",
           "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGl0 user@host",
           "SHA256:n7ZkPq5b3D1VfOeJ8aZr4H2xLwQYc0TtVn1sUe9kGmI root@h (ED25519)",
           "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END "
           "CERTIFICATE-----",
           "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----",
           "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURC",
           "https://example.com/path?page=2&sort=key",
           "http://user@host/path",
           "git@github.com:org/repo.git",
           "primary key (id), foreign key (user_id)",
           "key: value",
           "cache key=user:123 hit",
           "os.environ[\"DB_PASSWORD\"]",
           "password = os.environ.get('X')",
           "2024-01-01T00:00:00Z INFO request id=0123456789abcdef took 12ms",
           "Jan  1 00:00:00 h CRON[1]: pam_unix(cron:session): session opened for user root",
           "tcp 0 0 10.0.0.1:5432 10.0.0.2:51234 ESTABLISHED",
           "basic authentication is enabled",
           "Bearer of bad news arrived",
           "<secret:aws-key:1> was used",
           "password=<secret:password:2>",
           "secrets: 3 found",
           "the secret is out",
           "kubectl get secret db-credentials -n prod",
           "tokens per second: 120",
           "cookie jar is empty",
           "task-sk-runner finished",
           "disk-usage-report-generator-service-v2 running",
           "arn:aws:iam::123456789012:role/app",
           "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db",
           "-rw-r--r-- 1 root root 1024 Jan 1 00:00 token.txt",
           "uid=0(root) gid=0(root) groups=0(root)",
           "ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
           "X-Request-Id: 7b9e2c1a-1f2d-4c3b-9a8e-0123456789ab",
           "AccessKeyId must be set",
           "passed=12 failed=0",
           "bypass=true",
           "compass: north",
       }) {
    EXPECT_EQ(redact(text), text);
  }
}

TEST(Redactor, MasksAPrivateKeyWholeAndCutAtEitherEnd) {
  const std::string body =
      "MIIEpAIBAAKCAQEA7bq0vXo3oTnqQ0zYJ8uJr0kq2yq3X9cW5r1y7mV5Zt8Qh3bY\nB2c3d4e5f6g7h8i9j0kAlBmCnDoEpFqGrHsItJuKvLwMxN"
      "yOzP1Q2R3S4T5U6V7W\nAQ==\n";
  const std::string begin = "-----BEGIN RSA PRIVATE KEY-----\n";
  const std::string end = "-----END RSA PRIVATE KEY-----\n";
  for (const auto& text :
       {begin + body + end, begin + body, "x\n" + body + end, "before\n" + begin + body + end + "after\n"}) {
    const auto out = redact(text);
    EXPECT_EQ(out.find("MIIEpAIBAAK"), std::string::npos) << out;
    EXPECT_EQ(out.find("B2c3d4e5f6"), std::string::npos) << out;
  }
  EXPECT_NE(redact("before\n" + begin + body + end + "after\n").find("after"), std::string::npos);
  const auto escaped = redact(
      "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBg\\nkqhkiG9w0BAQ\\n-----END PRIVATE "
      "KEY-----\\n\"}");
  EXPECT_EQ(escaped.find("MIIEvQIBADANBg"), std::string::npos) << escaped;
}

TEST(Redactor, MasksTheDataOfAKubernetesSecretButNotOfAConfigMapWithPlainText) {
  const auto secret = redact(
      "apiVersion: v1\ndata:\n  username: YWRtaW4xMjM=\n  tls.crt: TFMwdExTMUNSVWRK\nkind: Secret\nmetadata:\n  name: "
      "db-Credential1\n");
  EXPECT_EQ(secret.find("YWRtaW4xMjM="), std::string::npos) << secret;
  EXPECT_EQ(secret.find("TFMwdExTMUNSVWRK"), std::string::npos) << secret;
  EXPECT_NE(secret.find("kind: Secret"), std::string::npos);
  const std::string config =
      "apiVersion: v1\ndata:\n  mode: production\n  level: debug\n  path: /etc/app\nkind: ConfigMap\n";
  EXPECT_EQ(redact(config), config);
}

TEST(Redactor, GivesEqualValuesEqualPlaceholders) {
  SecretBook book;
  const auto out = redactor().redact("password=hunter2\nother_password=hunter2\npassword=hunter3\n", book, "h");
  EXPECT_EQ(out, "password=<secret:password:1>\nother_password=<secret:password:1>\npassword=<secret:password:2>\n");
}

TEST(Redactor, PutsValuesBackOnlyForTheHostTheyCameFrom) {
  SecretBook book;
  redactor().redact("password=hunter2", book, "db01");
  const auto same = book.restore("mysql -p<secret:password:1> -e 'select 1'", "db01");
  ASSERT_TRUE(same);
  EXPECT_EQ(*same, "mysql -phunter2 -e 'select 1'");
  EXPECT_FALSE(book.restore("mysql -p<secret:password:1>", "web01"));
  EXPECT_FALSE(book.restore("mysql -p<secret:password:9>", "db01"));
  EXPECT_EQ(*book.restore("ls <b>", "x"), "ls <b>");
}

TEST(Redactor, TextThatOnlyLooksLikeAPlaceholderHidesNothing) {
  const auto redactor = Redactor::create();
  ASSERT_TRUE(redactor);
  for (const std::string opening :
       {"<secret:", "<secret: ", "<secret:x", "<secret:x:", "<secret:x:1", "<secret:x:y>", "<secret::1>",
        "<secret:X:1 ", "<secret:password:1> ", "<secret:masked> ", "<secret:masked"}) {
    for (const std::string secret :
         {"AKIAIOSFODNN7EXAMPLQ", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "correct-horse-battery9"}) {
      const auto label = secret.starts_with("correct") ? " password=" : " ";
      SecretBook book;
      const auto masked = redactor->redact(opening + label + secret + " end", book);
      EXPECT_EQ(masked.find(secret), std::string::npos) << masked;
    }
  }
}

TEST(Redactor, LeavesItsOwnPlaceholdersAlone) {
  const auto redactor = Redactor::create();
  ASSERT_TRUE(redactor);
  for (const std::string text : {"password=<secret:password:1>", "password = \"<secret:aws-key:12>\"",
                                 "Authorization: Bearer <secret:auth:3>", "token: <secret:masked>"}) {
    SecretBook book;
    EXPECT_EQ(redactor->redact(text, book), text);
  }
}

TEST(Redactor, ReportsByteOffsets) {
  const std::string text = "é password=hunter2 x";
  const auto spans = redactor().find(text);
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(text.substr(spans[0].start, spans[0].end - spans[0].start), "hunter2");
  EXPECT_EQ(spans[0].kind, "password");
}

TEST(Redactor, TakesPatternsAndExceptionsFromTheConfiguration) {
  auto custom = Redactor::create({.patterns = {{"badge", "BADGE-([0-9]{6})"}}, .exceptions = {"example.*"}});
  ASSERT_TRUE(custom);
  SecretBook book;
  EXPECT_EQ(custom->redact("id BADGE-123456", book), "id BADGE-<secret:badge:1>");
  EXPECT_EQ(custom->redact("password=example1", book), "password=example1");
  EXPECT_FALSE(Redactor::create({.patterns = {{"bad", "("}}}));
}

TEST(Redactor, MasksItsOwnKeyByExactMatch) {
  auto own = std::move(*Redactor::create());
  own.add_literal("own-key", "zzz-very-own-key");
  SecretBook book;
  EXPECT_EQ(own.redact("see zzz-very-own-key!", book), "see <secret:own-key:1>!");
}

TEST(StreamRedactor, MasksASecretCutAnywhere) {
  std::string text = "line one\n";
  std::vector<std::string> hidden;
  for (const auto& row : secrets()) {
    text += row.text + "\n";
    hidden.push_back(row.secret);
  }
  text += "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq0vXo3oTnq\n-----END PRIVATE KEY-----\nlast\n";
  SecretBook whole_book;
  const auto whole = redactor().redact(text, whole_book, "h");
  for (const std::size_t size : {1, 2, 3, 7, 64, 1000}) {
    SecretBook book;
    StreamRedactor stream(redactor(), book, "h");
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += size) out += stream.feed(std::string_view(text).substr(at, size));
    out += stream.finish();
    EXPECT_EQ(out, whole) << "pieces of " << size;
  }
}

TEST(StreamRedactor, HoldsTheIndentedTailOfAKeyUntilItIsKnown) {
  const std::string text =
      "    MIIEpAIBAAKCAQEA7bq0\n  > oTnqMIIEpAIBAAKCAQEA \n    Q==\n    -----END PRIVATE KEY-----\n";
  SecretBook whole_book, book;
  const auto whole = redactor().redact(text, whole_book, "h");
  EXPECT_EQ(whole.find("MIIE"), std::string::npos) << whole;
  StreamRedactor stream(redactor(), book, "h");
  std::string out;
  for (const char c : text) out += stream.feed(std::string_view(&c, 1));
  EXPECT_EQ(out + stream.finish(), whole);
}

TEST(StreamRedactor, HoldsABoundedPartOfAnEndlessLine) {
  SecretBook book;
  StreamRedactor stream(redactor(), book, "h");
  std::size_t out = 0;
  for (int i = 0; i < 2000; ++i) out += stream.feed(std::string(1000, 'a')).size();
  EXPECT_GT(out, 1'800'000u);
  EXPECT_EQ(out + stream.finish().size(), 2'000'000u);
}

TEST(Redactor, ReadsOrdinaryLogTextFast) {
  std::string text;
  int line = 0;
  while (text.size() < 8'000'000) {
    text += "2024-03-05T12:34:56.789Z INFO  [worker-" + std::to_string(line % 16) + "] request GET /api/v1/items/" +
            std::to_string(line) + " from 10.1.2." + std::to_string(line % 255) + " took " +
            std::to_string(line % 997) + "ms status=200 bytes=" + std::to_string(line * 7) + "\n";
    if (++line % 400 == 0)
      text += "Mar  5 12:34:56 host sshd[123]: Failed password for root from 10.0.0.1 port 4422 ssh2\n";
  }
  redactor().find(std::string_view(text).substr(0, 100'000));
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::clock();
    EXPECT_TRUE(redactor().find(text).empty());
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    best = std::max(best, static_cast<double>(text.size()) / 1e6 / took);
  }
  RecordProperty("megabytes_per_second", static_cast<int>(best));
  EXPECT_GT(best, 5) << "MB/s; the goal of 100 is for an idle machine without sanitizers";
}

TEST(Redactor, IsLinearOnHostileLines) {
  for (const char* piece : {"password=", "a@", "://", "-p ", "mysql ", "eyJ", "token: \"", "Cookie: a=", "$1$",
                            "-----BEGIN PRIVATE KEY-----", "data:\n", "x=\\\""})
    support::expect_linear(piece, 200'000, [](const std::string& text) { redactor().find(text); });
}

}  // namespace
}  // namespace safety
