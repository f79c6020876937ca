#pragma once

namespace support {

/// A TCP port of the loopback that nothing listens on, and that no other test is given while this program runs.
int free_port();

}  // namespace support
