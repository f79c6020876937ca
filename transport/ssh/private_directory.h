#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace transport {

/// A directory that only we can enter, for a socket; gone with the object. What a killed jms left behind is removed
/// when the next one is made.
class PrivateDirectory {
 public:
  static base::Result<PrivateDirectory> make();
  ~PrivateDirectory();
  PrivateDirectory(PrivateDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;

  std::string socket_path() const { return path_ + "/ask"; }

 private:
  explicit PrivateDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace transport
