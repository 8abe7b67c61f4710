#include "reports/progress.h"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/sample_report.h"

namespace assay {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Progress, ElsewhereOnlyWhatDidNotPassIsALine) {
  std::ostringstream out;
  {
    TerminalProgress progress(out, {});
    progress.SetTotal(10);
    for (const Result& result : SampleReport().results) {
      progress.Started(result.case_id);
      progress.Finished(result);
    }
  }
  EXPECT_EQ(out.str(),
            "FAIL    modern/versioning/unsupported (2026-07-28 stdio): The error's code is not "
            "-32022.\n"
            "FAIL    modern/versioning/unsupported@other (2026-07-28 stdio): The error's code is "
            "not -32022.\n"
            "WARN    modern/wire/late (2026-07-28 stdio): The answer to modern/wire/late is "
            "wrong.\n"
            "DIFFERS contract/lock (2026-07-28 stdio): The answer to contract/lock is wrong.\n"
            "ERROR   modern/tasks/cancel (2026-07-28 stdio): the server did not start\\x1b[5m\n"
            "FAIL    modern/wire/banner (2026-07-28 stdio): This is folded under its cause.\n");
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
