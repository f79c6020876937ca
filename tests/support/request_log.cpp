#include "tests/support/request_log.h"

#include <algorithm>
#include <utility>

namespace test_server {

void RequestLog::add(std::string method, const std::string& target, std::chrono::milliseconds taken) {
  const auto now = Clock::now();
  entries_.push_back({std::move(method), target.substr(0, target.find('?')), now, now + taken});
}

int RequestLog::in_a_row() const {
  // The most intervals that do not overlap: take the one that ends first, again and again.
  std::vector<Entry> by_end = entries_;
  std::stable_sort(by_end.begin(), by_end.end(), [](const Entry& a, const Entry& b) { return a.end < b.end; });
  int count = 0;
  Clock::time_point answered{};
  for (const auto& entry : by_end) {
    if (count > 0 && entry.begin < answered) continue;
    ++count;
    answered = entry.end;
  }
  return count;
}

std::string RequestLog::text() const {
  std::string lines;
  for (const auto& entry : entries_) {
    const auto milliseconds = [](Clock::duration time) {
      return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
    };
    lines += entry.method + " " + entry.path + " +" + milliseconds(entry.begin - entries_.front().begin) + " ms, " +
             milliseconds(entry.end - entry.begin) + " ms\n";
  }
  return lines;
}

}  // namespace test_server
