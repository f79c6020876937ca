#include "remote_exec/encoding.h"

#include <iconv.h>

namespace remote_exec {

base::Result<std::string> in_encoding(std::string_view text, const std::string& encoding) {
  if (encoding.empty()) return std::string(text);
  const iconv_t converter = iconv_open(encoding.c_str(), "UTF-8");
  if (converter == reinterpret_cast<iconv_t>(-1))
    return base::fail("This host's encoding `" + encoding + "` is not known here. Nothing was typed.");
  std::string written(4 * text.size(), '\0');
  char* from = const_cast<char*>(text.data());  // iconv reads it only.
  std::size_t left = text.size();
  char* to = written.data();
  std::size_t room = written.size();
  const bool whole = iconv(converter, &from, &left, &to, &room) == 0;
  iconv_close(converter);
  if (!whole)
    return base::fail("The command holds characters that cannot be written in " + encoding +
                      ", this host's encoding. Nothing was typed.");
  written.resize(written.size() - room);
  return written;
}

}  // namespace remote_exec
