// Every configuration here is also given to `ssh -G`; what we make of it must be what ssh makes of it.

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <map>
#include <random>
#include <sstream>

#include "tests/support/run_program.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/ssh_config.h"
#include "transport/ssh/token.h"

namespace transport {
namespace {

using Lines = std::map<std::string, std::string>;  ///< Keyword to its values, one per line.

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string home() {
  return getpwuid(getuid())->pw_dir;
}

const char* yes_no(bool value) {
  return value ? "yes" : "no";
}

/// Our settings in the words of `ssh -G`.
Lines as_ssh_prints(const HostSettings& s) {
  static const char* kStrict[] = {"ask", "true", "false", "accept-new"};
  static const char* kTty[] = {"auto", "force", "true", "false"};
  static const char* kFamily[] = {"any", "inet", "inet6"};
  Lines lines{
      {"hostname", s.host_name},
      {"user", s.user},
      {"port", std::to_string(s.port)},
      {"addressfamily", kFamily[static_cast<int>(s.family)]},
      {"batchmode", yes_no(s.batch_mode)},
      {"hashknownhosts", yes_no(s.hash_known_hosts)},
      {"identitiesonly", yes_no(s.identities_only)},
      {"kbdinteractiveauthentication", yes_no(s.kbd_interactive_authentication)},
      {"passwordauthentication", yes_no(s.password_authentication)},
      {"pubkeyauthentication", s.pubkey_authentication ? "true" : "false"},
      {"tcpkeepalive", yes_no(s.tcp_keep_alive)},
      {"requesttty", kTty[static_cast<int>(s.request_tty)]},
      {"stricthostkeychecking", kStrict[static_cast<int>(s.strict_host_key_checking)]},
      {"numberofpasswordprompts", std::to_string(s.number_of_password_prompts)},
      {"serveralivecountmax", std::to_string(s.server_alive_count_max)},
      {"connecttimeout", s.connect_timeout ? std::to_string(s.connect_timeout->count()) : "none"},
      {"globalknownhostsfile", joined(s.global_known_hosts_files, " ")},
      {"userknownhostsfile", joined(s.user_known_hosts_files, " ")},
      {"identityfile", joined(s.identity_files, "\n")},
      {"sendenv", joined(s.send_env, "\n")},
      {"forwardagent", yes_no(s.forward_agent)},
  };
  if (s.server_alive_interval) lines["serveraliveinterval"] = std::to_string(s.server_alive_interval->count());
  if (!s.host_key_alias.empty()) lines["hostkeyalias"] = s.host_key_alias;
  if (!s.bind_address.empty()) lines["bindaddress"] = s.bind_address;
  if (!s.proxy_command.empty()) lines["proxycommand"] = s.proxy_command;
  if (!s.remote_command.empty()) lines["remotecommand"] = s.remote_command;
  std::vector<std::string> hops, variables;
  for (const auto& hop : s.proxy_jump) hops.push_back(to_text(hop));
  for (const auto& [name, value] : s.set_env) variables.push_back(name + "=" + value);
  lines["proxyjump"] = joined(hops, ",");
  lines["setenv"] = joined(variables, "\n");
  lines["preferredauthentications"] = joined(s.preferred_authentications, ",");
  return lines;
}

/// What `ssh -G` printed, with the few keywords it leaves unexpanded expanded.
Lines parse_ssh_output(const std::string& output, const HostSettings& s) {
  const Tokens tokens{{'h', s.host_name}, {'p', std::to_string(s.port)},     {'r', s.user}, {'n', s.alias},
                      {'d', home()},      {'u', getpwuid(getuid())->pw_name}};
  Lines lines{{"proxyjump", ""},
              {"setenv", ""},
              {"sendenv", ""},
              {"identityfile", ""},
              {"preferredauthentications", "publickey,keyboard-interactive,password"}};
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t space = line.find(' ');
    const std::string keyword = line.substr(0, space);
    std::string value = line.substr(space + 1);
    // Key types that only ssh has are no use to us as defaults.
    if (keyword == "identityfile" && value == "none") continue;
    if (keyword == "identityfile" && (value == "~/.ssh/id_dsa" || value == "~/.ssh/id_xmss")) continue;
    if (keyword == "identityfile" || keyword == "proxycommand" || keyword == "remotecommand")
      value = expand_tokens(keyword == "identityfile" ? expand_home(value, home()) : value, tokens).value_or(value);
    auto& entry = lines[keyword];
    const bool several = keyword == "identityfile" || keyword == "sendenv" || keyword == "setenv";
    entry = several && !entry.empty() ? entry + "\n" + value : value;
  }
  return lines;
}

class SshConfigOracle : public testing::Test {
 protected:
  /// Compares our reading of `config` for `host` with ssh's; both may refuse it.
  void compare(const std::string& config, const std::string& host, const std::vector<std::string>& arguments = {}) {
    SCOPED_TRACE("host " + host + "\n" + config);
    const std::string file = dir_.write("config", config);
    std::vector<std::string> argv{"ssh", "-G", "-F", file};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    argv.push_back(host);
    const auto oracle = support::run_program(argv);
    ConfigOptions options;
    options.config_file = file;
    for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
      if (arguments[i] == "-l") options.user = arguments[i + 1];
      if (arguments[i] == "-p") options.port = std::stoi(arguments[i + 1]);
      if (arguments[i] == "-i") options.identity_files.push_back(arguments[i + 1]);
      if (arguments[i] == "-J") options.jump = arguments[i + 1];
      if (arguments[i] == "-o") options.options.push_back(arguments[i + 1]);
    }
    const auto destination = parse_destination(host);
    ASSERT_TRUE(destination) << destination.error().message;
    const auto ours = resolve(*destination, options);
    ASSERT_EQ(ours.has_value(), oracle.exit_code == 0)
        << (ours ? "we take it; ssh says: " + oracle.errors : "ssh takes it; we say: " + ours.error().message);
    if (!ours) return;
    const Lines expected = parse_ssh_output(oracle.output, *ours);
    for (const auto& [keyword, value] : as_ssh_prints(*ours)) {
      const auto found = expected.find(keyword);
      EXPECT_EQ(value, found == expected.end() ? "(not printed)" : found->second) << keyword;
    }
    ++compared_;
  }

  support::TempDir dir_;
  int compared_ = 0;
};

struct Sample {
  const char* config;
  std::vector<std::string> hosts = {"web1"};
  std::vector<std::string> arguments = {};
};

const Sample kSamples[] = {
    {""},
    {"# only a comment\n\n   \n\t\n"},
    {"Host web1\n  HostName 10.0.0.1\n  User deploy\n  Port 2222\n"},
    {"Host web*\n User a\nHost *\n User b\n Port 99\n", {"web1", "db1", "WEB1"}},
    {"Host * !web1\n User notweb\nHost web1\n User web\n", {"web1", "web2"}},
    {"Host !web1 *\n User notweb\n", {"web1", "web2"}},
    {"Host !web1\n User negated-only\n", {"web1", "web2"}},
    {"Host web? db?? *.lab\n User q\n", {"web1", "web12", "db12", "x.lab", "lab"}},
    {"Host web1 db1\nUser both\n", {"web1", "db1", "x"}},
    {"HOST web1\nhostNAME Example.COM\nuSeR X\n"},
    {"Host web1\nHostName %h.example.org\n", {"web1", "web1.example"}},
    {"Host web1\nHostName 100%%\n"},
    {"HostName %n.x\n"},
    {"User=a\nPort=23\n"},
    {"User = a\nPort =23\nHostName= foo\n"},
    {"User==a\n"},
    {"\tUser\t\ta\t\n  Port   24  \n"},
    {"User a\r\nPort 25\r\n# c\r\n\r\nHost web1\r\n HostName h1\r\n"},
    {"User \"a b\"\n"},
    {"User 'a b'\n"},
    {"User \"a\n"},
    {"User a b\n"},
    {"User a # comment\n"},
    {"User a#b\n"},
    {"User \"\"\n"},
    {"User\n"},
    {"\"User\" a\n"},
    {"User a\nUser b\n"},
    {"Port 0\n"},
    {"Port 65535\n"},
    {"Port 65536\n"},
    {"Port x\n"},
    {"Port ssh\n"},
    {"Port -1\n"},
    {"Port 22 33\n"},
    {"Frobnicate yes\n"},
    {"IgnoreUnknown Frob*,xyz\nFrobnicate yes\nXyz a b c\n"},
    {"IgnoreUnknown other\nFrobnicate yes\n"},
    {"Host other\n Frobnicate yes\n"},
    {"garbage\n"},
    {"Host web1\n garbage line here\n"},
    {"IdentityFile ~/.ssh/one\nIdentityFile /abs/two\nHost web1\nIdentityFile ~/.ssh/one\nIdentityFile %d/three\n"},
    {"IdentityFile none\n"},
    {"IdentityFile /k/%h-%p-%r-%n-%u\nHost web1\nHostName real\nUser bob\nPort 7\n"},
    {"IdentityFile \"/with space/key\"\nIdentityFile /with\\ space/two\n"},
    {"IdentitiesOnly yes\nIdentityFile /a\n"},
    {"IdentitiesOnly maybe\n"},
    {"IdentitiesOnly TRUE\n"},
    {"ProxyJump bastion\n"},
    {"ProxyJump a,b,c\n"},
    {"ProxyJump u@a:2200,ssh://v@b:2201\n"},
    {"ProxyJump none\nHost web1\nProxyJump x\n"},
    {"ProxyJump a:0\n"},
    {"ProxyJump a # comment\n"},
    {"ProxyJump [::1]:2200\n"},
    {"ProxyCommand nc %h %p\n"},
    {"ProxyCommand nc \"%h\" '%p' # not a comment\n"},
    {"ProxyCommand none\nProxyCommand nc x\n"},
    {"ProxyCommand=nc %h %p\n"},
    {"ProxyCommand first %h\nProxyJump second\n"},
    {"ProxyJump first\nProxyCommand second %h\n"},
    {"ServerAliveInterval 15\nServerAliveCountMax 5\n"},
    {"ServerAliveInterval 1m30s\n"},
    {"ServerAliveInterval x\n"},
    {"ServerAliveCountMax x\n"},
    {"ConnectTimeout 10\n"},
    {"ConnectTimeout 1h\n"},
    {"ConnectTimeout none\n"},
    {"ConnectTimeout 5y\n"},
    {"StrictHostKeyChecking yes\n"},
    {"StrictHostKeyChecking accept-new\n"},
    {"StrictHostKeyChecking off\n"},
    {"StrictHostKeyChecking no\n"},
    {"StrictHostKeyChecking sometimes\n"},
    {"UserKnownHostsFile /a /b \"/c d\"\nUserKnownHostsFile /e\n"},
    {"UserKnownHostsFile ~/x %d/y-%h\n"},
    {"GlobalKnownHostsFile /g1 /g2\n"},
    {"UserKnownHostsFile /a none\n"},
    {"HashKnownHosts yes\nHostKeyAlias ALIAS.x\n"},
    {"PreferredAuthentications password,publickey\n"},
    {"SendEnv LANG LC_*\nSendEnv FOO\n"},
    {"SendEnv LANG LC_ALL LC_X FOO\nSendEnv -LC_*\n"},
    {"SendEnv A=b\n"},
    {"SetEnv A=1 B=\"two words\"\nSetEnv C=3\n"},
    {"SetEnv A=1 A=2\n"},
    {"SetEnv A\n"},
    {"RequestTTY force\n"},
    {"RequestTTY yes\n"},
    {"RequestTTY no\n"},
    {"RequestTTY perhaps\n"},
    {"ForwardAgent yes\n"},
    {"AddressFamily inet6\nBatchMode yes\nTCPKeepAlive no\n"},
    {"BindAddress 127.0.0.1\nNumberOfPasswordPrompts 1\n"},
    {"PasswordAuthentication no\nKbdInteractiveAuthentication no\nPubkeyAuthentication no\n"},
    {"ChallengeResponseAuthentication no\nKeepAlive no\n"},
    {"RemoteCommand tmux new -A -s \"main %r\"\n"},
    {"Match all\n User a\n"},
    {"Match host web*\n User m\nMatch host *.lab,!bad.lab\n User l\n", {"web1", "x.lab", "bad.lab"}},
    {"Match host WEB1\n User m\n", {"web1", "WEB1"}},
    {"HostName real.example\nMatch host real.example\n User m\nMatch originalhost web1\n Port 77\n", {"web1", "x"}},
    {"Match user bob\n Port 88\n", {"bob@web1", "alice@web1", "web1"}},
    {"User bob\nMatch user bob\n Port 88\n"},
    {"Match localuser root\n User isroot\nMatch !localuser root\n User other\n"},
    {"Match host web1 user bob\n Port 5\n", {"bob@web1", "bob@x", "web1"}},
    {"Match !host web1\n Port 5\n", {"web1", "web2"}},
    {"Match host=web1\n Port 5\n"},
    {"Match host \"web1,web2\"\n Port 5\n", {"web1", "web3"}},
    {"Match host web1 # comment\n Port 5\n"},
    {"Match all host web1\n Port 5\n"},
    {"Match host\n Port 5\n"},
    {"Match\n Port 5\n"},
    {"Match colour blue\n Port 5\n"},
    {"Match final\n Port 6\nMatch canonical\n User c\n"},
    {"Match final host real\n Port 6\nHost web1\nHostName real\n"},
    {"Host web1\n Match host web1\n User in\nHost x\n User out\n", {"web1", "x"}},
    {"User a\n", {"bob@web1", "ssh://carol@web1:2200", "web1"}},
    {"Port 1\nUser a\n", {"web1"}, {"-p", "5", "-l", "cmd"}},
    {"User a\n", {"b@web1"}, {"-l", "cmd"}},
    {"IdentityFile /cfg\n", {"web1"}, {"-i", "/etc/hostname"}},
    {"ProxyJump cfg\n", {"web1"}, {"-J", "u@cmd:5,second"}},
    {"Port 1\n", {"web1"}, {"-o", "Port=9", "-o", "User x"}},
    {"Port 1\n", {"web1"}, {"-o", "Frob=9"}},
    {"LocalForward 8080 localhost:80\nCompression yes\nLogLevel DEBUG\nVisualHostKey yes\nUser a\n"},
    {"ControlMaster auto\nControlPath ~/.ssh/cm-%C\nControlPersist 10m\nUser a\n"},
    {"GSSAPIAuthentication yes\nGSSAPIKeyExchange no\nUser a\n"},
    {"\fUser a\n"},
    {"User a\f\n"},
    {"User a\\b\n"},
    {"Host web1 # the web\n User a\n", {"web1", "#", "the"}},
    {"Host \"web1\"\n User a\n"},
    {"Host web1,web2\n User a\n", {"web1", "web1,web2"}},
    {"Host\n User a\n"},
    {"Host \"\"\n User a\n"},
    {"Port 10\nHost web1\nHostName 2001:DB8::1\n"},
};

TEST_F(SshConfigOracle, AgreesWithSshOnTheSamples) {
  for (const auto& sample : kSamples)
    for (const auto& host : sample.hosts)
      if (parse_destination(host)) compare(sample.config, host, sample.arguments);
  EXPECT_GT(compared_, 90);
}

TEST_F(SshConfigOracle, AgreesWithSshOnIncludes) {
  dir_.write("conf.d/10-a", "Host web1\n User included\n");
  dir_.write("conf.d/20-b", "Port 4000\nMatch host nothing\n Port 1\n");
  dir_.write("open", "User x\n", 0666);
  dir_.write("bad", "Host other\n Nonsense 1\n");
  const std::string include = "Include " + dir_.path();
  compare(include + "/conf.d/*\nHostName after\n", "web1");
  compare("Host other\n" + include + "/conf.d/*\nHost *\nHostName after\n", "web1");
  compare("Host web1\n" + include + "/conf.d/*\n BatchMode yes\n", "web1");
  compare(include + "/none/*\nUser a\n", "web1");
  compare(include + "/conf.d/10-a " + dir_.path() + "/conf.d/20-b\n", "web1");
  compare(include + "/open\n", "web1");
  compare(include + "/bad\n", "web1");
  compare(include + "/config\n", "web1");  // Itself, over and over.
  compare("Match host web1\n" + include + "/conf.d/*\nUser late\n", "web1");
}

TEST_F(SshConfigOracle, AgreesWithSshOnAFamilyOfRandomFiles) {
  std::mt19937 random(20);
  const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  const std::vector<std::string> blocks{
      "Host web*",       "Host *",          "Host web1 db1",     "Host !web1 *",         "Host *.lab !x.lab",
      "Match host web1", "Match user bob",  "Match all",         "Match !host web*",     "Match originalhost db1",
      "Match user root", "Match host 10.*", "Match host real.*", "Match localuser root", "HOST WEB1"};
  const std::vector<std::string> lines{"User bob",
                                       "User=alice",
                                       "Port 2222",
                                       "port 22",
                                       "HostName real.example",
                                       "HostName %h.lab",
                                       "IdentityFile /a",
                                       "IdentityFile ~/b",
                                       "IdentitiesOnly yes",
                                       "ProxyJump a,b@c:9",
                                       "ProxyJump none",
                                       "ProxyCommand x %h",
                                       "StrictHostKeyChecking accept-new",
                                       "ConnectTimeout 7",
                                       "SendEnv A_*",
                                       "SendEnv -A*",
                                       "SetEnv X=1 Y=2",
                                       "RequestTTY force",
                                       "ServerAliveInterval 2m",
                                       "UserKnownHostsFile /kh /kh2",
                                       "ForwardAgent no",
                                       "# note",
                                       "",
                                       "BatchMode yes",
                                       "HostName 10.1.1.1",
                                       "PreferredAuthentications password",
                                       "HashKnownHosts yes",
                                       "HostKeyAlias Al"};
  for (int round = 0; round < 150; ++round) {
    std::string config;
    const unsigned count = 3 + random() % 14;
    for (unsigned i = 0; i < count; ++i)
      config += (random() % 4 == 0 ? pick(blocks) : "  " + pick(lines)) + (random() % 9 == 0 ? "\r\n" : "\n");
    compare(config, pick({"web1", "db1", "x.lab", "bob@web2", "web1.lab"}));
    if (HasFailure()) break;
  }
  EXPECT_GT(compared_, 120);
}

}  // namespace
}  // namespace transport
