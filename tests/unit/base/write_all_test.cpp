#include "base/write_all.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/unique_fd.h"

namespace base {
namespace {

TEST(WriteAll, WritesMoreThanOneWriteTakes) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  UniqueFd from(ends[0]), to(ends[1]);
  std::string read;
  std::thread reader([&] {
    char buffer[1000];
    for (ssize_t count; (count = ::read(from.get(), buffer, sizeof buffer)) > 0;)
      read.append(buffer, static_cast<std::size_t>(count));
  });
  const std::string much(300'000, 'x');
  EXPECT_TRUE(write_all(to.get(), much, "the pipe"));
  to.reset();
  reader.join();
  EXPECT_EQ(read, much);
}

TEST(WriteAll, SaysWhatIsWrong) {
  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  const auto written = write_all(full.get(), "text", "/dev/full");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "writing /dev/full: No space left on device");
}

}  // namespace
}  // namespace base
