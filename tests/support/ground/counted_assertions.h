#pragma once

// As gtest is one: what its macros become is not ours to be warned of.
#pragma GCC system_header

#include <gtest/gtest.h>

#include <atomic>

// Every assertion of gtest and gmock goes through this one macro of theirs, so here they are counted: a test that
// passed without asserting anything has proved nothing and fails (test_ground.cpp). The file is read before every file
// of the tests, by the compiler's command line.
namespace support {

inline std::atomic<int> assertions_made = 0;

inline int count_assertion() {
  ++assertions_made;
  return 0;
}

}  // namespace support

#undef GTEST_AMBIGUOUS_ELSE_BLOCKER_
#define GTEST_AMBIGUOUS_ELSE_BLOCKER_   \
  switch (::support::count_assertion()) \
  case 0:                               \
  default:
