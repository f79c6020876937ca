#pragma once

namespace base {

/// Turns a C free function into a deleter: `std::unique_ptr<VTerm, Free<vterm_free>>`.
template <auto Function>
struct Free {
  template <typename T>
  void operator()(T* handle) const noexcept {
    Function(handle);
  }
};

}  // namespace base
