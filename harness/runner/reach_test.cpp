// A server that somebody else has started, behind a URL.

#include "runner/reach.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdio>
#include <string>

#include "runner/runner.h"
#include "testing/playback.h"

namespace assay {
namespace {

// The reference server at a port that it takes itself.
class Elsewhere {
 public:
  Elsewhere() {
    const std::string command = "echo $$; exec '" + std::string(ASSAY_REFERENCE_SERVER) +
                                "' --transport http --port 0 2>&1";
    said_ = ::popen(command.c_str(), "r");
    pid_ = static_cast<pid_t>(std::stol(Line()));
    url_ = Line().substr(std::string("listening on ").size());
  }
  ~Elsewhere() {
    ::kill(pid_, SIGTERM);
    ::pclose(said_);
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

  const std::string& url() const { return url_; }

 private:
  std::string Line() {
    std::string line;
    for (int c = std::fgetc(said_); c != EOF && c != '\n'; c = std::fgetc(said_)) {
      line += static_cast<char>(c);
    }
    return line;
  }

  FILE* said_ = nullptr;
  pid_t pid_ = -1;
  std::string url_;
};

const char kCases[] = R"(suite: s
era: modern
cases:
  - id: answers
    title: It answers
    requires: [M-DISCOVER-IMPLEMENTED]
    steps:
      - request: { method: server/discover }
        expect: { result: {} }
  - id: memory
    title: Its memory settles
    requires: [C-MEMORY-SETTLES]
    steps:
      - repeat: 10
        memory: settles
        steps:
          - request: { method: server/discover }
            expect: { result: {} }
)";

TEST(Reach, AUrlIsJudgedAndItsMemoryIsNotToBeSeen) {
  const Elsewhere server;
  RunSettings settings;
  settings.reach.over_http = true;
  settings.reach.url = server.url();
  settings.jobs = 2;
  const RunOutcome outcome = RunCases(LibraryWith(CasesOf(kCases)), settings, {});
  ASSERT_EQ(outcome.report.results.size(), 2U) << outcome.why_not;
  for (const Result& result : outcome.report.results) {
    const bool of_memory = result.case_id == "s/memory";
    EXPECT_EQ(result.verdict, of_memory ? Verdict::kSkip : Verdict::kPass) << result.error;
    EXPECT_EQ(result.skip_detail.find("memory") != std::string::npos, of_memory);
  }
}

}  // namespace
}  // namespace assay
