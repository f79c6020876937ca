#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/debug_stream.h"
#include "model/history_repair.h"

/// True when a stream that says "well" comes to just that.
inline bool decodes(model::Api api, std::string_view body) {
  const auto decoder = model::make_decoder(api, {});
  decoder->feed(body);
  const model::Turn turn = decoder->finish();
  return turn.ok() && turn.text == "well";
}

/// Aborts when the turn depends on where the bytes are cut, when something unfinished may run, or when the history
/// breaks.
inline void check_decoder(model::Api api, std::string_view body) {
  const model::TurnLimits limits{.event = 64 * 1024, .turn = 1 << 20};
  const auto decode = [&](std::size_t piece) {
    const auto decoder = model::make_decoder(api, {}, limits);
    for (std::size_t at = 0; at < body.size(); at += piece) decoder->feed(body.substr(at, piece));
    return decoder->finish();
  };
  const model::Turn whole = decode(body.size() + 1);
  const std::size_t piece = 1 + (body.empty() ? 0 : static_cast<unsigned char>(body.front()) % 7);
  if (model::describe(whole) != model::describe(decode(piece))) std::abort();
  for (const auto& use : whole.tool_uses)
    if (use.executable && (!whole.ok() || !use.input.is_object() || use.name.empty())) std::abort();
  if (!whole.ok() && !whole.replay.empty()) std::abort();
  const auto once = model::repaired({model::user_message("q"), whole.message()}, api);
  if (model::repaired(once, api) != once) std::abort();
}
