#include "base/base64.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Base64, EncodesWithPadding) {  // The examples of RFC 4648.
  EXPECT_EQ(base64_encode(""), "");
  EXPECT_EQ(base64_encode("f"), "Zg==");
  EXPECT_EQ(base64_encode("fo"), "Zm8=");
  EXPECT_EQ(base64_encode("foo"), "Zm9v");
  EXPECT_EQ(base64_encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_encode(std::string("\xff\xfe\x00", 3)), "//4A");
}

}  // namespace
}  // namespace base
