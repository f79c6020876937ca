#include "transport/jumpserver/signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/words.h"

namespace transport::jumpserver {
namespace {

std::string hmac_sha256_base64(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), digest.data(), &size);
  return base::base64_encode({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace

std::string signature_header(const AccessKey& key, const SignedParts& parts) {
  std::string names = "(request-target)";
  std::string text = "(request-target): " + base::lower_case(parts.method) + " " + parts.target;
  if (!parts.accept.empty()) {
    names += " accept";
    text += "\naccept: " + parts.accept;
  }
  names += " date";
  text += "\ndate: " + parts.date;
  return "Signature keyId=\"" + key.id + "\",algorithm=\"hmac-sha256\",headers=\"" + names + "\",signature=\"" +
         hmac_sha256_base64(key.secret, text) + "\"";
}

std::string http_date(std::time_t when) {
  // Not strftime: its names of days and months follow the locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm utc{};
  gmtime_r(&when, &utc);
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT", kDays[utc.tm_wday], utc.tm_mday,
                kMonths[utc.tm_mon], utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return text.data();
}

}  // namespace transport::jumpserver
