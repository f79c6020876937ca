#pragma once

#include <string>
#include <string_view>

namespace terminal {

/// The bytes without the sequences that make a terminal answer (DA, DSR, DECRQM, colour and title reports…).
///
/// What arrived while the panel was open has been answered by the shadow; when it is replayed to the real terminal
/// the remote must not get a second answer. `bytes` begins between sequences; one cut off at the end is kept.
std::string without_queries(std::string_view bytes);

}  // namespace terminal
