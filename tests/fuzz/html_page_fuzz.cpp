// A page that some web server sends in place of JumpServer's login page. Nothing throws, everything is bounded, and
// what the operator is told of it is one printable line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/one_line.h"
#include "tests/fuzz/known_good.h"
#include "transport/jumpserver/html_page.h"

namespace {

namespace js = transport::jumpserver;

void check_shown(const std::string& text) {
  if (base::one_line(text, text.size() + 1) != text) std::abort();
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto page = js::read_html(
      "<title>Login</title><style>.captcha {}</style><form method=post><input type=hidden name=a value='1'>"
      "<img src=/c/1/><select name=s><option value=x>X</select></form><p class=red-fonts>* no</p>");
  return page.title == "Login" && page.forms.size() == 1 && page.forms[0].filled({}).size() == 2 &&
         page.images.size() == 1 && page.complaint() == "no";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto page = js::read_html({reinterpret_cast<const char*>(data), size});
  check_shown(page.title);
  check_shown(page.field_names());
  for (const auto& complaint : page.complaints) check_shown(complaint.words);
  if (page.forms.size() > 16 || page.images.size() > 64 || page.complaints.size() > 8) std::abort();
  for (const auto& form : page.forms) {
    if (form.fields.size() > 128) std::abort();
    if (form.filled({{"username", "a"}}).size() > form.fields.size() + 1) std::abort();
    for (const auto& field : form.fields) {
      if (form.field(field.name) == nullptr || field.options.size() > 64) std::abort();
      for (const auto& option : field.options) check_shown(option.text);
    }
  }
  return 0;
}
