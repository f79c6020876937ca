// How fast responses are decoded: MB/s, nanoseconds and allocations per delta, on 20 MB streams of recorded shape.
// `bench_model --write DIR` only writes the streams, for the comparison with Node in bench/model/run.

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

#include "model/debug_stream.h"

namespace {

std::atomic<long> allocations{0};

constexpr std::size_t kStreamSize = 20u << 20;
constexpr std::size_t kPiece = 16 * 1024;  // what libcurl hands out

/// A word-sized piece of an answer, escaped as a server would.
std::string word(std::size_t number) {
  static const char* words[] = {"The",   " disk",        " is",   " 97%", " full", ":\\n",    " `/var/log`", " holds",
                                " most", " \\\"old\\\"", " logs", ".",    " 磁盘", "\\n\\n-", " \\u2026",    " rotate"};
  return words[number % 16];
}

struct Stream {
  std::string body;
  long deltas = 0;
};

Stream anthropic_stream() {
  Stream stream;
  const auto event = [&](const std::string& type, const std::string& rest) {
    stream.body += "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + rest + "}\n\n";
  };
  event("message_start",
        R"(,"message":{"id":"m","model":"c","content":[],"usage":{"input_tokens":9,"output_tokens":1}})");
  event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})");
  while (stream.body.size() < kStreamSize) {
    const auto number = static_cast<std::size_t>(stream.deltas++);
    event("content_block_delta",
          R"(,"index":0,"delta":{"type":"text_delta","text":")" + word(number) + "\"}" + std::string(number % 9, ' '));
  }
  event("content_block_stop", R"(,"index":0)");
  event("message_delta", R"(,"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9})");
  event("message_stop", "");
  return stream;
}

Stream openai_stream() {
  Stream stream;
  const auto chunk = [&](const std::string& delta, const std::string& finish) {
    stream.body +=
        R"(data: {"id":"chatcmpl-B7","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{)" +
        delta + R"(},"finish_reason":)" + finish + "}]}\n\n";
  };
  while (stream.body.size() < kStreamSize)
    chunk(R"("content":")" + word(static_cast<std::size_t>(stream.deltas++)) + "\"", "null");
  chunk("", "\"stop\"");
  stream.body += "data: [DONE]\n\n";
  return stream;
}

const Stream& stream_of(model::Api api) {
  static const Stream anthropic = anthropic_stream(), openai = openai_stream();
  return api == model::Api::anthropic ? anthropic : openai;
}

void decode(benchmark::State& state, model::Api api) {
  const Stream& stream = stream_of(api);
  long allocated = 0, delivered = 0;
  for (auto _ : state) {
    const long before = allocations;
    const auto decoder = model::make_decoder(api, {[&](std::string_view) { ++delivered; }, {}, {}, {}});
    for (std::size_t at = 0; at < stream.body.size(); at += kPiece)
      decoder->feed(std::string_view(stream.body).substr(at, kPiece));
    const model::Turn turn = decoder->finish();
    allocated += allocations - before;
    if (turn.outcome != model::Outcome::complete || turn.text.empty()) state.SkipWithError("did not decode");
  }
  const auto runs = static_cast<double>(state.iterations());
  state.SetBytesProcessed(static_cast<long>(stream.body.size()) * static_cast<long>(state.iterations()));
  state.counters["per_delta"] = benchmark::Counter(static_cast<double>(stream.deltas) * runs,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["allocations_per_delta"] =
      static_cast<double>(allocated) / (static_cast<double>(stream.deltas) * runs);
  state.counters["delivered"] = static_cast<double>(delivered) / runs;
}

void anthropic_text(benchmark::State& state) {
  decode(state, model::Api::anthropic);
}
void openai_text(benchmark::State& state) {
  decode(state, model::Api::openai);
}
/// From the last byte of an event to its delivery.
void last_byte_to_event(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const std::string event =
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
      "\"delta\":{\"type\":\"text_delta\",\"text\":\" holds\"}}\n\n";
  const std::string_view all_but_last(event.data(), event.size() - 1);
  Clock::time_point delivered;
  auto decoder =
      model::make_decoder(model::Api::anthropic, {[&](std::string_view) { delivered = Clock::now(); }, {}, {}, {}});
  const std::string& body = stream_of(model::Api::anthropic).body;
  decoder->feed(std::string_view(body).substr(0, body.find("event: content_block_delta")));
  for (auto _ : state) {
    decoder->feed(all_but_last);
    const auto start = Clock::now();
    decoder->feed("\n");
    state.SetIterationTime(std::chrono::duration<double>(delivered - start).count());
  }
}

BENCHMARK(last_byte_to_event)->UseManualTime()->Iterations(100'000);
// By the wall clock, as the loop in Node is timed.
BENCHMARK(anthropic_text)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(openai_text)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--write") {
    std::ofstream(std::string(argv[2]) + "/anthropic.sse") << stream_of(model::Api::anthropic).body;
    std::ofstream(std::string(argv[2]) + "/openai.sse") << stream_of(model::Api::openai).body;
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
