#include "tests/support/test_ca.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace test_server {

TestCa::TestCa() {
  std::string pattern = (std::filesystem::temp_directory_path() / "jms-ca-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
  folder_ = pattern;
  std::ofstream(folder_ + "/names") << "subjectAltName=DNS:localhost,DNS:model.test,IP:127.0.0.1\n";
  const std::string ec = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";
  const std::string commands = "cd " + folder_ + " && openssl req -x509 " + ec +
                               "-keyout ca.key -out ca.pem -days 2 -subj '/CN=jms test CA' && openssl req " + ec +
                               "-keyout server.key -out server.csr -subj '/CN=localhost' && openssl x509 -req -in "
                               "server.csr -CA ca.pem -CAkey ca.key " +
                               "-CAcreateserial -days 2 -extfile names -out server.pem";
  if (std::system(("(" + commands + ") >/dev/null 2>&1").c_str()) != 0)
    throw std::runtime_error("openssl could not make a certificate");
}

TestCa::~TestCa() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace test_server
