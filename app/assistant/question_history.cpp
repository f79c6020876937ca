#include "app/assistant/question_history.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "panel/input_history.h"

namespace app {

using Json = nlohmann::json;

QuestionHistory::QuestionHistory(const std::string& state_directory, Redact redact)
    : file_(state_directory + "/history", {.lines = panel::InputHistory::kMost, .bytes = 1024 * 1024}),
      redact_(std::move(redact)) {}

base::Result<std::vector<std::string>> QuestionHistory::load() const {
  const auto lines = file_.load();
  if (!lines) return base::fail(lines.error());
  std::vector<std::string> questions;
  for (const auto& line : *lines) {
    // Each line is a JSON string: a question may have many lines.
    const Json question = Json::parse(line, nullptr, false);
    if (question.is_string()) questions.push_back(question.get<std::string>());
  }
  return questions;
}

base::Result<void> QuestionHistory::add(std::string_view question) const {
  if (question.size() > panel::InputHistory::kLongest) return {};
  return file_.append(Json(redact_(question)).dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace app
