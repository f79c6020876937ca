#include "remote_exec/recorder.h"

namespace remote_exec {

Recorder::Recorder(const OutputStore::Options& store, std::string_view encoding, std::string typed_mark,
                   std::function<void(std::string_view)> live, std::shared_ptr<OutputFilter> filter)
    : cleaner_(encoding),
      store_(store),
      typed_mark_(std::move(typed_mark)),
      live_(std::move(live)),
      filter_(std::move(filter)) {}

void Recorder::add(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  cleaner_.feed(raw, text);
  keep(std::move(text));
}

void Recorder::finish() {
  std::string text;
  cleaner_.finish(text);
  keep(std::move(text));
}

void Recorder::add_text(std::string_view text) {
  keep(std::string(text));
}

void Recorder::drop_current_line() {
  std::string ignored;
  cleaner_.finish(ignored);
}

void Recorder::keep(std::string text) {
  if (!typed_mark_.empty()) drop_our_lines(text);
  store(filter_ ? filter_->feed(text) : std::move(text));
}

/// A line that shows our own wrapper (set -x, set -v) is no output of the command.
void Recorder::drop_our_lines(std::string& text) const {
  for (auto at = text.find(typed_mark_); at != std::string::npos; at = text.find(typed_mark_)) {
    const auto before = text.rfind('\n', at);
    const auto from = before == std::string::npos ? 0 : before + 1;
    const auto end = text.find('\n', at);
    text.erase(from, end == std::string::npos ? std::string::npos : end + 1 - from);
  }
}

void Recorder::store(std::string text) {
  if (text.empty()) return;
  store_.append(text);
  if (live_) live_(text);
}

void Recorder::fill(CommandResult& result) {
  if (filter_) store(filter_->finish());
  result.output = store_.text();
  result.truncated = store_.truncated();
  result.total_bytes = store_.total_bytes();
  result.output_id = store_.file_id();
  result.kept_bytes = store_.kept_bytes();
}

}  // namespace remote_exec
