#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "remote_exec/output_store.h"
#include "safety/redactor.h"

namespace app {

/// Whether a command holds a placeholder such as <secret:password:1>.
bool names_secret(std::string_view command);

/// The command with the placeholders of `origin`'s secrets replaced by their values, each quoted for its place, so that
/// no value can become shell syntax: values come from the remote host, and nobody has seen them.
base::Result<std::string> with_secrets(std::string_view command, const safety::SecretBook& book,
                                       std::string_view origin);

/// Masks a command's output while it comes, before it is kept anywhere.
class RedactingFilter final : public remote_exec::OutputFilter {
 public:
  RedactingFilter(const safety::Redactor& redactor, safety::SecretBook& book, std::string origin)
      : stream_(redactor, book, std::move(origin)) {}

  std::string feed(std::string_view text) override { return stream_.feed(text); }
  std::string finish() override { return stream_.finish(); }

 private:
  safety::StreamRedactor stream_;
};

}  // namespace app
