// What people see while a run is going on. On a terminal one status line that is rewritten in
// place; elsewhere a sign of life every ten seconds: what was found is told at the end.

#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "reports/report.h"

namespace assay {

// Not thread-safe; writes to `out` only inside its members, and leaves no status line behind.
class TerminalProgress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  struct Options {
    bool live = false;  // `out` is a terminal
    bool colour = false;
    int width = 100;  // columns
    std::string things = "cases";
  };

  TerminalProgress(std::ostream& out, Options options,
                   Clock clock = std::chrono::steady_clock::now);
  ~TerminalProgress();
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  // 0 = nobody knows.
  void SetTotal(int results);
  void Started(std::string_view case_id);
  void Finished(const Result& result);
  // Events that follow each other closely are not all drawn: called now and then, this shows the
  // last.
  void Tick();
  // Wipes the status line, so that others may print; the next event draws it again.
  void Clear();

 private:
  void Draw();

  std::ostream& out_;
  Options options_;
  Clock clock_;
  int total_ = 0;
  int done_ = 0;
  int failed_ = 0;
  std::string running_;
  bool drawn_ = false;
  bool behind_ = false;  // something happened since the last draw
  std::chrono::steady_clock::time_point last_draw_{};
};

}  // namespace assay
