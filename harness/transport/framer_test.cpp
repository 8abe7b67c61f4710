#include "transport/framer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

// What a framer says of a stream: lines as they are, `~` before an unterminated one, `!` before the
// head of an overlong one.
class Reading {
 public:
  explicit Reading(std::size_t max_line)
      : framer_(max_line, {[this](std::string line, bool terminated) {
                             told_.push_back((terminated ? "" : "~") + line);
                           },
                           [this](const std::string& head) { told_.push_back("!" + head); }}) {}

  Reading& Feed(std::string_view bytes) {
    framer_.Feed(bytes);
    return *this;
  }
  std::vector<std::string> End() {
    framer_.End();
    return told_;
  }

 private:
  std::vector<std::string> told_;
  Framer framer_;
};

using Lines = std::vector<std::string>;

TEST(Framer, CutsLinesWhereverThePiecesEnd) {
  const std::string stream = "one\n\ntwo\r\nthree";
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    Reading reading(100);
    for (std::size_t at = 0; at < stream.size(); at += size) reading.Feed(stream.substr(at, size));
    EXPECT_EQ(reading.End(), (Lines{"one", "", "two\r", "~three"})) << size;
  }
}

TEST(Framer, SaysNothingOfAnEmptyEnd) {
  EXPECT_EQ(Reading(100).Feed("one\n").End(), Lines{"one"});
  EXPECT_EQ(Reading(100).End(), Lines{});
}

TEST(Framer, KeepsZeroBytes) {
  const std::string line("a\0b", 3);
  EXPECT_EQ(Reading(100).Feed(line + "\n").End(), Lines{line});
}

TEST(Framer, CutsAnOverlongLineOnceAndGoesOnWithTheNext) {
  EXPECT_EQ(Reading(4).Feed("12").Feed("345").Feed("678").Feed("9\nabcd\n").End(),
            (Lines{"!12345", "abcd"}));
  EXPECT_EQ(Reading(4).Feed("12345").End(), Lines{"!12345"});
}

TEST(Framer, KeepsOnlyTheHeadOfAnOverlongLine) {
  Reading reading(1 << 20);
  const std::string piece(1 << 16, 'x');
  for (int i = 0; i < 64; ++i) reading.Feed(piece);
  const Lines told = reading.Feed("\nnext\n").End();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_LE(told[0].size(), 8192U);
  EXPECT_EQ(told[1], "next");
}

}  // namespace
}  // namespace assay
