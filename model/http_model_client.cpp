#include "model/http_model_client.h"

#include <random>
#include <utility>

#include "model/request_run.h"

namespace model {
namespace {

/// What the caller holds of a run.
class RunningStream : public ModelClient::Stream {
 public:
  explicit RunningStream(std::shared_ptr<RequestRun> run) : run_(std::move(run)) { run_->start(); }
  ~RunningStream() override { run_->drop(); }

 private:
  std::shared_ptr<RequestRun> run_;
};

double machine_random() {
  static std::mt19937 engine{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

}  // namespace

HttpModelClient::HttpModelClient(event::EventLoop& loop, std::shared_ptr<Dialect> dialect,
                                 std::function<double()> random)
    : loop_(loop),
      http_(std::make_shared<http::Client>(loop)),
      dialect_(std::move(dialect)),
      random_(random ? std::move(random) : machine_random) {}

std::unique_ptr<ModelClient::Stream> HttpModelClient::start(Request request, Events events) {
  return std::make_unique<RunningStream>(
      std::make_shared<RequestRun>(loop_, http_, dialect_, std::move(request), std::move(events), random_));
}

}  // namespace model
