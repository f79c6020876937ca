// What the system's ssh asks and says, in our own terms.

#include <gtest/gtest.h>

#include "transport/ssh/askpass_message.h"
#include "transport/ssh/askpass_question.h"
#include "transport/ssh/openssh_engine.h"
#include "transport/ssh/ssh_words.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

using Hint = AskpassRequest::Hint;
using Asked = SshQuestion::Kind;
using Arrived = AskpassArrival::State;

constexpr const char* kTokenUser = "JMS-12345678-1234-4234-8234-123456789abc";

HostSettings hop_named(const std::string& user, const std::string& name, int port = 22) {
  HostSettings settings;
  settings.alias = settings.host_name = name;
  settings.user = user;
  settings.port = port;
  return settings;
}

TEST(AskpassRequest, ComesBackAsItWasSentHoweverItIsCut) {
  for (const auto hint : {Hint::question, Hint::confirm, Hint::notice}) {
    const std::string bytes = to_wire({hint, "line one\nline two: "});
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
      ASSERT_EQ(read_askpass_request(std::string_view(bytes).substr(0, cut)).state, Arrived::incomplete) << cut;
    const auto arrival = read_askpass_request(bytes);
    ASSERT_EQ(arrival.state, Arrived::complete);
    EXPECT_EQ(arrival.request.hint, hint);
    EXPECT_EQ(arrival.request.prompt, "line one\nline two: ");
  }
}

TEST(AskpassRequest, IsRefusedWhenItIsNoneOfOurs) {
  const auto framed = [](std::string_view text) {
    std::string bytes;
    put_string(bytes, text);
    return bytes;
  };
  for (const std::string& bytes :
       {framed(""), framed("hello"), framed("jms-askpass 2 question\nx"), framed("jms-askpass 1 order\nx"),
        framed("jms-askpass 1 question"), framed(std::string(kLongestAskpassRequest + 1, 'x')),
        std::string("\xff\xff\xff\xff"), to_wire({Hint::question, "x"}) + "y"})
    EXPECT_EQ(read_askpass_request(bytes).state, Arrived::broken);
  // A server may send a prompt as long as a packet; it is cut, not refused.
  EXPECT_EQ(read_askpass_request(to_wire({Hint::question, std::string(100'000, 'x')})).state, Arrived::complete);
}

TEST(AskpassQuestion, APasswordIsAskedInTheWordsOfSshOnly) {
  const auto koko = hop_named(kTokenUser, "Jump.example.com", 2222);
  const std::string right = std::string(kTokenUser) + "@jump.example.com's password: ";
  const auto question = question_of({Hint::question, right}, &koko);
  EXPECT_EQ(question.kind, Asked::password);
  EXPECT_EQ(question.user, kTokenUser);
  EXPECT_EQ(question.host, "Jump.example.com");
  EXPECT_FALSE(question.echo);
  // OpenSSH before 8.4.
  EXPECT_EQ(question_of({Hint::question, "JMS-12345678-1234-4234-8234-12@jump.example.com's password: "}, &koko).kind,
            Asked::password);
  const std::string others[] = {right + " ",
                                " " + right,
                                right + "\n" + right,
                                "Enter " + right,
                                std::string(kTokenUser) + "@other's password: ",
                                "JMS-other@jump.example.com's password: ",
                                "Password: ",
                                ""};
  for (const std::string& other : others)
    EXPECT_NE(question_of({Hint::question, other}, &koko).kind, Asked::password) << other;
  EXPECT_EQ(question_of({Hint::question, right}, nullptr).kind, Asked::local) << "nobody knows who asks";
  EXPECT_EQ(question_of({Hint::confirm, right}, &koko).kind, Asked::local);
}

TEST(AskpassQuestion, AddressesAndAliasesAreNamedAsSshNamesThem) {
  const auto six = hop_named("me", "::1", 2222);
  EXPECT_TRUE(is_password_prompt("me@::1's password: ", six));
  auto alias = hop_named("me", "10.0.0.1");
  alias.host_key_alias = "FooBar";
  EXPECT_TRUE(is_password_prompt("me@foobar's password: ", alias));
  EXPECT_FALSE(is_password_prompt("me@10.0.0.1's password: ", alias));
}

TEST(AskpassQuestion, WordsOfAServerStayWordsOfAServer) {
  const auto hop = hop_named("gate", "hop.example");
  for (const std::string& words :
       {std::string("Verification code: "), std::string("gate@hop.example's password: "),
        std::string(kTokenUser) + "@jump.example.com's password: ", std::string("Enter passphrase for key '/k': "),
        std::string("The authenticity of host 'x' can't be established.\nAre you sure (yes/no)? ")}) {
    const auto question = question_of({Hint::question, "(gate@hop.example) " + words}, &hop);
    EXPECT_EQ(question.kind, Asked::challenge) << words;
    EXPECT_EQ(question.text, words);
    EXPECT_EQ(question.user, "gate");
  }
}

TEST(AskpassQuestion, TellsHostKeysPassphrasesAndTheRestApart) {
  const auto web = hop_named("me", "web1");
  const std::string key =
      "The authenticity of host 'web1 (10.0.0.1)' can't be established.\nRSA key fingerprint is SHA256:x.\nThis key is "
      "not known by any other names.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ";
  EXPECT_EQ(question_of({Hint::question, key}, &web).kind, Asked::host_key);
  EXPECT_TRUE(question_of({Hint::question, key}, &web).echo);
  EXPECT_EQ(question_of({Hint::question, key}, nullptr).kind, Asked::host_key);
  EXPECT_EQ(question_of({Hint::question, "Please type 'yes', 'no' or the fingerprint: "}, &web).kind, Asked::host_key);
  EXPECT_EQ(question_of({Hint::question, "Enter passphrase for key '/k': "}, &web).kind, Asked::passphrase);
  for (const char* other : {"Enter PIN for ED25519-SK key /k: ", "Enter me@web1's new password: ", "Username: "})
    EXPECT_EQ(question_of({Hint::question, other}, &web).kind, Asked::local) << other;
}

TEST(SshWords, TheLineThatSaysItIsTheReason) {
  EXPECT_EQ(why_ssh_failed("ssh: connect to host h port 1: Connection refused\r\n", "h"),
            "ssh: connect to host h port 1: Connection refused");
  EXPECT_EQ(why_ssh_failed("Permission denied, please try again.\r\nme@h: Permission denied (password).\r\n", "h"),
            "me@h: Permission denied (password).");
  EXPECT_EQ(why_ssh_failed("u@hop: Permission denied (password).\r\nkex_exchange_identification: Connection closed by "
                           "remote host\r\nConnection closed by UNKNOWN port 65535\r\n",
                           "h"),
            "u@hop: Permission denied (password).");
  EXPECT_EQ(why_ssh_failed("No RSA host key is known for h and you have requested strict checking.\r\nHost key "
                           "verification failed.\r\n",
                           "h"),
            "No RSA host key is known for h and you have requested strict checking. Host key verification failed.");
  EXPECT_EQ(why_ssh_failed("", "me@h"), "ssh could not connect to me@h, and gave no reason");
}

TEST(SshWords, AChangedHostKeyIsToldInOneSentence) {
  const std::string printed =
      "@@@@@@@@@@@@@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n@@@@@@@@@@@@@@@\r\nIT IS "
      "POSSIBLE "
      "THAT SOMEONE IS DOING SOMETHING NASTY!\r\nOffending RSA key in /k:1\r\n  remove with:\r\n  ssh-keygen -f \"/k\" "
      "-R "
      "\"h\"\r\nHost key verification failed.\r\n";
  EXPECT_EQ(
      why_ssh_failed(printed, "me@h"),
      "THE HOST KEY OF me@h HAS CHANGED: somebody may be listening in, or the host was reinstalled. Not connected. "
      "When the change is right, run: ssh-keygen -f \"/k\" -R \"h\"");
}

TEST(SshWords, NothingThatATerminalObeysGetsThrough) {
  const std::string said = why_ssh_failed("\x1b[2J\x1b]0;x\x07" + std::string(5000, 'a') + "\r\n", "h");
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  EXPECT_LT(said.size(), 400u);
  EXPECT_EQ(without_name("JMS-1@h: no, JMS-1 is used", "JMS-1"), "h: no,  is used");
}

TEST(Libssh2Version, BeforeStrictKeyExchangeNothingIsUsedThatTerrapinNeeds) {
  const AlgorithmLists all{{"curve25519-sha256"},
                           {"ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"},
                           {"chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr"},
                           {"hmac-sha2-256-etm@openssh.com", "hmac-sha2-256", "hmac-sha1-etm@openssh.com"}};
  for (const int old : {0, 0x010a00, 0x010b00}) {
    const auto usable = without_unsound(all, old);
    EXPECT_EQ(usable.macs, std::vector<std::string>{"hmac-sha2-256"}) << old;
    EXPECT_EQ(usable.ciphers, (std::vector<std::string>{"aes256-gcm@openssh.com", "aes128-ctr"})) << old;
    EXPECT_EQ(usable.host_keys, (std::vector<std::string>{"ssh-ed25519", "ssh-rsa"})) << old;
    HostSettings insisting;
    insisting.macs = "+hmac-sha2-256-etm@openssh.com";
    insisting.ciphers = "chacha20-poly1305@openssh.com";
    const auto wanted = wanted_algorithms(usable, insisting, {});
    EXPECT_EQ(wanted.macs, std::vector<std::string>{"hmac-sha2-256"});
    EXPECT_TRUE(wanted.ciphers.empty());
  }
  const auto usable = without_unsound(all, 0x010b01);
  EXPECT_EQ(usable.macs.size(), 3u);
  EXPECT_EQ(wanted_algorithms(usable, {}, {"ssh-rsa"}).host_keys,
            (std::vector<std::string>{"rsa-sha2-512", "rsa-sha2-256", "ssh-ed25519"}))
      << "never SHA-1, and a known RSA key first";
}

TEST(OpensshCommand, LeavesTheFilesToTheHopsWhenTold) {
  ConfigOptions options;
  options.config_file = "/my config";
  options.jump = "a,u%1@b:2222";
  options.files_for_hops_only = true;
  options.openssh_options = {"ControlPath=none"};
  options.options = {"UserKnownHostsFile=/k"};
  EXPECT_EQ(openssh_command({"h", "me", 0}, options),
            (std::vector<std::string>{"ssh", "-tt", "-F", "none", "-o",
                                      "ProxyCommand=ssh -F '/my config' -J 'a' -p '2222' -l 'u%%1' -W '[%h]:%p' -- 'b'",
                                      "-l", "me", "-o", "ControlPath=none", "-o", "UserKnownHostsFile=/k", "-e", "none",
                                      "--", "h"}));
}

}  // namespace
}  // namespace transport
