#include "tests/fuzz/known_good.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (fuzz::takes_known_good()) return 0;
  std::fputs("this fuzzer is blind: its parser refuses an input that is known to be good\n", stderr);
  std::abort();
}
