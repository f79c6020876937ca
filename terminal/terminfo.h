#pragma once

#include <string>

namespace terminal {

/// One entry of the terminfo database, read without touching any terminal. False when there is no such entry.
class Terminfo {
 public:
  explicit Terminfo(const std::string& term);
  ~Terminfo();
  Terminfo(const Terminfo&) = delete;
  Terminfo& operator=(const Terminfo&) = delete;

  explicit operator bool() const { return entry_ != nullptr; }

  bool flag(const char* name) const;
  /// -1 when it has none.
  int number(const char* name) const;
  bool has_string(const char* name) const;
  /// Whether the entry names this at all, as flag, number or string: extensions like RGB come in all three.
  bool has_any(const char* name) const;
  /// The string with its parameters put in and its padding left out; "" when the entry lacks it.
  std::string expand(const char* name, int first = 0, int second = 0) const;

 private:
  const char* string(const char* name) const;

  void* entry_ = nullptr;  ///< TERMINAL*, whose header defines macros too common to let out.
};

}  // namespace terminal
