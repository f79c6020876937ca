#pragma once

#include <string>

namespace transport {

/// Something done to a session from outside its terminal: by an administrator, or by a clock of the bastion.
struct SessionNotice {
  enum class Kind {
    warning,
    locked,  ///< What is typed is dropped until `unlocked`.
    unlocked,
  };
  Kind kind = Kind::warning;
  std::string text;  ///< One sentence for the operator, without its full stop.
};

}  // namespace transport
