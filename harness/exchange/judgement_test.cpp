#include "exchange/judgement.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace assay {
namespace {

std::optional<std::string> Judged(const Alternative& wanted, const std::string& answer,
                                  const HttpReply* http) {
  Expectation expectation;
  expectation.any_of = {wanted};
  const Message message = ParseMessage(answer);
  const auto disagreement = Judge(
      expectation, answer.empty() ? nullptr : &message,
      [](std::string_view) -> std::optional<Json> { return std::nullopt; }, {}, http);
  if (!disagreement) return std::nullopt;
  return disagreement->message;
}

Alternative Wanting(std::optional<int> status, const char* headers = nullptr,
                    const char* error = nullptr, const char* body = nullptr) {
  Alternative wanted;
  if (status) wanted.status = Json::Integer(*status);
  if (headers != nullptr) wanted.headers = *ParseJson(headers).value;
  if (error != nullptr) wanted.error = *ParseJson(error).value;
  if (body != nullptr) wanted.body = *ParseJson(body).value;
  return wanted;
}

const HttpHead kHead{404, {{"Content-Type", "text/plain"}, {"Allow", "GET"}, {"ALLOW", "POST"}}};
constexpr char kError[] = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})";

TEST(JudgeHttp, StatusHeadersAndBodyNeedNoMessage) {
  const HttpReply reply = ReplyOf(&kHead, "gone");
  EXPECT_EQ(Judged(Wanting(404), "", &reply), std::nullopt);
  EXPECT_EQ(Judged(Wanting(404, R"({"content-TYPE":"text/plain"})"), "", &reply), std::nullopt);
  EXPECT_EQ(Judged(Wanting(404, R"({"Allow":"GET, POST"})"), "", &reply), std::nullopt);
  EXPECT_EQ(Judged(Wanting(std::nullopt, nullptr, nullptr, R"("gone")"), "", &reply), std::nullopt);
  EXPECT_EQ(Judged(Wanting(400), "", &reply), "status: expected 400, got 404 (HTTP 404)");
  EXPECT_NE(Judged(Wanting(404, R"({"Allow":"PUT"})"), "", &reply), std::nullopt);
}

TEST(JudgeHttp, LettersOfAMediaTypeHaveNoCase) {
  const HttpHead head{200, {{"CONTENT-Type", "Text/Event-Stream; Charset=UTF-8"}}};
  const HttpReply reply = ReplyOf(&head, "");
  EXPECT_EQ(
      Judged(Wanting(200, R"({"content-type":"text/event-stream; Charset=UTF-8"})"), "", &reply),
      std::nullopt);
}

TEST(JudgeHttp, AMessageAndItsStatusMustBothFit) {
  const HttpReply reply = ReplyOf(&kHead, kError);
  EXPECT_EQ(Judged(Wanting(404, nullptr, R"({"code":-32601})"), kError, &reply), std::nullopt);
  EXPECT_NE(Judged(Wanting(200, nullptr, R"({"code":-32601})"), kError, &reply), std::nullopt);
  EXPECT_NE(Judged(Wanting(404, nullptr, R"({"code":-32602})"), kError, &reply), std::nullopt);
  EXPECT_EQ(Judged(Wanting(std::nullopt, nullptr, nullptr, R"({"error":{"code":-32601}})"), kError,
                   &reply),
            std::nullopt);
}

TEST(JudgeHttp, AnAnswerWithoutAMessageSaysWhatItWas) {
  const HttpReply reply = ReplyOf(&kHead, "gone");
  EXPECT_EQ(Judged(Wanting(std::nullopt, nullptr, R"({"code":-32601})"), "", &reply),
            "expected a message, got HTTP 404 without one (HTTP 404)");
  const HttpReply none = ReplyOf(nullptr, "");
  EXPECT_EQ(Judged(Wanting(std::nullopt, nullptr, R"({"code":-32601})"), "", &none),
            "expected a message, and the connection ended before any answer");
}

TEST(JudgeHttp, OverStdioWhatIsSaidOfHttpHolds) {
  EXPECT_EQ(Judged(Wanting(404, nullptr, R"({"code":-32601})"), kError, nullptr), std::nullopt);
  EXPECT_NE(Judged(Wanting(404, nullptr, R"({"code":-32602})"), kError, nullptr), std::nullopt);
}

}  // namespace
}  // namespace assay
