#include "reports/progress.h"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Progress, ElsewhereNowAndThenALine) {
  std::ostringstream out;
  steady_clock::time_point now{std::chrono::hours(1)};
  {
    TerminalProgress progress(out, {}, [&] { return now; });
    const Report report = SampleReport();
    progress.SetTotal(static_cast<int>(report.results.size()));
    for (const Result& result : report.results) {
      progress.Started(result.case_id);
      now += milliseconds(4000);
      progress.Finished(result);
    }
  }
  EXPECT_EQ(out.str(), "3 of 10 cases\n6 of 10 cases\n9 of 10 cases\n");
}

TEST(Progress, WhereNobodyKnowsHowManyThereWillBeTheyAreCounted) {
  std::ostringstream out;
  steady_clock::time_point now{std::chrono::hours(1)};
  TerminalProgress progress(out, {.things = "sequences"}, [&] { return now; });
  progress.SetTotal(0);
  now += milliseconds(11000);
  progress.Finished(SampleResult("explore/ping", Verdict::kPass, "M"));
  EXPECT_EQ(out.str(), "1 sequences\n");
}

class LiveProgress : public testing::Test {
 protected:
  std::string Taken() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  steady_clock::time_point now_{std::chrono::hours(1)};
  std::ostringstream out_;
  TerminalProgress::Options options_{.live = true, .colour = false, .width = 30};
};

TEST_F(LiveProgress, RewritesOneLineAndWipesItAtTheEnd) {
  {
    TerminalProgress progress(out_, options_, [this] { return now_; });
    progress.SetTotal(2);
    EXPECT_EQ(Taken(), "\r  0/2  \x1b[K");
    now_ += milliseconds(60);
    progress.Started("modern/ping");
    EXPECT_EQ(Taken(), "\r  0/2  modern/ping\x1b[K");
    now_ += milliseconds(60);
    progress.Finished(SampleResult("modern/ping", Verdict::kFail, "M"));
    EXPECT_EQ(Taken(), "\r  1/2  1 failed  modern/ping\x1b[K");
    progress.Clear();
    EXPECT_EQ(Taken(), "\r\x1b[K");
    progress.Started("modern/a-long-name\x1b");
    EXPECT_EQ(Taken(), "\r  1/2  1 failed  modern/a-lon\x1b[K");
  }
  EXPECT_EQ(Taken(), "\r\x1b[K");
}

TEST_F(LiveProgress, DrawsNoMoreOftenThanEyesCanFollow) {
  TerminalProgress progress(out_, options_, [this] { return now_; });
  progress.SetTotal(3);
  Taken();
  progress.Finished(SampleResult("a", Verdict::kPass, "M"));
  progress.Started("slow");
  EXPECT_EQ(Taken(), "");
  now_ += milliseconds(60);
  progress.Tick();
  EXPECT_EQ(Taken(), "\r  1/3  slow\x1b[K");
  now_ += milliseconds(60);
  progress.Tick();
  EXPECT_EQ(Taken(), "");  // nothing happened
}

TEST_F(LiveProgress, LeavesNothingBehindWhereNothingWasDrawn) {
  {
    TerminalProgress progress(out_, options_, [this] { return now_; });
  }
  EXPECT_EQ(Taken(), "");
}

}  // namespace
}  // namespace assay
