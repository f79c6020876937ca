// What remote programs may ask of the operator's own terminal while the bytes pass through.

#include "tests/e2e/app/session_fixture.h"

namespace app {
namespace {

class Escapes : public BareSession {
 protected:
  /// What reaches the terminal between two marks when the remote prints this.
  std::string shown_for(const std::string& printf_text) {
    jms_->forget_output();
    enter("printf 'be''gin-" + printf_text + "-en''d'");
    EXPECT_TRUE(jms_->wait_for("-end"));
    const std::string& output = jms_->output();
    const auto begin = output.rfind("begin-") + 6;
    return output.substr(begin, output.rfind("-end") - begin);
  }
};

TEST_F(Escapes, RequestsThatReachPastTheSessionAreKeptBack) {
  emulate_ = false;
  start();
  EXPECT_EQ(shown_for("a\\033]52;c;aGk=\\007b"), "ab");
  EXPECT_EQ(shown_for("a\\033[21tb"), "ab");
  EXPECT_EQ(shown_for("a\\005b"), "ab");
  EXPECT_EQ(shown_for("a\\033]0;title\\007\\033[31mb\\033[m"), "a\x1b]0;title\a\x1b[31mb\x1b[m");
}

TEST_F(Escapes, TheConfigMayAllowThem) {
  emulate_ = false;
  env_.write_config("[escapes]\nclipboard = true\nreports = true\n");
  start();
  EXPECT_EQ(shown_for("a\\033]52;c;aGk=\\007b"), "a\x1b]52;c;aGk=\ab");
  EXPECT_EQ(shown_for("a\\005b"), "a\005b");
}

}  // namespace
}  // namespace app
