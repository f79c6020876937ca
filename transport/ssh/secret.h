#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace transport {

/// A password or passphrase: kept in one locked page that is left out of core dumps, wiped when it goes away, and never
/// copied on the way. Holds at most kLongest bytes; more is cut, which no server takes anyway.
class Secret {
 public:
  static constexpr std::size_t kLongest = 4095;

  Secret();
  explicit Secret(std::string_view text);
  ~Secret();
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;

  void append(std::string_view text);
  void remove_last();  ///< One byte.
  void clear();
  std::string_view view() const { return {page_, size_}; }
  bool empty() const { return size_ == 0; }

 private:
  char* page_ = nullptr;
  std::size_t size_ = 0;
};

/// Text that holds key material for a moment: wiped when it goes away.
struct WipedText {
  std::string text;

  WipedText() = default;
  explicit WipedText(std::string initial) : text(std::move(initial)) {}
  ~WipedText();
  WipedText(WipedText&&) noexcept = default;
  WipedText& operator=(WipedText&&) noexcept = default;
};

}  // namespace transport
