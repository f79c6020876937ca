#pragma once

#include <functional>
#include <memory>

#include "model/dialect.h"

namespace model {

/// A client for a model behind HTTP: the provider's dialect on the common machinery.
class HttpModelClient : public ModelClient {
 public:
  /// `random` gives the jitter of waits, in [0, 1); empty: the machine's.
  HttpModelClient(event::EventLoop& loop, std::shared_ptr<Dialect> dialect, std::function<double()> random = {});

  std::unique_ptr<Stream> start(Request request, Events events) override;

 private:
  event::EventLoop& loop_;
  std::shared_ptr<http::Client> http_;  ///< Shared: a stream may outlive its client.
  std::shared_ptr<Dialect> dialect_;
  std::function<double()> random_;
};

}  // namespace model
