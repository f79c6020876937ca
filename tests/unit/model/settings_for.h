#pragma once

#include <string>

#include "model/settings.h"

namespace model {

/// Settings that name a model and nothing else.
inline Settings settings_for(const std::string& model) {
  Settings settings;
  settings.model = model;
  return settings;
}

}  // namespace model
