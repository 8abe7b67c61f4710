#include "transport/sse_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

// What a parser says of a stream: events as type|data, `!` before the head of an overlong one; then
// the last event id, and `~` when the stream ended in mid event.
struct Reading {
  std::vector<std::string> told;
  std::string id;
  bool mid_event = false;
  std::optional<std::chrono::milliseconds> retry;

  bool operator==(const Reading&) const = default;
};

Reading Read(const std::string& stream, std::size_t piece = std::string::npos,
             std::size_t max_event = 1000) {
  Reading reading;
  SseParser parser(max_event,
                   {[&](const SseParser::Event& event) {
                      reading.told.push_back(event.type + "|" + event.data);
                    },
                    [&](const std::string& head) { reading.told.push_back("!" + head); }});
  for (std::size_t at = 0; at < stream.size(); at += std::min(piece, stream.size())) {
    parser.Feed(std::string_view(stream).substr(at, piece));
  }
  reading.id = parser.last_event_id();
  reading.mid_event = parser.EndsInMidEvent();
  reading.retry = parser.retry();
  return reading;
}

using Told = std::vector<std::string>;

TEST(SseParser, ReadsAnEvent) {
  EXPECT_EQ(Read("event: message\ndata: {}\nid: 7\n\n").told, Told{"message|{}"});
  EXPECT_EQ(Read("event: message\ndata: {}\nid: 7\n\n").id, "7");
}

TEST(SseParser, AnEventHasTheIdThatItGivesItself) {
  std::vector<std::optional<std::string>> ids;
  SseParser parser(1000, {[&](const SseParser::Event& event) { ids.push_back(event.id); },
                          [](const std::string&) {}});
  parser.Feed("id: 7\ndata: \n\ndata: {}\n\nid\ndata: {}\n\n");
  EXPECT_EQ(ids, (std::vector<std::optional<std::string>>{"7", std::nullopt, ""}));
}

TEST(SseParser, JoinsDataLinesWithALineFeed) {
  EXPECT_EQ(Read("data: {\ndata:  \"a\": 1\ndata:}\n\n").told, Told{"|{\n \"a\": 1\n}"});
}

TEST(SseParser, ReadsTheSameWhereverThePiecesEnd) {
  const std::string stream =
      "\xEF\xBB\xBF: a comment\r\n"
      "data: one\r\ndata: two\r\n\r\n"
      "data: three\rid: 3\r\r"
      "event: other\ndata: four\n\n"
      "retry: 25\nid: 5\ndata: five\n\n"
      ":\n\ndata: cut";
  const Reading whole = Read(stream);
  EXPECT_EQ(whole.told, (Told{"|one\ntwo", "|three", "other|four", "|five"}));
  EXPECT_EQ(whole.id, "5");
  EXPECT_EQ(whole.retry, std::chrono::milliseconds(25));
  EXPECT_TRUE(whole.mid_event);
  for (std::size_t piece = 1; piece < stream.size(); ++piece) {
    EXPECT_EQ(Read(stream, piece), whole) << piece;
  }
}

TEST(SseParser, AnEventIsThereAtTheCarriageReturnThatEndsIt) {
  EXPECT_EQ(Read("data: one\r\r").told, Told{"|one"});
}

TEST(SseParser, ALineFeedAfterACarriageReturnIsNoBlankLine) {
  EXPECT_EQ(Read("data: one\r\ndata: two\r\n\r\n", 1).told, Told{"|one\ntwo"});
}

TEST(SseParser, OnlyTheFirstByteOrderMarkIsNone) {
  EXPECT_EQ(Read("\xEF\xBB\xBF\xEF\xBB\xBF"
                 "data: one\n\ndata: two\n\n")
                .told,
            Told{"|two"});
  EXPECT_EQ(Read("\xEF\xBB"
                 "data: one\n\ndata: two\n\n",
                 1)
                .told,
            Told{"|two"});
}

TEST(SseParser, FieldsWithoutAColonAreEmpty) {
  EXPECT_EQ(Read("data\n\ndata\ndata\n\n").told, (Told{"|", "|\n"}));
}

TEST(SseParser, OneSpaceAfterTheColonDoesNotCount) {
  EXPECT_EQ(Read("data:one\n\ndata:  two\n\n").told, (Told{"|one", "| two"}));
}

TEST(SseParser, UnknownFieldsAreIgnored) {
  EXPECT_EQ(Read("status: 1\n data: two\nDATA: three\ndata: four\n\n").told, Told{"|four"});
}

TEST(SseParser, AnEventWithoutDataIsNoneButItsIdCounts) {
  const Reading reading = Read("id: 1\nevent: nothing\n\ndata: one\n\n");
  EXPECT_EQ(reading.told, Told{"|one"});
  EXPECT_EQ(reading.id, "1");
}

TEST(SseParser, AnEmptyIdForgetsTheLastOne) { EXPECT_EQ(Read("id: 1\n\nid\n\n").id, ""); }

TEST(SseParser, AnIdWithAZeroByteIsIgnored) {
  EXPECT_EQ(Read("id: 1\n\n" + std::string("id: a\0b\n\n", 9)).id, "1");
}

TEST(SseParser, RetryIsDigitsOnly) {
  EXPECT_EQ(Read("retry: 1500\n").retry, std::chrono::milliseconds(1500));
  for (const char* line :
       {"retry: 1.5\n", "retry: -1\n", "retry: -0\n", "retry:\n", "retry: 10s\n"}) {
    EXPECT_EQ(Read(line).retry, std::nullopt) << line;
  }
}

TEST(SseParser, AnUnfinishedEventIsDroppedAndTold) {
  for (const char* rest : {"data: two", "data: two\n", "id: 2\n", "event: x\n", "da"}) {
    const Reading reading = Read("id: 1\ndata: one\n\n" + std::string(rest));
    EXPECT_EQ(reading.told, Told{"|one"}) << rest;
    EXPECT_EQ(reading.id, "1") << rest;
    EXPECT_TRUE(reading.mid_event) << rest;
  }
  for (const char* rest : {"", ": comment", ": comment\n", "retry: 1\n", "\n"}) {
    EXPECT_FALSE(Read("data: one\n\n" + std::string(rest)).mid_event) << rest;
  }
}

TEST(SseParser, CutsAnOverlongEventOnceAndGoesOnWithTheNext) {
  const std::string stream = "data: 123\ndata: 456789\ndata: more\nid: 1\n\ndata: next\n\n";
  for (std::size_t piece = 1; piece < stream.size(); ++piece) {
    const Reading reading = Read(stream, piece, 15);
    ASSERT_EQ(reading.told.size(), 2U) << piece;
    EXPECT_TRUE(reading.told[0].starts_with("!123\ndata: 4567")) << reading.told[0];
    EXPECT_EQ(reading.told[1], "|next");
    EXPECT_EQ(reading.id, "");
  }
}

TEST(SseParser, CommentsTakeNoSpace) {
  EXPECT_EQ(Read(":" + std::string(100, 'x') + "\ndata: one\n\n", 7, 15).told, Told{"|one"});
}

}  // namespace
}  // namespace assay
