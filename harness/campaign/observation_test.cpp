// Feedback: what an answer is like, and which request it belongs to.

#include "campaign/observation.h"

#include <gtest/gtest.h>

#include <string>

#include "campaign/state_graph.h"
#include "campaign/unanswered.h"

namespace assay {
namespace {

class ObservationTest : public testing::Test {
 protected:
  void Sent(std::size_t step, const std::string& line) {
    Add(Entry::Direction::kOut, line).step = "steps/" + std::to_string(step);
  }
  void Came(const std::string& line) { Add(Entry::Direction::kIn, line); }

  // "method: signature" of each.
  std::string Seen() const {
    std::string words;
    for (const Observation& seen : Observe(transcript)) {
      words += seen.method + ": " + seen.signature + "\n";
    }
    return words;
  }

  Transcript transcript;

 private:
  Entry& Add(Entry::Direction direction, const std::string& line) {
    Entry& entry = transcript.entries.emplace_back();
    entry.connection = "main";
    entry.direction = direction;
    entry.bytes = line;
    entry.message = ParseMessage(line);
    return entry;
  }
};

TEST_F(ObservationTest, AnswersAreFoundByTheirIdsInAnyOrder) {
  Sent(0, R"({"id":1,"method":"ping"})");
  Sent(1, R"({"id":"2","method":"tools/list"})");
  Sent(2, R"({"id":3,"method":"tools/call"})");
  Came(R"({"id":"2","error":{"code":-32602,"message":"No such thing as 17","data":{"x":1}}})");
  Came(R"({"id":1,"result":{"b":1,"a":[]}})");
  EXPECT_EQ(Seen(), "ping: result {a,b}\ntools/list: error -32602 {x}\ntools/call: nothing\n");
}

TEST_F(ObservationTest, ValuesDoNotCount) {
  Sent(0, R"({"id":1,"method":"ping"})");
  Came(R"({"id":1,"result":{"resultType":"task","taskId":"9","ttlMs":5}})");
  EXPECT_EQ(Seen(), "ping: result {resultType,taskId,ttlMs}task\n");
}

TEST_F(ObservationTest, ErrorsWithoutAnIdAreThoseOfLinesWithoutOne) {
  Sent(0, "not JSON");
  Sent(1, R"({"id":1,"method":"ping"})");
  Sent(2, "[]");
  Came(R"({"id":null,"error":{"code":-32700}})");
  Came(R"({"error":{"code":-32600}})");
  EXPECT_EQ(Seen(), "(no JSON): error -32700\nping: nothing\n-: error -32600\n");
}

TEST_F(ObservationTest, StatesAreToldByResults) {
  transcript.era = Era::kNone;
  Sent(0, R"({"id":1,"method":"ping"})");
  Sent(1, R"({"id":2,"method":"initialize"})");
  Sent(2, R"({"id":3,"method":"tools/call"})");
  Came(R"({"id":1,"error":{"code":-32600}})");
  Came(R"({"id":2,"result":{"protocolVersion":"2025-11-25"}})");
  Came(R"({"id":3,"result":{"task":{"taskId":"1"}}})");
  const std::vector<Observation> seen = Observe(transcript);
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].after, "unopened");
  EXPECT_EQ(seen[1].after, "legacy");
  EXPECT_EQ(seen[2].before, "legacy");
  EXPECT_EQ(seen[2].after, "legacy +task");
}

TEST_F(ObservationTest, OnlyWhatIsOwedBeyondDoubtIsAskedAgain) {
  Sent(0, R"({"jsonrpc":"2.0","id":1,"method":"prompts/list"})");
  Sent(1, R"({"jsonrpc":"2.0","id":2,"method":"prompts/list"})");
  Sent(2, R"({"jsonrpc":"2.0","id":3,"method":"tools/call"})");
  Sent(3, R"({"jsonrpc":"2.0","id":4,"method":"subscriptions/listen"})");
  Sent(4, R"({"jsonrpc":"2.0","id":1.5,"method":"prompts/list"})");
  Sent(5, R"({"jsonrpc":"2.0","id":5,"method":"prompts/list"})");
  Sent(6, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  Sent(7, R"({"jsonrpc":"2.0","id":6,"id":6,"method":"prompts/list"})");
  // A reader of JSON may have its limits, and then knows no id.
  Sent(8, R"({"jsonrpc":"2.0","id":7,"method":"prompts/list","x":9e999})");
  Sent(9, R"({"jsonrpc":"2.0","id":8,"method":"prompts/list","x":)" + std::string(40, '[') +
              std::string(40, ']') + "}");
  Came(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(UnansweredSteps(transcript), std::vector<std::size_t>{1});
}

TEST(StateGraph, KnowsWhatIsNew) {
  StateGraph graph;
  const Observation seen = {
      .step = 0, .method = "a", .signature = "result {}", .before = "legacy", .after = "legacy"};
  EXPECT_TRUE(graph.Add(seen));
  EXPECT_FALSE(graph.Add(seen));
  Observation other = seen;
  other.before = "modern";
  other.after = "modern \"x\"";
  EXPECT_TRUE(graph.Add(other));
  EXPECT_EQ(graph.size(), 2U);
  EXPECT_EQ(graph.states(), 3U);
  const std::string dot = graph.ToDot();
  EXPECT_NE(dot.find(R"("legacy" -> "legacy" [label="a: result {} (2)\n"];)"), std::string::npos)
      << dot;
  EXPECT_NE(dot.find(R"("modern" -> "modern \"x\"")"), std::string::npos) << dot;
}

}  // namespace
}  // namespace assay
