#include "message/message.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(MessageTest, TellsKindsApart) {
  using Kind = Message::Kind;
  const std::pair<const char*, Kind> kCases[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", Kind::kRequest},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", Kind::kRequest},
      {R"({"jsonrpc":"2.0","method":"ping"})", Kind::kNotification},
      {R"({"jsonrpc":"2.0","id":1,"result":{}})", Kind::kResult},
      {R"({"result":null})", Kind::kResult},
      {R"({"jsonrpc":"2.0","id":1,"error":{}})", Kind::kError},
      {R"({"id":1,"result":{},"error":{}})", Kind::kError},
      {R"({"jsonrpc":"2.0","id":1})", Kind::kOther},
      {"[]", Kind::kBatch},
      {"1", Kind::kOther},
      {"", Kind::kNotJson},
      {"Server started", Kind::kNotJson},
  };
  for (const auto& [text, kind] : kCases) {
    EXPECT_EQ(ParseMessage(text).kind, kind) << text;
  }
}

TEST(MessageTest, GivesAccessToMembers) {
  const Message request = ParseMessage(R"({"id":"7","method":"m","params":{"a":1}})");
  EXPECT_EQ(request.id()->text(), "7");
  EXPECT_EQ(request.method(), "m");
  EXPECT_EQ(request.params()->Dump(), R"({"a":1})");
  EXPECT_FALSE(request.is_response());

  const Message error = ParseMessage(R"({"id":null,"error":{"code":-32700}})");
  ASSERT_NE(error.id(), nullptr) << "an id that is null is there";
  EXPECT_TRUE(error.id()->is_null());
  EXPECT_TRUE(error.is_response());
  EXPECT_EQ(error.result(), nullptr);

  EXPECT_EQ(ParseMessage(R"({"method":5})").method(), "");
  EXPECT_EQ(ParseMessage("[1]").id(), nullptr);
}

TEST(MessageTest, KeepsWhatIsOddAboutTheText) {
  const Message message = ParseMessage(R"({"id":1,"id":2,"result":"\ud800"})");
  EXPECT_EQ(message.duplicate_keys, std::vector<std::string>{"id"});
  EXPECT_TRUE(message.lone_surrogate);
  EXPECT_EQ(message.body.members().size(), 3U);

  const Message broken = ParseMessage(R"({"id":1,)");
  EXPECT_FALSE(broken.parse_error.empty());
  EXPECT_EQ(broken.parse_error_offset, 8U);
}

TEST(MessageTest, IdsAreTheSameByTypeAndValue) {
  const auto same = [](const char* a, const char* b) {
    return SameId(*ParseJson(a).value, *ParseJson(b).value);
  };
  EXPECT_TRUE(same("1", "1.0"));
  EXPECT_TRUE(same(R"("a")", R"("\u0061")"));
  EXPECT_TRUE(same("null", "null"));
  EXPECT_FALSE(same("1", R"("1")"));
  EXPECT_FALSE(same("9007199254740992", "9007199254740993"));
}

}  // namespace
}  // namespace assay
