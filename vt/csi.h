#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vt {

/// One control sequence, taken apart: `CSI leader parameters intermediate final`.
struct Csi {
  static constexpr int kMaxParams = 32;
  static constexpr int kMissing = -1;
  static constexpr int kMaxValue = 65535;

  char leader = 0;        ///< One of `<=>?`, or 0.
  char intermediate = 0;  ///< Or 0.
  char final_byte = 0;
  int count = 0;
  std::array<int, kMaxParams> params{};
  std::uint32_t joined = 0;  ///< Bit i: parameter i came after a colon, as part of the one before.

  /// Takes apart a whole sequence as the tokenizer gives it. False when its order is none that means something: two
  /// intermediates, parameters behind one, a leader in the middle. Parameters beyond the most are ignored.
  bool read(std::string_view raw);

  /// Parameter i, or `fallback` when it is missing.
  int get(int i, int fallback) const {
    return i < count && params[static_cast<std::size_t>(i)] != kMissing ? params[static_cast<std::size_t>(i)]
                                                                        : fallback;
  }
  /// For counts, where 0 means 1 as well.
  int at_least_one(int i) const {
    const int value = get(i, 1);
    return value == 0 ? 1 : value;
  }
  /// Leader, intermediate and final byte as one number, to switch on.
  static constexpr int key(char leader, char intermediate, char final_byte) {
    return (static_cast<unsigned char>(leader) << 16) | (static_cast<unsigned char>(intermediate) << 8) |
           static_cast<unsigned char>(final_byte);
  }
  int key() const { return key(leader, intermediate, final_byte); }
  bool is_joined(int i) const { return i < count && ((joined >> i) & 1u) != 0; }

 private:
  const char* read_params(const char* at, const char* end);
};

}  // namespace vt
