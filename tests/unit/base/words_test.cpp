#include "base/words.h"

#include <gmock/gmock.h>

namespace base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Words, AreLoweredInAsciiOnly) {
  EXPECT_EQ(lower_case("Content-TYPE [Ä] Z{"), "content-type [Ä] z{");
}

TEST(Words, AreFoundInCapitalsOrNot) {
  EXPECT_TRUE(mentions("Max-Age=0; Path=/", "max-age=0"));
  EXPECT_TRUE(mentions("web-01", "WEB"));
  EXPECT_TRUE(mentions("anything", ""));
  EXPECT_FALSE(mentions("web", "web-01"));
}

TEST(Words, LoseWhatStandsAroundThem) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed("\na ", " "), "\na");
}

TEST(Words, AreSplitAtSeparators) {
  EXPECT_THAT(split("publickey,password"), ElementsAre("publickey", "password"));
  EXPECT_THAT(split(",a,,b,"), ElementsAre("a", "b"));
  EXPECT_THAT(split("ls  -l", ' '), ElementsAre("ls", "-l"));
  EXPECT_THAT(split(""), IsEmpty());
}

TEST(Words, OfAnAddressAreDecoded) {
  EXPECT_EQ(percent_decode("a%2Fb%2f%41"), "a/b/A");
  EXPECT_EQ(percent_decode("100%"), "100%");
  EXPECT_EQ(percent_decode("%4"), "%4");
  EXPECT_EQ(percent_decode("%zz%%41"), "%zz%A");
}

}  // namespace
}  // namespace base
