#include "transport/jumpserver/koko_frames.h"

#include <gtest/gtest.h>

#include "transport/jumpserver/koko_transport.h"

namespace transport::jumpserver {
namespace {

using Kind = KokoFrame::Kind;

std::string envelope(int type, const std::string& payload) {
  const auto size = payload.size();
  return std::string{'\x01',
                     static_cast<char>(type),
                     static_cast<char>(size >> 24),
                     static_cast<char>(size >> 16),
                     static_cast<char>(size >> 8),
                     static_cast<char>(size)} +
         payload;
}

KokoCodec in_envelope() {
  KokoCodec codec;
  codec.read(MessageKind::binary, envelope(3, R"({"command":"CONNECT","params":{"id":"7c0e"}})"));
  codec.read(MessageKind::binary, envelope(3, R"({"terminalId":1,"command":"created","requestId":"jms-1"})"));
  return codec;
}

TEST(KokoFrames, TheFirstFrameTellsTheDialect) {
  KokoCodec json;
  EXPECT_EQ(json.read(MessageKind::binary, "early bytes").kind, Kind::nothing);
  EXPECT_EQ(json.dialect(), KokoDialect::unknown);
  EXPECT_EQ(json.read(MessageKind::text, R"({"id":"7c0e","type":"CONNECT","data":"{}"})").message.type, "CONNECT");
  EXPECT_EQ(json.dialect(), KokoDialect::json);
  EXPECT_EQ(in_envelope().dialect(), KokoDialect::envelope);
}

TEST(KokoFrames, InJsonTheIdIsRepeatedAndBytesAreBytes) {
  KokoCodec codec;
  codec.read(MessageKind::text, R"({"id":"7c0e","type":"CONNECT","data":"{}","raw":null,"err":""})");
  EXPECT_EQ(codec.open_terminal({40, 120}).bytes,
            R"({"id":"7c0e","type":"TERMINAL_INIT","data":"{\"cols\":120,\"rows\":40,\"code\":\"\"}"})");
  EXPECT_EQ(codec.resize({30, 100}).bytes,
            R"({"id":"7c0e","type":"TERMINAL_RESIZE","data":"{\"cols\":100,\"rows\":30}"})");
  EXPECT_EQ(codec.ping().bytes, R"({"id":"","type":"PING","data":""})");
  const auto typed = codec.input("ls\r\xff");
  ASSERT_EQ(typed.size(), 1u);
  EXPECT_EQ(typed[0].kind, MessageKind::binary);
  EXPECT_EQ(typed[0].bytes, "ls\r\xff");
  const auto output = codec.read(MessageKind::binary, "\x1b[0m bytes");
  EXPECT_EQ(output.kind, Kind::output);
  EXPECT_EQ(output.output, "\x1b[0m bytes");
  EXPECT_EQ(codec.read(MessageKind::binary, "").kind, Kind::nothing);
}

TEST(KokoFrames, InTheEnvelopeTheReferencesExampleIsMet) {
  const KokoCodec codec = in_envelope();
  const auto typed = codec.input("ls\r");
  ASSERT_EQ(typed.size(), 1u);
  EXPECT_EQ(typed[0].bytes, std::string("\x01\x01\x00\x00\x00\x07\x00\x00\x00\x01ls\r", 13));
}

TEST(KokoFrames, TheEnvelopeIsReadStrictly) {
  KokoCodec codec = in_envelope();
  const std::string good = envelope(2, std::string("\0\0\0\1output", 10));
  EXPECT_EQ(codec.read(MessageKind::binary, good).output, "output");
  EXPECT_EQ(codec.read(MessageKind::binary, good + "x").kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::binary, good.substr(0, good.size() - 1)).kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::binary, "\x02" + good.substr(1)).kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::text, good).kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::binary, envelope(2, std::string("\0\0\0\2other", 9))).kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::binary, envelope(2, std::string("\0\0\0\1", 4))).kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::binary, envelope(7, R"({"terminalId":1,"reason":"idle_disconnect"})")).message.data,
            "idle_disconnect");
  EXPECT_EQ(codec.read(MessageKind::binary, envelope(7, R"({"terminalId":9,"reason":"x"})")).kind, Kind::nothing);
  EXPECT_EQ(codec.read(MessageKind::binary, envelope(4, R"({"code":500,"message":"no"})")).message.error, "no");
  EXPECT_EQ(codec.read(MessageKind::binary, envelope(5, R"({"chat":1})")).kind, Kind::nothing);
}

TEST(KokoFrames, WhatIsNoMessageIsPassedOver) {
  KokoCodec codec;
  codec.read(MessageKind::text, R"({"id":"x","type":"CONNECT"})");
  for (const char* text : {"", "{", "[]", "null", R"({"type":7})", R"({"data":"x"})", "\xff\xfe"})
    EXPECT_EQ(codec.read(MessageKind::text, text).kind, Kind::nothing) << text;
  EXPECT_EQ(codec.read(MessageKind::text, R"({"type":"X","data":{"not":"a string"}})").message.data, "");
  const std::string deep = R"({"type":"X","a":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  codec.read(MessageKind::text, deep);
}

TEST(KokoFrames, PiecesCutNoCharacter) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 3 ? "字" : "aé😀";
  std::string joined;
  for (const auto piece : whole_character_pieces(text, 1024)) {
    EXPECT_LE(piece.size(), 1024u);
    EXPECT_NE(static_cast<unsigned char>(piece.front()) & 0xc0, 0x80);
    joined += piece;
  }
  EXPECT_EQ(joined, text);
  const std::string junk(5000, '\x80');
  std::string back;
  for (const auto piece : whole_character_pieces(junk, 1024)) back += piece;
  EXPECT_EQ(back, junk);
}

}  // namespace
}  // namespace transport::jumpserver
