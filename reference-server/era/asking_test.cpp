// Tools that ask their client: multi round-trip requests in the modern era, requests of the server
// in the legacy one.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "era/loopback_for_test.h"

namespace assay::reference {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr std::string_view kEverything = R"({"elicitation":{},"sampling":{},"roots":{}})";
constexpr std::string_view kAccepted = R"({"action":"accept","content":{"name":"Ada"}})";

int Code(const json::value& answer) { return answer.at("error").at("code").to_number<int>(); }

std::string TextOf(const json::value& answer) {
  return std::string(answer.at("result").at("content").at(0).at("text").as_string());
}

bool AsksAgain(const json::value& answer) {
  return answer.as_object().contains("result") &&
         answer.at("result").at("resultType") == "input_required";
}

std::string StateOf(const json::value& answer) {
  return json::serialize(answer.at("result").at("requestState"));
}

/// A modern tools/call. `more` are members of params as JSON text.
std::string Call(std::string_view tool, const std::string& more = {},
                 std::string_view capabilities = kEverything, std::string_view arguments = "{}") {
  std::string members =
      R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments);
  if (!more.empty()) members += "," + more;
  return Enveloped("1", "tools/call", members, {}, capabilities);
}

std::string Answer(std::string_view key, std::string_view answer) {
  return R"("inputResponses":{")" + std::string(key) + R"(":)" + std::string(answer) + "}";
}

constexpr std::string_view kAskName = "test_input_required_result_elicitation";

TEST(ModernAsking, AQuestionIsAResultAndTheRetryCarriesTheAnswer) {
  Loopback server;
  const json::value question = server.Ask(Call(kAskName));
  ASSERT_TRUE(AsksAgain(question));
  const json::value& asked = question.at("result").at("inputRequests").at("user_name");
  EXPECT_EQ(asked.at("method"), "elicitation/create");
  EXPECT_EQ(asked.at("params").at("requestedSchema").at("type"), "object");
  const json::value done = server.Ask(
      Call(kAskName, Answer("user_name", kAccepted) + R"(,"requestState":)" + StateOf(question)));
  EXPECT_EQ(done.at("result").at("resultType"), "complete");
  EXPECT_EQ(TextOf(done), "Hello, Ada!");
}

TEST(ModernAsking, ADeclinedFormIsAnAnswerToo) {
  Loopback server;
  for (const std::string_view action : {"decline", "cancel"}) {
    const std::string answer = R"({"action":")" + std::string(action) + R"("})";
    EXPECT_EQ(TextOf(server.Ask(Call(kAskName, Answer("user_name", answer)))),
              "Hello, (" + std::string(action) + ")!");
  }
}

TEST(ModernAsking, WhatIsMissingIsAskedForAgainAndWhatIsUnknownIsIgnored) {
  Loopback server;
  const json::value again = server.Ask(Call(kAskName, Answer("other", kAccepted)));
  ASSERT_TRUE(AsksAgain(again));
  EXPECT_TRUE(again.at("result").at("inputRequests").as_object().contains("user_name"));
  EXPECT_EQ(TextOf(server.Ask(Call(kAskName, R"("inputResponses":{"other":{},"user_name":)" +
                                                 std::string(kAccepted) + "}"))),
            "Hello, Ada!");
}

TEST(ModernAsking, AnswersThatDoNotFitAreRefused) {
  for (const std::string_view answer :
       {"12345", "null", "[]", "{}", R"({"action":"maybe"})", R"({"action":"accept"})",
        R"({"action":"accept","content":{}})", R"({"action":"accept","content":{"name":7}})"}) {
    Loopback server;
    EXPECT_EQ(Code(server.Ask(Call(kAskName, Answer("user_name", answer)))), -32602) << answer;
  }
  for (const std::string_view responses : {"null", "[]", "7"}) {
    Loopback server;
    EXPECT_EQ(Code(server.Ask(Call(kAskName, R"("inputResponses":)" + std::string(responses)))),
              -32602)
        << responses;
  }
}

TEST(ModernAsking, WhatIsNoMessageOfAModelIsRefused) {
  constexpr std::string_view kTool = "test_input_required_result_sampling";
  const auto said = [](std::string_view role, std::string_view content) {
    return Answer("capital", R"({"model":"m","role":")" + std::string(role) + R"(","content":)" +
                                 std::string(content) + "}");
  };
  for (const std::string_view content :
       {"7", "{}", R"({"type":"text"})", R"({"type":"song"})", R"([{"type":"song"}])"}) {
    Loopback server;
    EXPECT_EQ(Code(server.Ask(Call(kTool, said("assistant", content)))), -32602) << content;
  }
  Loopback server;
  const std::string_view text = R"([{"type":"text","text":"Paris"}])";
  EXPECT_EQ(Code(server.Ask(Call(kTool, said("nobody", text)))), -32602);
  EXPECT_EQ(TextOf(server.Ask(Call(kTool, said("assistant", text)))), "The model says: Paris");
}

TEST(ModernAsking, AFewOfSeveralAnswersAreKeptInTheState) {
  Loopback server;
  constexpr std::string_view kTool = "test_input_required_result_multiple_inputs";
  const json::value first = server.Ask(Call(kTool));
  EXPECT_EQ(first.at("result").at("inputRequests").as_object().size(), 3U);
  const json::value second = server.Ask(
      Call(kTool, Answer("user_name", kAccepted) + R"(,"requestState":)" + StateOf(first)));
  ASSERT_TRUE(AsksAgain(second));
  EXPECT_EQ(second.at("result").at("inputRequests").as_object().size(), 2U);
  // Nothing is remembered: another connection can go on as well.
  Loopback::Other other(server, Settings());
  const json::value done = other.Ask(Call(
      kTool,
      R"("inputResponses":{"client_roots":{"roots":[{"uri":"file:///a"}]},"greeting":)"
      R"({"role":"assistant","model":"m","content":{"type":"text","text":"Hi"}}},"requestState":)" +
          StateOf(second)));
  EXPECT_EQ(TextOf(done), "Hi Ada, roots: 1");
}

TEST(ModernAsking, EachRoundHasAStateOfItsOwn) {
  Loopback server;
  constexpr std::string_view kTool = "test_input_required_result_multi_round";
  const json::value first = server.Ask(Call(kTool));
  const json::value second =
      server.Ask(Call(kTool, Answer("step1", kAccepted) + R"(,"requestState":)" + StateOf(first)));
  ASSERT_TRUE(AsksAgain(second));
  EXPECT_NE(StateOf(first), StateOf(second));
  const json::value done =
      server.Ask(Call(kTool, Answer("step2", R"({"action":"accept","content":{"color":"blue"}})") +
                                 R"(,"requestState":)" + StateOf(second)));
  EXPECT_EQ(TextOf(done), "Ada likes blue.");
}

TEST(ModernAsking, AStateIsGoodForItsRequestAlone) {
  Loopback server;
  const std::string state =
      R"(,"requestState":)" +
      StateOf(server.Ask(Call("test_elicitation", {}, kEverything, R"({"message":"Who?"})")));
  const std::string answer = Answer("user", R"({"action":"decline"})") + state;
  EXPECT_TRUE(server.Ask(Call("test_elicitation", answer, kEverything, R"({"message":"Who?"})"))
                  .as_object()
                  .contains("result"));
  EXPECT_EQ(
      Code(server.Ask(Call("test_elicitation", answer, kEverything, R"({"message":"What?"})"))),
      -32602);
  EXPECT_EQ(Code(server.Ask(Call(kAskName, answer))), -32602);
}

TEST(ModernAsking, AForgedOrExpiredStateIsRefused) {
  Loopback server;
  const std::string state = StateOf(server.Ask(Call(kAskName)));
  const std::string answer = Answer("user_name", kAccepted) + R"(,"requestState":)";
  std::string tampered = state;
  tampered.insert(tampered.size() - 1, "-TAMPERED");
  EXPECT_EQ(Code(server.Ask(Call(kAskName, answer + tampered))), -32602);
  EXPECT_EQ(Code(server.Ask(Call(kAskName, answer + "7"))), -32602);
  EXPECT_EQ(Code(server.Ask(Call(kAskName, answer + R"("")"))), -32602);
  EXPECT_EQ(TextOf(server.Ask(Call(kAskName, answer + state))), "Hello, Ada!");
  server.Advance(std::chrono::minutes(11));
  EXPECT_EQ(Code(server.Ask(Call(kAskName, answer + state))), -32602);
}

TEST(ModernAsking, NobodyIsAskedForWhatTheyDoNotDeclare) {
  Loopback server;
  const json::value refused = server.Ask(Call(kAskName, {}, R"({"sampling":{}})"));
  EXPECT_EQ(Code(refused), -32021);
  EXPECT_TRUE(
      refused.at("error").at("data").at("requiredCapabilities").at("elicitation").is_object());
  EXPECT_EQ(Code(server.Ask(Call(kAskName, {}, R"({"elicitation":{"url":{}}})"))), -32021);
  EXPECT_TRUE(AsksAgain(server.Ask(Call(kAskName, {}, R"({"elicitation":{"form":{},"url":{}}})"))));
  const json::value sampled =
      server.Ask(Call("test_input_required_result_capabilities", {}, R"({"sampling":{}})"));
  for (const auto& [key, request] : sampled.at("result").at("inputRequests").as_object()) {
    EXPECT_EQ(request.at("method"), "sampling/createMessage");
  }
}

TEST(ModernAsking, PromptsAskToo) {
  Loopback server;
  const std::string name = R"("name":"test_input_required_result_prompt")";
  const json::value question = server.Ask(Enveloped("1", "prompts/get", name, {}, kEverything));
  ASSERT_TRUE(AsksAgain(question));
  const json::value done = server.Ask(Enveloped(
      "1", "prompts/get",
      name + "," + Answer("user_context", R"({"action":"accept","content":{"context":"tea"}})") +
          R"(,"requestState":)" + StateOf(question),
      {}, kEverything));
  EXPECT_EQ(done.at("result").at("messages").at(0).at("content").at("text"),
            "Please answer in the context of tea.");
  EXPECT_EQ(Code(server.Ask(Enveloped("1", "prompts/get", name))), -32021);
}

// --- the legacy era

/// A session of a client that can be asked everything.
class LegacyAsking : public testing::Test {
 protected:
  LegacyAsking() { server_.Send(Initialize("2025-11-25", "0", kEverything)); }

  std::vector<json::value> Call(std::string_view tool, std::string_view arguments = "{}") {
    return Messages(server_.Send(Bare(
        "1", "tools/call",
        R"({"name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}")));
  }

  Loopback server_;
};

TEST_F(LegacyAsking, TheClientIsAskedAndTheCallAnsweredAfterwards) {
  const auto asked = Call("test_elicitation", R"({"message":"Who?"})");
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].at("method"), "elicitation/create");
  EXPECT_EQ(asked[0].at("params").at("message"), "Who?");
  const auto done = Messages(server_.Send(Respond(asked[0], R"({"action":"decline"})")));
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].at("id"), 1);
  EXPECT_EQ(TextOf(done[0]), R"(User response: {"action":"decline"})");
}

TEST_F(LegacyAsking, SeveralQuestionsWaitForTheLastAnswer) {
  const auto asked = Call("test_input_required_result_multiple_inputs");
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(server_.Send(Respond(asked[2], R"({"roots":[]})")), "");
  EXPECT_EQ(server_.Send(Respond(asked[0], kAccepted)), "");
  const auto done = Messages(server_.Send(Respond(
      asked[1], R"({"role":"assistant","model":"m","content":{"type":"text","text":"Hi"}})")));
  EXPECT_EQ(TextOf(done.at(0)), "Hi Ada, roots: 0");
}

TEST_F(LegacyAsking, AnErrorOfTheClientFailsTheToolAndWithdrawsTheOtherQuestions) {
  const auto asked = Call("test_input_required_result_multiple_inputs");
  const auto done =
      Messages(server_.Send(R"({"jsonrpc":"2.0","id":)" + json::serialize(asked[0].at("id")) +
                            R"(,"error":{"code":-1,"message":"User rejected"}})"));
  ASSERT_EQ(done.size(), 3U);
  EXPECT_EQ(done[0].at("method"), "notifications/cancelled");
  EXPECT_EQ(done[1].at("method"), "notifications/cancelled");
  EXPECT_EQ(done[2].at("result").at("isError"), true);
  EXPECT_EQ(TextOf(done[2]), "The client did not answer: User rejected");
  EXPECT_EQ(server_.Send(Respond(asked[1], R"({"roots":[]})")), "");  // too late, and harmless
}

TEST_F(LegacyAsking, ACancelledCallWithdrawsItsQuestion) {
  const auto asked = Call("test_sampling", R"({"prompt":"?"})");
  const auto withdrawn =
      Messages(server_.Send(Notify("notifications/cancelled", R"({"requestId":1})")));
  ASSERT_EQ(withdrawn.size(), 1U);
  EXPECT_EQ(withdrawn[0].at("method"), "notifications/cancelled");
  EXPECT_EQ(withdrawn[0].at("params").at("requestId"), asked[0].at("id"));
}

TEST_F(LegacyAsking, ResponsesToNothingAreIgnored) {
  EXPECT_EQ(server_.Send(R"({"jsonrpc":"2.0","id":"server-1","result":{}})"), "");
  EXPECT_EQ(server_.Send(R"({"jsonrpc":"2.0","id":null,"result":{}})"), "");
  EXPECT_TRUE(server_.Ask(Bare("2", "ping")).at("result").as_object().empty());
}

TEST(LegacyAskingWithout, AToolFailsForAClientThatCannotBeAsked) {
  for (const auto& [revision, capabilities] :
       {std::pair("2025-11-25", "{}"), std::pair("2025-11-25", R"({"elicitation":{"url":{}}})"),
        std::pair("2025-03-26", R"({"elicitation":{}})")}) {
    Loopback server;
    server.Send(Initialize(revision, "0", capabilities));
    const json::value answer = server.Ask(
        Bare("1", "tools/call", R"({"name":"test_elicitation","arguments":{"message":"Who?"}})"));
    EXPECT_EQ(answer.at("result").at("isError"), true) << revision << capabilities;
  }
}

TEST(LegacyAskingWithout, AFormHasOnlyWhatTheRevisionKnows) {
  Loopback server;
  server.Send(Initialize("2025-06-18", "0", kEverything));
  const auto asked = Messages(server.Send(
      Bare("1", "tools/call", R"({"name":"test_elicitation_sep1330_enums","arguments":{}})")));
  const json::object& properties =
      asked.at(0).at("params").at("requestedSchema").at("properties").as_object();
  EXPECT_TRUE(properties.contains("legacyEnum"));
  EXPECT_FALSE(properties.contains("titledMulti"));
}

// --- the cart

/// The result's structured content.
const json::object& Structured(const json::value& answer) {
  return answer.at("result").at("structuredContent").as_object();
}

class ModernCart : public testing::Test {
 protected:
  json::value Use(std::string_view tool, const std::string& arguments,
                  const std::string& more = {}) {
    return server_.Ask(Call(tool, more, kEverything, "{" + arguments + "}"));
  }

  std::string Cart() const { return R"("cart_id":")" + cart_ + "\""; }

  void Fill(int quantity) {
    const json::value added =
        Use("cart_add_item",
            Cart() + R"(,"sku":)" + sku_ + R"(,"quantity":)" + std::to_string(quantity));
    ASSERT_TRUE(added.at("result").as_object().contains("structuredContent")) << added;
  }

  Loopback server_;
  const std::string sku_ =
      json::serialize(Structured(server_.Ask(Call("catalog_list"))).at("goods").at(0).at("sku"));
  const std::string cart_ =
      std::string(Structured(server_.Ask(Call("cart_create"))).at("cart_id").as_string());
};

std::string Confirm(const json::value& question, std::string_view yes_or_no) {
  const json::object& asked = question.at("result").at("inputRequests").as_object();
  return Answer(asked.begin()->key(),
                R"({"action":"accept","content":{"confirm":)" + std::string(yes_or_no) + "}}") +
         R"(,"requestState":)" + StateOf(question);
}

TEST_F(ModernCart, IsBoughtOnceTheUserConfirms) {
  Fill(2);
  const json::value question = Use("cart_checkout", Cart());
  ASSERT_TRUE(AsksAgain(question));
  const json::value bought = Use("cart_checkout", Cart(), Confirm(question, "true"));
  ASSERT_TRUE(Structured(bought).contains("order_id"));
  // The same answer again, and a new checkout, tell of the same order.
  const json::value replayed = Use("cart_checkout", Cart(), Confirm(question, "true"));
  EXPECT_EQ(Structured(replayed).at("order_id"), Structured(bought).at("order_id"));
  EXPECT_EQ(Structured(Use("cart_view", Cart())).at("order_id"), Structured(bought).at("order_id"));
}

TEST_F(ModernCart, IsNotBoughtIfTheUserDeclines) {
  Fill(1);
  const json::value question = Use("cart_checkout", Cart());
  EXPECT_FALSE(
      Structured(Use("cart_checkout", Cart(), Confirm(question, "false"))).contains("order_id"));
  EXPECT_FALSE(Structured(Use("cart_view", Cart())).contains("order_id"));
}

TEST_F(ModernCart, ThatChangedIsAskedForAgain) {
  Fill(1);
  const json::value question = Use("cart_checkout", Cart());
  Fill(5);
  EXPECT_TRUE(AsksAgain(Use("cart_checkout", Cart(), Confirm(question, "true"))));
  EXPECT_FALSE(Structured(Use("cart_view", Cart())).contains("order_id"));
}

TEST_F(ModernCart, AnAnswerForOneCartBuysNoOther) {
  Fill(1);
  const std::string confirmed = Confirm(Use("cart_checkout", Cart()), "true");
  const std::string other =
      R"("cart_id":")" + std::string(Structured(Use("cart_create", "")).at("cart_id").as_string()) +
      "\"";
  Use("cart_add_item", other + R"(,"sku":)" + sku_);
  EXPECT_EQ(Code(Use("cart_checkout", other, confirmed)), -32602);
  EXPECT_FALSE(Structured(Use("cart_view", other)).contains("order_id"));
}

TEST_F(ModernCart, NeedsItsId) {
  EXPECT_EQ(Use("cart_view", "").at("result").at("isError"), true);
  EXPECT_EQ(Use("cart_view", R"("cart_id":"nothing")").at("result").at("isError"), true);
  EXPECT_EQ(Use("cart_checkout", Cart()).at("result").at("isError"), true);  // empty
}

TEST_F(LegacyAsking, TheSessionsOwnCartIsBoughtWhileTheCallStaysOpen) {
  Call("cart_create");
  const auto goods = Call("catalog_list");
  const std::string sku = json::serialize(Structured(goods.at(0)).at("goods").at(0).at("sku"));
  Call("cart_add_item", R"({"sku":)" + sku + "}");
  const auto asked = Call("cart_checkout");
  ASSERT_EQ(asked.at(0).at("method"), "elicitation/create");
  const auto bought = Messages(
      server_.Send(Respond(asked[0], R"({"action":"accept","content":{"confirm":true}})")));
  EXPECT_TRUE(Structured(bought.at(0)).contains("order_id"));
  Loopback other_session;
  other_session.Send(Initialize());
  const json::value unknown =
      other_session.Ask(Bare("1", "tools/call",
                             R"({"name":"cart_view","arguments":{"cart_id":)" +
                                 json::serialize(Structured(bought.at(0)).at("cart_id")) + "}}"));
  EXPECT_EQ(unknown.at("result").at("isError"), true);
}

}  // namespace
}  // namespace assay::reference
