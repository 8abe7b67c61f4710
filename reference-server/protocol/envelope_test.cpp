#include "protocol/envelope.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::reference {
namespace {

namespace json = boost::json;

std::variant<Envelope, ProtocolError> Read(std::string_view meta) {
  static json::object params;
  params = json::object{{"_meta", json::parse(meta)}};
  return ReadEnvelope(&params);
}

struct Refusal {
  const char* meta;
  ErrorCode code;
  const char* names;
};

TEST(ReadEnvelope, RefusesAndNamesTheKey) {
  const Refusal refusals[] = {
      {"{}", ErrorCode::kInvalidParams, "protocolVersion"},
      {"[]", ErrorCode::kInvalidParams, "protocolVersion"},
      {R"({"io.modelcontextprotocol/protocolVersion":20260728})", ErrorCode::kInvalidParams,
       "protocolVersion"},
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})", ErrorCode::kInvalidParams,
       "clientCapabilities"},
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":[]})",
       ErrorCode::kInvalidParams, "clientCapabilities"},
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":{"sampling":true}})",
       ErrorCode::kInvalidParams, "clientCapabilities"},
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":{},)"
       R"("io.modelcontextprotocol/clientInfo":{"name":"x"}})",
       ErrorCode::kInvalidParams, "clientInfo"},
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":{},)"
       R"("io.modelcontextprotocol/logLevel":"verbose"})",
       ErrorCode::kInvalidParams, "logLevel"},
      {R"({"io.modelcontextprotocol/protocolVersion":"2025-11-25",)"
       R"("io.modelcontextprotocol/clientCapabilities":{}})",
       ErrorCode::kUnsupportedProtocolVersion, "version"},
  };
  for (const Refusal& refusal : refusals) {
    const auto envelope = Read(refusal.meta);
    ASSERT_TRUE(std::holds_alternative<ProtocolError>(envelope)) << refusal.meta;
    const auto& error = std::get<ProtocolError>(envelope);
    EXPECT_EQ(error.code, refusal.code) << refusal.meta;
    EXPECT_NE(error.message.find(refusal.names), std::string::npos) << error.message;
  }
}

TEST(ReadEnvelope, TakesWhatIsCompleteAndIgnoresWhatItDoesNotKnow) {
  const auto envelope = Read(R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{"x-new":1},)"
                             R"("io.modelcontextprotocol/logLevel":"error",)"
                             R"("io.modelcontextprotocol/unknown":[1,null]})");
  ASSERT_TRUE(std::holds_alternative<Envelope>(envelope));
  EXPECT_EQ(std::get<Envelope>(envelope).log_level, LogLevel::kError);
}

}  // namespace
}  // namespace assay::reference
