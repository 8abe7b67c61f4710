// Messages, then members, then bytes.

#include "campaign/reduction.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "campaign/corpus.h"
#include "campaign/endurance.h"
#include "campaign/mended_probe.h"
#include "campaign/simpler_probe.h"
#include "campaign/symptom.h"
#include "campaign/unanswered.h"
#include "oracle/ledger.h"
#include "reports/visible_text.h"
#include "shrink/shrink.h"

namespace assay {
namespace {

constexpr int kConfirmations = 2;
constexpr std::size_t kAttempts = 600;  // of each of the three
constexpr std::size_t kEnduranceAttempts = 30;
// What an answer may depend on stands near it, as a rule.
constexpr std::size_t kNear = 12;

class Reduction {
 public:
  Reduction(ProvingGround& ground, const Manner& manner, const std::vector<Probe>& probes,
            Suspicion suspicion, const ReductionSettings& settings)
      : ground_(ground),
        manner_(manner),
        probes_(probes),
        suspicion_(std::move(suspicion)),
        settings_(settings) {}

  Task<std::optional<Reduced>> Run() {
    std::vector<Probe> probes = co_await Narrowed();
    if (probes.empty()) co_return std::nullopt;
    probes = co_await Thinned(std::move(probes));
    const ShrinkSettings<Probe> messages{
        .still_shows = ShowsTask(), .simpler = {}, .attempts = kAttempts};
    if (suspicion_.endurance) co_return co_await WithFewMembers(std::move(probes));
    probes = co_await Shrink(std::move(probes), messages);
    co_await Weigh(probes);
    const ShrinkSettings<Probe> members{
        .still_shows = ShowsTask(), .simpler = WithFewerMembers, .attempts = kAttempts};
    probes = co_await Shrink(std::move(probes), members);
    probes = co_await Mended(std::move(probes));
    if (valid_) probes = co_await Shrink(std::move(probes), members);
    const ShrinkSettings<Probe> bytes{
        .still_shows = ShowsTask(), .simpler = WithFewerBytes, .attempts = kAttempts};
    probes = co_await Shrink(std::move(probes), bytes);
    co_return co_await Confirm(std::move(probes));
  }

 private:
  // Each attempt takes a second or more: few of them, at members alone.
  Task<std::optional<Reduced>> WithFewMembers(std::vector<Probe> probes) {
    const ShrinkSettings<Probe> members{
        .still_shows = ShowsTask(), .simpler = WithFewerMembers, .attempts = kEnduranceAttempts};
    probes = co_await Shrink(std::move(probes), members);
    co_return co_await Confirm(std::move(probes));
  }

  Case CaseWith(const std::vector<Probe>& probes, const std::string& requirement = "") const {
    return suspicion_.endurance ? EnduranceOf(manner_, probes, kEndurance)
                                : CaseOf(manner_, probes, requirement);
  }

  std::function<Task<bool>(std::vector<Probe>)> ShowsTask() {
    return [this](std::vector<Probe> candidate) { return Shows(std::move(candidate)); };
  }

  bool IsOver() const {
    return (settings_.stop && settings_.stop()) || Clock::now() - began_ > settings_.at_most;
  }

  Task<bool> Shows(std::vector<Probe> candidate) {
    if (IsOver()) co_return false;
    const Case test_case = CaseWith(candidate);
    const Trial trial = co_await ground_.Run(
        PlanOf(manner_, test_case), suspicion_.endurance ? settings_.timeout : settings_.impatience,
        suspicion_.unanswered);
    if (suspicion_.unanswered) {
      const bool is_lost = !UnansweredSteps(*trial.transcript).empty();
      co_return is_lost && (!valid_ || IsAllValid(*trial.transcript));
    }
    co_return FindSymptom(trial.result, suspicion_.symptom, suspicion_.weight) != nullptr;
  }

  bool IsAllValid(const Transcript& transcript) const {
    const oracle::Ledger ledger(transcript, ground_.shapes());
    return std::all_of(
        ledger.moments().begin(), ledger.moments().end(),
        [](const oracle::Moment& moment) { return moment.sent == nullptr || moment.sent->proper; });
  }

  // Where all that is left is valid, it must stay so: the same then weighs more.
  Task<void> Weigh(const std::vector<Probe>& probes) {
    if (suspicion_.unanswered) co_return;
    const Case test_case = CaseOf(manner_, probes);
    const Trial trial =
        co_await ground_.Run(PlanOf(manner_, test_case), settings_.impatience, false);
    const ReportedFinding* finding =
        FindSymptom(trial.result, suspicion_.symptom, suspicion_.weight);
    if (finding != nullptr) suspicion_.weight = finding->counts_as;
  }

  // Where it shows in a valid message too, that one: what matters is not that the others are odd.
  // From then on only what is valid will do.
  Task<std::vector<Probe>> Mended(std::vector<Probe> probes) {
    if (suspicion_.weight == Verdict::kFail && !suspicion_.unanswered) co_return probes;
    const Verdict weight = std::exchange(suspicion_.weight, Verdict::kFail);
    valid_ = true;
    for (std::size_t i = probes.size(); i-- > 0;) {
      for (Probe& mended : MendedProbes(manner_, probes[i])) {
        const std::vector<Probe> alone = {std::move(mended)};
        if (co_await Shows(alone)) co_return alone;
      }
    }
    valid_ = false;
    suspicion_.weight = weight;
    co_return probes;
  }

  // Has the server time to answer after all, and makes that the symptom.
  Task<void> Await(std::vector<Probe>& probes) {
    const Case test_case = CaseOf(manner_, probes);
    Trial trial = co_await ground_.Run(PlanOf(manner_, test_case), settings_.impatience, true);
    for (const std::size_t step : UnansweredSteps(*trial.transcript)) {
      const std::size_t probe = step - FirstStep(manner_);
      if (step >= FirstStep(manner_) && probe < probes.size()) probes[probe].awaited = true;
    }
    const Case patient = CaseOf(manner_, probes);
    trial = co_await ground_.Run(PlanOf(manner_, patient), settings_.timeout, false);
    for (const ReportedFinding& finding : trial.result.findings) {
      if (finding.message.find("was never answered") == std::string::npos) continue;
      suspicion_.symptom = SymptomOf(finding, trial.result);
      suspicion_.weight = finding.counts_as;
    }
  }

  // The probe under suspicion alone, with what was near it, with all before it, or all.
  Task<std::vector<Probe>> Narrowed() {
    const std::size_t at = std::min(suspicion_.probe, probes_.size() - 1);
    const auto from = [&](std::size_t first, std::size_t end) {
      return std::vector<Probe>(probes_.begin() + static_cast<std::ptrdiff_t>(first),
                                probes_.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const std::vector<std::pair<std::size_t, std::size_t>> stretches = {
        {at, at + 1}, {at - std::min(at, kNear), at + 1}, {0, at + 1}, {0, probes_.size()}};
    for (const auto& [first, end] : stretches) {
      // Any of them may be the one whose memory is kept.
      if (suspicion_.endurance && end - first < probes_.size()) continue;
      std::vector<Probe> candidate = from(first, end);
      if (co_await Shows(candidate)) co_return candidate;
    }
    co_return std::vector<Probe>{};
  }

  // Without the stretches that do not matter, from half of all down to single probes. Of many
  // probes few matter: each stretch is tried once for each size.
  Task<std::vector<Probe>> Thinned(std::vector<Probe> probes) {
    for (std::size_t size = probes.size() / 2; size > 0; size /= 2) {
      // From the end: what led to something stands there.
      for (std::size_t end = probes.size(); end >= size && probes.size() > size;
           end -= std::min(end, size)) {
        std::vector<Probe> candidate = probes;
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(end - size),
                        candidate.begin() + static_cast<std::ptrdiff_t>(end));
        if (co_await Shows(candidate)) probes = std::move(candidate);
      }
    }
    co_return probes;
  }

  // Words that are safe in an id and a file's name.
  std::string NameOf(const std::vector<Probe>& probes, const std::string& requirement) const {
    std::string name;
    for (const char c : requirement) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    std::string all = suspicion_.symptom;
    for (const Probe& probe : probes) all += probe.bytes + probe.end;
    return name + "-" + Sha256(all).substr(0, 8);
  }

  Task<std::optional<Reduced>> Confirm(std::vector<Probe> probes) {
    if (suspicion_.unanswered) co_await Await(probes);
    Reduced reduced{.probes = std::move(probes), .test_case = {}, .result = {}, .finding = {}};
    const Case plain = CaseWith(reduced.probes);
    Trial trial = co_await ground_.Run(PlanOf(manner_, plain), settings_.timeout, false);
    const ReportedFinding* finding =
        FindSymptom(trial.result, suspicion_.symptom, suspicion_.weight);
    if (finding == nullptr) co_return reduced;
    reduced.finding = *finding;
    Case& test_case = reduced.test_case = CaseWith(reduced.probes, finding->requirement);
    test_case.id = test_case.suite + "/" + NameOf(reduced.probes, finding->requirement);
    test_case.title = Excerpt(finding->message, 150);
    for (int i = 0; i < kConfirmations; ++i) {
      Trial again = co_await ground_.Run(PlanOf(manner_, test_case), settings_.timeout, false);
      reduced.result = std::move(again.result);
      if (FindSymptom(reduced.result, suspicion_.symptom, suspicion_.weight) == nullptr) {
        co_return reduced;
      }
    }
    reduced.confirmed = true;
    co_return reduced;
  }

  ProvingGround& ground_;
  const Manner& manner_;
  const std::vector<Probe>& probes_;
  Suspicion suspicion_;
  const ReductionSettings& settings_;
  bool valid_ = false;  // of what is unanswered: only where all that was sent is valid
  const Clock::time_point began_ = Clock::now();
};

}  // namespace

Task<std::optional<Reduced>> Reduce(ProvingGround& ground, const Manner& manner,
                                    const std::vector<Probe>& probes, const Suspicion& suspicion,
                                    const ReductionSettings& settings) {
  Reduction reduction(ground, manner, probes, suspicion, settings);
  co_return co_await reduction.Run();
}

}  // namespace assay
