#include "transport/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::reference {
namespace {

class Recorder : public LineHandler {
 public:
  void HandleLine(std::string_view line) override { lines.emplace_back(line); }
  void HandleOverlongLine() override { lines.emplace_back("OVERLONG"); }
  void HandleEnd() override {}
  bool Idle() const override { return true; }

  std::vector<std::string> lines;
};

using Lines = std::vector<std::string>;

TEST(LineReader, GivesTheSameLinesWhereverTheStreamIsCut) {
  const std::string stream = "one\n\ntwo\r\nthree";
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    Recorder recorder;
    LineReader reader(recorder, 100);
    reader.Feed(stream.substr(0, cut));
    reader.Feed(stream.substr(cut));
    reader.Finish();
    EXPECT_EQ(recorder.lines, (Lines{"one", "", "two\r", "three"})) << cut;
  }
}

TEST(LineReader, ReportsAnOverlongLineOnceAndGoesOn) {
  for (const std::size_t piece : {1U, 3U, 100U}) {
    Recorder recorder;
    LineReader reader(recorder, 4);
    const std::string stream = "1234\n12345\nok\n123456789";
    for (std::size_t at = 0; at < stream.size(); at += piece) reader.Feed(stream.substr(at, piece));
    reader.Finish();
    EXPECT_EQ(recorder.lines, (Lines{"1234", "OVERLONG", "ok", "OVERLONG"})) << piece;
  }
}

}  // namespace
}  // namespace assay::reference
