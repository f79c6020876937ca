#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace support {

/// Goes before and after a test that uses libfaketime. That library names a piece of memory after its process, a
/// process that dies by a signal leaves it behind, and a later one that gets the same number refuses to start.
class FakeClock {
 public:
  FakeClock() { forget_the_dead(); }
  ~FakeClock() { forget_the_dead(); }
  FakeClock(const FakeClock&) = delete;
  FakeClock& operator=(const FakeClock&) = delete;

 private:
  static void forget_the_dead() {
    std::error_code gone;  // Tests beside this one sweep as well.
    std::vector<std::filesystem::path> left;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", gone))
      if (const int owner = owner_of(entry.path().filename()); owner > 0 && ::kill(owner, 0) != 0)
        left.push_back(entry.path());
    for (const auto& path : left) std::filesystem::remove(path, gone);
  }
  static int owner_of(const std::string& name) {
    for (const std::string start : {"faketime_shm_", "sem.faketime_sem_"})
      if (name.rfind(start, 0) == 0) return std::atoi(name.c_str() + start.size());
    return 0;
  }
};

}  // namespace support
