// From a round in which something showed to the shortest list of probes that shows it, and the case
// that this is.

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/probe.h"
#include "reports/report.h"
#include "runner/proving_ground.h"

namespace assay {

// What showed, and where.
struct Suspicion {
  std::string symptom;  // symptom.h
  // Nothing showed but that a request had no answer at the end (unanswered.h): then whether that
  // is so again, and whether waiting helps, decides.
  bool unanswered = false;
  // Of an endurance round: the probes are sent kEndurance times.
  bool endurance = false;
  Verdict weight = Verdict::kFail;
  std::size_t probe = 0;  // the number of the one to which it showed; too large: not known
};

// What is left of it.
struct Reduced {
  std::vector<Probe> probes;
  Case test_case;           // names the requirement
  Result result;            // of its last run
  ReportedFinding finding;  // the one that it is about
  bool confirmed = false;   // it showed each time
};

struct ReductionSettings {
  std::chrono::milliseconds timeout{5000};     // of a step, when it is confirmed
  std::chrono::milliseconds impatience{5000};  // of a step, before
  std::chrono::milliseconds at_most{60000};    // after that what is left is left as it is
  std::function<bool()> stop;                  // true: interrupted
};

// Drops probes, then members of messages, then bytes, as long as the symptom shows with the same
// weight: that of valid messages, once only such are left. Nothing when it does not even show in
// all of `probes` again. The arguments must outlive the task.
Task<std::optional<Reduced>> Reduce(ProvingGround& ground, const Manner& manner,
                                    const std::vector<Probe>& probes, const Suspicion& suspicion,
                                    const ReductionSettings& settings);

}  // namespace assay
