#pragma once

#include <string>

namespace test_server {

/// A certificate authority of our own and a certificate of it for localhost, made with openssl when the test runs.
class TestCa {
 public:
  TestCa();
  ~TestCa();

  std::string ca_file() const { return folder_ + "/ca.pem"; }
  std::string certificate() const { return folder_ + "/server.pem"; }
  std::string key() const { return folder_ + "/server.key"; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace test_server
