#include "terminal/terminfo.h"

#include <curses.h>
#include <unistd.h>

// Last: it defines `lines`, `columns` and many more as macros.
#include <term.h>

namespace terminal {
namespace {

/// tigetstr and its kin read the current entry; this makes ours current for one call.
class Current {
 public:
  explicit Current(void* entry) : previous_(set_curterm(static_cast<TERMINAL*>(entry))) {}
  ~Current() { set_curterm(previous_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  TERMINAL* previous_;
};

/// Leaves out $<5> and the like: delays for hardware that nobody has any more.
std::string without_padding(std::string text) {
  for (auto at = text.find("$<"); at != std::string::npos; at = text.find("$<", at)) {
    const auto end = text.find('>', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

}  // namespace

Terminfo::Terminfo(const std::string& term) {
  TERMINAL* previous = set_curterm(nullptr);
  int outcome = 0;
  // With somewhere to put the outcome setupterm reports an unknown terminal; without, it would exit the process.
  if (setupterm(term.c_str(), STDOUT_FILENO, &outcome) == OK) entry_ = cur_term;
  set_curterm(previous);
}

Terminfo::~Terminfo() {
  if (entry_) del_curterm(static_cast<TERMINAL*>(entry_));
}

const char* Terminfo::string(const char* name) const {
  const char* value = tigetstr(const_cast<char*>(name));
  // -1 says that the name is not one of a string.
  return value == reinterpret_cast<const char*>(-1) ? nullptr : value;
}

bool Terminfo::flag(const char* name) const {
  const Current current(entry_);
  return tigetflag(const_cast<char*>(name)) > 0;
}

int Terminfo::number(const char* name) const {
  const Current current(entry_);
  const int value = tigetnum(const_cast<char*>(name));
  return value < 0 ? -1 : value;
}

bool Terminfo::has_string(const char* name) const {
  const Current current(entry_);
  return string(name) != nullptr;
}

bool Terminfo::has_any(const char* name) const {
  return flag(name) || number(name) >= 0 || has_string(name);
}

std::string Terminfo::expand(const char* name, int first, int second) const {
  const Current current(entry_);
  const char* value = string(name);
  if (!value) return {};
  const char* expanded = tiparm(value, first, second);
  return expanded ? without_padding(expanded) : std::string();
}

}  // namespace terminal
