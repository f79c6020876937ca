// Preloaded into a shell: the next write of a mark fails as one does that a signal interrupted. fish drops what it was
// writing then; a resize at that very moment is what does it in real life, once in thousands.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// The kind of mark ('s', 'e', 'p') that is to be lost once, if any: the first letter of the file `lose` in the home.
char wanted_kind(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char kind = 0;
  if (read(file, &kind, 1) != 1) kind = 0;
  close(file);
  return kind;
}

}  // namespace

extern "C" ssize_t write(int fd, const void* bytes, size_t size) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const auto real = reinterpret_cast<Write>(dlsym(RTLD_NEXT, "write"));
  constexpr std::string_view kMark = "\033]7717;";
  constexpr std::size_t kNonce = 16;
  const std::string_view text(static_cast<const char*>(bytes), size);
  const char* const home = std::getenv("HOME");
  if (home != nullptr && text.starts_with(kMark) && size > kMark.size() + kNonce + 1) {
    const std::string path = std::string(home) + "/lose";
    if (text[kMark.size() + kNonce + 1] == wanted_kind(path)) {
      unlink(path.c_str());
      errno = EINTR;
      return -1;
    }
  }
  return real(fd, bytes, size);
}
