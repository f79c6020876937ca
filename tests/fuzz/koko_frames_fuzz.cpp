// koko's frames in both dialects: any bytes, any order. Each record of the input is one WebSocket message: a byte for
// its kind, two for its length.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/known_good.h"
#include "transport/jumpserver/koko_frames.h"
#include "transport/jumpserver/koko_transport.h"

bool fuzz::takes_known_good() {
  transport::jumpserver::KokoCodec codec;
  const auto frame = codec.read(transport::MessageKind::text, R"({"id":"7c0e","type":"CONNECT","data":"{}"})");
  return frame.message.type == "CONNECT" && codec.read(transport::MessageKind::binary, "output").output == "output";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace koko = transport::jumpserver;
  koko::KokoCodec codec;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (rest.size() >= 3) {
    const auto kind = rest[0] & 1 ? transport::MessageKind::binary : transport::MessageKind::text;
    const std::size_t length = static_cast<unsigned char>(rest[1]) * 256u + static_cast<unsigned char>(rest[2]);
    const std::string_view message = rest.substr(3, length);
    rest.remove_prefix(3 + message.size());
    const koko::KokoFrame frame = codec.read(kind, message);
    // Output is always a part of what came, and never empty.
    if (frame.kind == koko::KokoFrame::Kind::output &&
        (frame.output.empty() || frame.output.data() < message.data() ||
         frame.output.data() + frame.output.size() > message.data() + message.size()))
      std::abort();
    koko::koko_end(frame.message.data);
    std::size_t pieces = 0;
    for (const auto piece : koko::whole_character_pieces(message, 16)) {
      if (piece.empty() || piece.size() > 16) std::abort();
      pieces += piece.size();
    }
    if (pieces != message.size()) std::abort();
    if (codec.dialect() != koko::KokoDialect::unknown) {
      codec.open_terminal({24, 80});
      codec.input(message);
    }
  }
  return 0;
}
