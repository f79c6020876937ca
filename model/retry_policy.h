#pragma once

#include <chrono>
#include <ctime>
#include <optional>
#include <string_view>

#include "http/client.h"
#include "model/settings.h"
#include "model/turn.h"

namespace model {

/// Whether a failed request is worth repeating: the server's own word first, then status and kind.
bool worth_repeating(const TurnError& error, const http::Head* head);

/// How long to wait before repeat number `retries_done` + 1. What the server asks for, else growing with jitter.
/// `random` is in [0, 1). Nothing when the server asks for more patience than an operator at a terminal has.
std::optional<std::chrono::milliseconds> wait_before_repeat(const http::Head* head, int retries_done,
                                                            const Timing& timing, double random, std::time_t now);

}  // namespace model
