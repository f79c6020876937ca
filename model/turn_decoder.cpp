#include "model/turn_decoder.h"

#include <utility>

namespace model {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::size_t kMaxLeadingBlanks = 64 * 1024;

/// The title of a web page, for the error message: often it says which proxy or gateway it is.
std::string page_title(std::string_view page) {
  const auto open = page.find("<title>");
  const auto close = page.find("</title>");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 7) return {};
  return one_line(page.substr(open + 7, close - open - 7), 100);
}

}  // namespace

TurnDecoder::TurnDecoder(TurnSink sink, TurnLimits limits)
    : sink_(std::move(sink)),
      limits_(limits),
      parser_(
          [this](const SseEvent& event) {
            if (!finished()) on_event(event);
          },
          limits.event) {}

void TurnDecoder::feed(std::string_view bytes) {
  if (finished()) return;
  if (form_ == Form::stream) return feed_stream(bytes);
  if (form_ == Form::body) return feed_body(bytes);
  body_.append(bytes);
  decide_form();
  if (form_ == Form::stream) {
    const std::string held = std::exchange(body_, {});
    feed_stream(held);
  } else if (form_ == Form::body) {
    const std::string held = std::exchange(body_, {});
    feed_body(held);
  }
}

void TurnDecoder::decide_form() {
  std::string_view start = body_;
  if (start.size() < kBom.size() && kBom.starts_with(start)) return;
  if (start.starts_with(kBom)) start.remove_prefix(kBom.size());
  const auto first = start.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    if (start.size() > kMaxLeadingBlanks) form_ = Form::stream;
    return;
  }
  // No line of an event stream begins like JSON, a web page or gzip.
  const char byte = start[first];
  form_ = byte == '{' || byte == '[' || byte == '<' || byte == '\x1F' ? Form::body : Form::stream;
}

void TurnDecoder::feed_stream(std::string_view bytes) {
  const auto fed = parser_.feed(bytes);
  if (!fed && !finished()) fail(ErrorKind::protocol, "event_too_large", fed.error().message);
}

void TurnDecoder::feed_body(std::string_view bytes) {
  if (keep(bytes.size())) body_.append(bytes);
}

Turn TurnDecoder::finish() {
  if (form_ == Form::body && !finished()) finish_body();
  complete();
  if (turn_.error) {
    turn_.outcome = Outcome::error;
    for (auto& use : turn_.tool_uses) use.executable = false;
    turn_.replay.clear();
  }
  return std::move(turn_);
}

void TurnDecoder::finish_body() {
  const auto first = body_.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const char byte = first == std::string::npos ? ' ' : body_[first];
  if (byte == '<') {
    const std::string title = page_title(body_);
    return fail(ErrorKind::protocol, "not_an_event_stream",
                "the server answered with a web page" + (title.empty() ? "" : " (\"" + title + "\")") +
                    " instead of a model's answer; check base_url and the proxy");
  }
  if (byte == '\x1F')
    return fail(ErrorKind::protocol, "not_an_event_stream",
                "the server sent compressed data without saying so; check the proxy in between");
  const auto parsed = parse_json(std::string_view(body_).substr(first));
  if (!parsed || !parsed->is_object())
    return fail(ErrorKind::protocol, "not_an_event_stream",
                "the server's answer is neither an event stream nor complete JSON; check base_url and the proxy");
  if (member(*parsed, "error") || string_at(*parsed, "type") == "error") return fail_with_wire(*parsed);
  on_whole_answer(*parsed);
  if (!finished()) fail_with_wire(*parsed);
}

void TurnDecoder::fail(ErrorKind kind, std::string type, std::string message) {
  if (turn_.error) return;
  turn_.error = TurnError{kind, std::move(type), std::move(message)};
}

void TurnDecoder::fail_with_wire(const Json& error) {
  const Json* inner = member(error, "error");
  const Json& subject = inner ? *inner : error;
  std::string type(string_at(subject, "type"));
  std::string message(string_at(subject, "message"));
  if (const auto code = string_at(subject, "code"); !code.empty()) type = code;
  if (subject.is_string()) message = subject.get<std::string>();
  if (message.empty()) message = dump_json(subject);
  if (type.empty()) type = "server_error";
  message = one_line(message);
  const auto status = number_at(subject, "code").value_or(0);
  const ErrorKind kind = error_kind(type, status >= 400 && status < 600 ? static_cast<int>(status) : 0, message);
  if (const Json* text = member(subject, "failed_generation")) turn_.failed_generation = *text;
  fail(kind, one_line(type, 80), std::move(message));
}

std::optional<Json> TurnDecoder::parse_event(std::string_view data) {
  damaged_event_ = false;
  auto parsed = parse_json(data);
  if (!parsed && data.find("\\u") != std::string_view::npos) {
    parsed = parse_json(without_lone_surrogates(data));
    damaged_event_ = parsed.has_value();
  }
  if (parsed && parsed->is_object()) return parsed;
  fail(ErrorKind::protocol, "invalid_json",
       "the server sent an event that is not a JSON object: " + one_line(data.substr(0, 400), 80));
  return std::nullopt;
}

void TurnDecoder::show_text(std::string_view text) {
  if (text.empty() || !keep(text.size())) return;
  turn_.text.append(text);
  if (sink_.text) sink_.text(text);
}

void TurnDecoder::show_thinking(std::string_view text) {
  if (text.empty() || !keep(text.size())) return;
  turn_.thinking.append(text);
  if (sink_.thinking) sink_.thinking(text);
}

void TurnDecoder::show_tool_use(const ToolUse& use) const {
  if (sink_.tool_use) sink_.tool_use(use);
}

void TurnDecoder::show_usage() const {
  if (sink_.usage) sink_.usage(turn_.usage);
}

bool TurnDecoder::keep(std::size_t bytes) {
  kept_ += bytes;
  if (kept_ <= limits_.turn) return true;
  fail(ErrorKind::protocol, "response_too_large",
       "the answer grew beyond " + std::to_string(limits_.turn >> 20) + " MB and was given up");
  return false;
}

}  // namespace model
