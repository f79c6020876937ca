#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "transport/jumpserver/asset.h"
#include "transport/jumpserver/cookie_jar.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/core_error.h"
#include "transport/jumpserver/credentials.h"
#include "transport/jumpserver/directory.h"
#include "transport/jumpserver/private_file.h"
#include "transport/jumpserver/signature.h"

namespace transport::jumpserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kDate = "Tue, 06 Jan 2026 08:30:00 GMT";

std::string signature_of(const SignedParts& parts) {
  const AccessKey key{"0f6f2a0e-5c1b-4a8d-9e0c-3b7a1d2c4e5f", "s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t-1"};
  const std::string header = signature_header(key, parts);
  const auto at = header.find("signature=\"") + 11;
  return header.substr(at, header.size() - at - 1);
}

TEST(Signature, MatchesTheVectorsOfTheReference) {
  EXPECT_EQ(signature_of({"GET", "/api/v1/perms/users/self/assets/?limit=2&search=web", "application/json", kDate}),
            "rXw5R/HAllLiq2L+S+KGlSQJx1FlVCCqOM8rZBfby0Y=");
  EXPECT_EQ(signature_of({"POST", "/api/v1/authentication/connection-token/", "", kDate}),
            "XKEH/N4ZihBnbLUZ8/tjTBZKCGHL2RqxlZb5rExdM9E=");
  EXPECT_EQ(signature_of({"GET", "/api/v1/users/profile/", "", kDate}), "rGgB9WY7o8jbi0pC+K1OcAkILJa4eEEGTvTA91XkeVQ=");
}

TEST(Signature, DatesAreInEnglishWhateverTheLocale) {
  EXPECT_EQ(http_date(1767688200), kDate);
}

TEST(CookieJar, KeepsWhatIsSetAndForgetsWhatIsEnded) {
  CookieJar jar;
  jar.take({200,
            {{"set-cookie", "jms_sessionid=abc; HttpOnly; Path=/"},
             {"content-type", "text/html"},
             {"set-cookie", "jms_csrftoken=\"x=y\"; SameSite=Lax"}}});
  EXPECT_EQ(jar.session(), "abc");
  EXPECT_EQ(jar.csrf(), "x=y");
  jar.take({200, {{"set-cookie", "jms_csrftoken=; expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0"}}});
  EXPECT_EQ(jar.header(), "jms_sessionid=abc");
}

TEST(CookieJar, TakesThePrefixThatTheServerNames) {
  CookieJar jar;
  jar.take({200, {{"set-cookie", "SESSION_COOKIE_NAME_PREFIX=corp_"}, {"set-cookie", "corp_sessionid=s"}}});
  EXPECT_EQ(jar.session(), "s");
}

TEST(Server, IsTakenAsPeopleWriteIt) {
  EXPECT_EQ(*normal_server("jump.example.com"), "https://jump.example.com");
  EXPECT_EQ(*normal_server("https://jump.example.com:8443/ui/#/"), "https://jump.example.com:8443");
  EXPECT_EQ(*normal_server("http://127.0.0.1:8080/"), "http://127.0.0.1:8080");
  EXPECT_EQ(*normal_server("http://[::1]:8080"), "http://[::1]:8080");
  EXPECT_FALSE(normal_server("http://jump.example.com"));
  EXPECT_FALSE(normal_server("https://alice:secret@jump.example.com"));
  EXPECT_FALSE(normal_server("ftp://jump.example.com"));
  EXPECT_FALSE(normal_server("https:///x"));
  EXPECT_FALSE(normal_server("a b"));
}

TEST(Tokens, SayTheirKindOrAreToldByTheirLength) {
  EXPECT_EQ(token_from_text("Bearer abc").keyword, "Bearer");
  EXPECT_EQ(token_from_text("Token abc").value, "abc");
  EXPECT_EQ(token_from_text(std::string(36, 'x')).keyword, "Bearer");
  EXPECT_EQ(token_from_text(std::string(40, 'x')).keyword, "Token");
}

TEST(Times, AreReadWithTheirZone) {
  EXPECT_EQ(parse_time("2026/01/06 08:30:00 +0000"), 1767688200);
  EXPECT_EQ(parse_time("2026/01/06 16:30:00 +0800"), 1767688200);
  EXPECT_EQ(parse_time("2026/01/06 05:30:00 -0300"), 1767688200);
  EXPECT_EQ(parse_time("soon"), 0);
}

std::string words(const char* body) {
  return words_of(parse_json(body));
}

TEST(Errors, AreReadInTheOrderOfTheReference) {
  EXPECT_EQ(words(R"({"detail":"d","msg":"m","error":"e"})"), "d");
  EXPECT_EQ(words(R"({"msg":"m","error":"code"})"), "m");
  EXPECT_EQ(words(R"({"error":"MFA unset, please set first"})"), "MFA unset, please set first");
  EXPECT_EQ(words(R"({"asset":["This field is required."]})"), "asset: This field is required.");
  EXPECT_EQ(words(R"({"non_field_errors":["no"]})"), "no");
  EXPECT_EQ(words("[]"), "");
  EXPECT_EQ(code_of(parse_json(R"({"error":"MFA unset, please set first"})")), "");
  EXPECT_EQ(code_of(parse_json(R"({"error":"mfa_required"})")), "mfa_required");
}

TEST(Errors, NeverCarryControlCharacters) {
  EXPECT_EQ(words("{\"detail\":\"a\\u001b[31mb\"}"), "a [31mb");
}

TEST(AssetFields, AreReadAsAllVersionsWriteThem) {
  const Asset asset = asset_from(parse_json(
      R"({"id":"i","name":"n","platform":"Linux","category":"host","type":{"value":"linux"},"nodes":["x",{"id":"y"}],
          "labels":["env:prod",{"name":"team","value":"db"},"zone=a"],"domain":null})"));
  EXPECT_EQ(asset.platform, "Linux");
  EXPECT_EQ(asset.type, "linux");
  EXPECT_THAT(asset.node_ids, ElementsAre("x", "y"));
  EXPECT_THAT(asset.labels, ElementsAre("env=prod", "team=db", "zone=a"));
}

TEST(AssetFields, TellHostsFromDevicesAndDatabases) {
  const auto kind = [](const char* category, const char* type) {
    Asset asset;
    asset.category = category;
    asset.type = type;
    return asset.kind();
  };
  EXPECT_EQ(kind("host", "linux"), AssetKind::host);
  EXPECT_EQ(kind("device", "switch"), AssetKind::device);
  EXPECT_EQ(kind("database", "mysql"), AssetKind::database);
  EXPECT_EQ(kind("cloud", "k8s"), AssetKind::other);
  EXPECT_EQ(kind("", ""), AssetKind::host);
}

TEST(AssetFields, SurviveWhatIsNotThere) {
  for (const char* body : {"{}", "null", "[]", R"({"platform":7,"nodes":{},"labels":"x","permed_accounts":[1,null]})"})
    EXPECT_NO_THROW(detail_from(parse_json(body))) << body;
}

TEST(Accounts, ThatMayNotConnectAreNotOffered) {
  AssetDetail detail = detail_from(parse_json(
      R"({"id":"a","name":"web","permed_accounts":[
          {"alias":"1","name":"root","username":"root","actions":[{"value":"upload"}]},
          {"alias":"2","name":"app","username":"app","actions":[{"value":"connect"}]},
          {"alias":"@ANON","name":"Anonymous","username":""}]})"));
  EXPECT_EQ(choose_account(detail, "")->alias, "2");
  EXPECT_THAT(choose_account(detail, "root").error().message, HasSubstr("there are: app"));
}

TEST(Profiles, MakeHarmlessFileNames) {
  EXPECT_EQ(file_name_of("lab-1"), "lab-1");
  EXPECT_EQ(file_name_of("../x y"), "%2E%2E%2Fx%20y");
}

TEST(Forms, EncodeEverythingThatMeansSomething) {
  EXPECT_EQ(form_text({{"password", "a&b=c d+%é"}}), "password=a%26b%3Dc%20d%2B%25%C3%A9");
}

}  // namespace
}  // namespace transport::jumpserver
