#pragma once

#include <memory>
#include <utility>

#include "transport/transport.h"

namespace support {

/// Another transport as it is; what stands in between replaces what it has to say about.
class PassingTransport : public transport::Transport {
 public:
  explicit PassingTransport(std::unique_ptr<Transport> inner) : inner_(std::move(inner)) {}

  void start(Events events) override { inner_->start(std::move(events)); }
  void send(std::string_view bytes) override { inner_->send(bytes); }
  std::size_t unsent() const override { return inner_->unsent(); }
  void resize(base::Size size) override { inner_->resize(size); }
  void pause_reading() override { inner_->pause_reading(); }
  void resume_reading() override { inner_->resume_reading(); }
  void close() override { inner_->close(); }

 protected:
  std::unique_ptr<Transport> inner_;
};

}  // namespace support
