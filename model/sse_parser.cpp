#include "model/sse_parser.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "model/utf8_clean.h"

namespace model {
namespace {

const char* find_byte(const char* from, const char* end, char wanted) {
  const void* found = from == end ? nullptr : std::memchr(from, wanted, static_cast<std::size_t>(end - from));
  return found ? static_cast<const char*>(found) : end;
}

std::optional<long> all_digits(std::string_view text) {
  long value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc() || rest != text.data() + text.size())
    return std::nullopt;
  return value;
}

}  // namespace

SseParser::SseParser(OnEvent on_event, std::size_t max_event) : on_event_(std::move(on_event)), max_event_(max_event) {}

base::Result<void> SseParser::feed(std::string_view bytes) {
  if (!too_big_) {
    split_lines(without_bom(bytes));
    keep_pending_data();
  }
  if (too_big_)
    return base::fail("the server sent one event of more than " + std::to_string(max_event_) +
                      " bytes; the response was given up");
  return {};
}

std::string_view SseParser::without_bom(std::string_view bytes) {
  // Bytes that may be a mark wait in `line_`: if they turn out not to be one, that is where they belong.
  while (bom_matched_ >= 0 && !bytes.empty()) {
    if (bytes.front() != kBom[static_cast<std::size_t>(bom_matched_)]) {
      bom_matched_ = -1;
      break;
    }
    line_.push_back(bytes.front());
    bytes.remove_prefix(1);
    if (++bom_matched_ == static_cast<int>(kBom.size())) {
      line_.clear();
      bom_matched_ = -1;
    }
  }
  return bytes;
}

void SseParser::split_lines(std::string_view bytes) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  if (at == end) return;
  if (std::exchange(swallow_lf_, false) && *at == '\n') ++at;

  // Both searches are remembered, so that a stream without any CR (or LF) is still scanned once.
  const char* lf = find_byte(at, end, '\n');
  const char* cr = find_byte(at, end, '\r');
  while (at < end && !too_big_) {
    const char* const eol = std::min(lf, cr);
    const std::string_view line(at, static_cast<std::size_t>(eol - at));
    if (eol == end) return keep_partial_line(line);

    if (in_comment_) {
      in_comment_ = false;
    } else if (line_.empty()) {
      take_line(line, Storage::piece);
    } else {
      line_.append(line);
      take_line(line_, Storage::own);
      line_.clear();
    }
    at = eol + 1;
    if (eol == cr) {
      if (at == end)
        swallow_lf_ = true;
      else if (*at == '\n')
        ++at;
    }
    if (lf < at) lf = find_byte(at, end, '\n');
    if (cr < at) cr = find_byte(at, end, '\r');
  }
}

void SseParser::keep_partial_line(std::string_view rest) {
  if (in_comment_) return;
  const char first = line_.empty() ? rest.front() : line_.front();
  if (first == ':') {
    in_comment_ = true;
    line_.clear();
    return;
  }
  if (line_.size() + rest.size() > max_event_) {
    too_big_ = true;
    return;
  }
  line_.append(rest);
}

void SseParser::take_line(std::string_view line, Storage storage) {
  if (line.empty()) return dispatch();
  if (line.front() == ':') return;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return take_field(line, {}, storage);
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  take_field(line.substr(0, colon), value, storage);
}

void SseParser::take_field(std::string_view name, std::string_view value, Storage storage) {
  if (name == "data") {
    add_data(value, storage);
  } else if (name == "event") {
    type_.assign(value.substr(0, max_event_));
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos && value.size() <= max_event_) id_buffer_.assign(value);
  } else if (name == "retry") {
    if (const auto digits = all_digits(value)) retry_ = digits;
  }
}

void SseParser::add_data(std::string_view value, Storage storage) {
  const std::size_t held = data_view_.data() ? data_view_.size() : data_.size();
  if (held + value.size() + 1 > max_event_) {
    too_big_ = true;
    return;
  }
  if (data_lines_++ == 0) {
    if (storage == Storage::piece && value.data())
      data_view_ = value;
    else
      data_.assign(value);
    return;
  }
  keep_pending_data();
  data_.push_back('\n');
  data_.append(value);
}

void SseParser::keep_pending_data() {
  if (!data_view_.data()) return;
  data_.assign(data_view_);
  data_view_ = {};
}

void SseParser::dispatch() {
  last_id_ = id_buffer_;
  if (data_lines_ > 0) {
    const std::string_view raw = data_view_.data() ? data_view_ : std::string_view(data_);
    const std::string_view data = valid_utf8(raw, clean_);
    on_event_({type_.empty() ? std::string_view("message") : std::string_view(type_), data});
  }
  data_lines_ = 0;
  data_view_ = {};
  data_.clear();
  type_.clear();
}

}  // namespace model
