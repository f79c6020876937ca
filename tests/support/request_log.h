#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace test_server {

/// What was asked of a server, and when: from the moment a request had arrived to the moment its answer was sent. With
/// a latency on the answers (CoreServer::Site::latency) requests that were under way together overlap; those that
/// waited for each other do not.
class RequestLog {
 public:
  using Clock = std::chrono::steady_clock;

  struct Entry {
    std::string method;
    std::string path;  ///< Without the query.
    Clock::time_point begin, end;
  };

  void add(std::string method, const std::string& target, std::chrono::milliseconds taken);
  void clear() { entries_.clear(); }
  const std::vector<Entry>& entries() const { return entries_; }

  /// The longest chain of requests each of which came after the answer to the one before: round trips in a row. Without
  /// a latency every request counts.
  int in_a_row() const;
  /// "GET /api/v1/… +0 ms, 50 ms", a line each, for a failing test.
  std::string text() const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace test_server
