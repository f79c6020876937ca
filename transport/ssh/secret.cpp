#include "transport/ssh/secret.h"

#include <openssl/crypto.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace transport {
namespace {

constexpr std::size_t kPage = 4096;

}  // namespace

Secret::Secret() {
  void* memory = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  page_ = static_cast<char*>(memory);
  mlock(page_, kPage);  // May be refused by a limit; wiping still holds.
  madvise(page_, kPage, MADV_DONTDUMP);
}

Secret::Secret(std::string_view text) : Secret() {
  append(text);
}

Secret::~Secret() {
  if (page_ == nullptr) return;
  clear();
  munmap(page_, kPage);
}

Secret::Secret(Secret&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
  std::swap(page_, other.page_);
  std::swap(size_, other.size_);
  return *this;
}

void Secret::append(std::string_view text) {
  const std::size_t count = std::min(text.size(), kLongest - size_);
  std::memcpy(page_ + size_, text.data(), count);
  size_ += count;
}

void Secret::remove_last() {
  if (size_ > 0) page_[--size_] = '\0';
}

void Secret::clear() {
  OPENSSL_cleanse(page_, kPage);
  size_ = 0;
}

WipedText::~WipedText() {
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace transport
