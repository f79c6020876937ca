// The road to a model server: sockets, certificates, proxies, and what portals and proxies put in the way.
#include <zlib.h>

#include "tests/integration/model/model_client_fixture.h"
#include "tests/support/model_streams.h"
#include "tests/support/test_ca.h"

namespace model {
namespace {

using model_streams::anthropic_text_turn;
using test_server::HttpServer;
using test_server::ModelServer;
using test_server::stream_reply;

TEST_F(ModelClientTest, UsesTheConnectionAgain) {
  serve();
  const std::string body = anthropic_text_turn();
  for (int i = 0; i < 3; ++i) server_->script(test_server::reply(200, body, {{"content-type", "text/event-stream"}}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask().text, "All is well.");
  EXPECT_LE(server_->http().connections(), 3);
}

TEST_F(ModelClientTest, NamesPagesAndErrorsThatComeWithStatus200) {
  serve();
  settings_.timing.retries = 0;
  server_->script(
      test_server::reply(200, "<html><title>Captive portal</title></html>", {{"content-type", "text/html"}}));
  EXPECT_NE(ask().error->message.find("Captive portal"), std::string::npos);
  server_->script(test_server::reply(200, R"({"type":"error","error":{"type":"api_error","message":"inner"}})",
                                     {{"content-type", "application/json"}}));
  EXPECT_EQ(ask().error->type, "api_error");
  server_->script(test_server::reply(302, "", {{"location", "https://elsewhere.test/login"}}));
  EXPECT_NE(ask().error->message.find("redirects to elsewhere.test"), std::string::npos);
  EXPECT_EQ(server_->requests().size(), 3u) << "the key went nowhere else";
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST_F(ModelClientTest, UnpacksWhatARudeProxyPacked) {
  serve();
  server_->script(test_server::reply(200, gzip(anthropic_text_turn()),
                                     {{"content-encoding", "gzip"}, {"content-type", "text/event-stream"}}));
  EXPECT_EQ(ask().text, "All is well.");
  server_->script(test_server::reply(200, gzip(anthropic_text_turn()), {{"content-type", "text/event-stream"}}));
  EXPECT_NE(ask().error->message.find("compressed"), std::string::npos);
}

TEST_F(ModelClientTest, IsNotFilledUpByAnArchiveBomb) {
  serve();
  settings_.timing.retries = 0;
  server_->script(
      test_server::reply(200, gzip("data: " + std::string(64u << 20, 'x')), {{"content-encoding", "gzip"}}));
  const Turn& turn = ask();
  ASSERT_TRUE(turn.error);
  EXPECT_FALSE(turn.ok());
}

TEST_F(ModelClientTest, GivesUpOnAHugeEvent) {
  serve();
  server_->script(stream_reply("data: " + std::string(10 << 20, 'x') + "\n\n"));
  EXPECT_EQ(ask().error->type, "event_too_large");
}

TEST_F(ModelClientTest, NamesAServerThatIsNotThere) {
  serve();
  settings_.timing.retries = 1;
  settings_.base_url = "http://127.0.0.1:1";
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::connection);
  EXPECT_NE(turn.error->message.find("cannot connect to 127.0.0.1:1"), std::string::npos);
  EXPECT_EQ(retries_.size(), 1u);
}

TEST_F(ModelClientTest, ReachesAServerOnAUnixSocket) {
  test_server::TestCa folder;
  HttpServer::Options options;
  options.unix_path = folder.folder() + "/model.sock";
  serve(ModelServer::Api::openai, options);
  settings_.base_url = "unix://" + options.unix_path + ":/v1";
  EXPECT_EQ(ask().text, "All is well.");
}

TEST_F(ModelClientTest, ChecksCertificatesAgainstTheNamedCa) {
  test_server::TestCa ca, other;
  HttpServer::Options options;
  options.certificate = ca.certificate();
  options.key = ca.key();
  serve(ModelServer::Api::anthropic, options);
  settings_.ca_file = ca.ca_file();
  EXPECT_EQ(ask().text, "All is well.");
  client_.reset();
  for (const std::string& file : {other.ca_file(), std::string()}) {
    settings_.ca_file = file;
    const Turn& refused = ask();
    ASSERT_TRUE(refused.error);
    EXPECT_NE(refused.error->message.find("is not trusted"), std::string::npos) << refused.error->message;
    EXPECT_NE(refused.error->message.find("ca_file"), std::string::npos);
    EXPECT_TRUE(retries_.empty());
    client_.reset();
  }
  settings_.ca_file = "/no/such/ca.pem";
  EXPECT_NE(ask().error->message.find("/no/such/ca.pem"), std::string::npos);
  EXPECT_EQ(server_->requests().size(), 1u) << "no key was sent to a server that could not prove itself";
}

TEST_F(ModelClientTest, GoesThroughTheProxyOfTheEnvironment) {
  test_server::TestCa ca;
  HttpServer::Options options;
  options.certificate = ca.certificate();
  options.key = ca.key();
  options.proxy = true;
  serve(ModelServer::Api::anthropic, options);
  settings_.ca_file = ca.ca_file();
  settings_.base_url = "https://model.test";
  const support::EnvironmentVariable proxy("HTTPS_PROXY", server_->http().url());
  const Turn turn = ask();
  const support::EnvironmentVariable direct_hosts("NO_PROXY", "model.test");
  client_.reset();
  settings_.timing.retries = 0;
  const Turn direct = ask();
  EXPECT_EQ(turn.text, "All is well.") << (turn.error ? turn.error->message : "");
  EXPECT_EQ(server_->http().connect_targets(), std::vector<std::string>{"model.test:443"});
  ASSERT_TRUE(direct.error) << "without the proxy that host does not exist";
  EXPECT_NE(direct.error->message.find("cannot find the host model.test"), std::string::npos) << direct.error->message;
}

TEST_F(ModelClientTest, GoesThroughAConfiguredProxyWithPlainHttp) {
  serve();
  settings_.proxy = server_->http().url();
  settings_.base_url = "http://model.test";
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_EQ(server_->requests()[0].target, "http://model.test/v1/messages");
}

}  // namespace
}  // namespace model
