#include "app/version.h"

namespace app {

std::string_view version() {
  return JMS_VERSION;
}

}  // namespace app
