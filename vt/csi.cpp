#include "vt/csi.h"

#include <algorithm>

namespace vt {

bool Csi::read(std::string_view raw) {
  const char* at = raw.data() + 2;
  const char* const end = raw.data() + raw.size() - 1;
  final_byte = *end;
  leader = at < end && *at >= '<' ? *at++ : '\0';
  at = read_params(at, end);
  intermediate = at < end && *at <= '/' ? *at++ : '\0';
  return at == end;
}

const char* Csi::read_params(const char* at, const char* end) {
  count = 0;
  joined = 0;
  if (at == end || *at < '0' || *at > ';') return at;
  params[0] = kMissing;
  count = 1;
  int beyond = kMissing;  // Where the parameters go that are too many.
  int* value = params.data();
  for (; at < end && *at >= '0' && *at <= ';'; ++at) {
    if (*at <= '9') {
      *value = std::min((*value == kMissing ? 0 : *value) * 10 + (*at - '0'), kMaxValue);
    } else if (count < kMaxParams) {
      if (*at == ':') joined |= 1u << count;
      value = &params[static_cast<std::size_t>(count++)];
      *value = kMissing;
    } else {
      value = &beyond;
    }
  }
  return at;
}

}  // namespace vt
