// Rounds, side by side.

#include "campaign/campaign.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "campaign/endurance.h"
#include "campaign/generator.h"
#include "campaign/observation.h"
#include "campaign/symptom.h"
#include "campaign/unanswered.h"
#include "reports/exit_code.h"
#include "runner/proving_ground.h"
#include "transport/containment.h"

namespace assay {
namespace {

// A long round costs one start of a server for many messages, and leads deep into its states; when
// it ends early, or a server is slow, a short one is better.
constexpr std::size_t kLongRound = 768;
constexpr std::size_t kShortRound = 48;
constexpr std::size_t kOpeningRound = 6;
constexpr std::size_t kHttpRound = 64;
// One round in so many is short and repeated, to see what becomes of memory.
constexpr std::uint64_t kBetweenEndurance = 47;
constexpr std::size_t kEnduranceRound = 12;
// Messages that are under way at once: then the server must answer.
constexpr std::size_t kBetweenFences = 64;
constexpr std::size_t kBetweenFencesHttp = 16;
// Different bugs may look alike: so many reductions of one symptom end in a case each, if those
// differ.
constexpr std::size_t kReductionsOfOneSymptom = 3;
constexpr std::chrono::milliseconds kLeastImpatience(80);
constexpr std::chrono::milliseconds kMostImpatience(2000);

struct Ground {
  Subject subject;
  Generator generator;
  Ground(Subject made, Corpus& corpus) : subject(std::move(made)), generator(subject, corpus) {}
};

struct Round {
  std::uint64_t number = 0;
  Ground* ground = nullptr;
  std::vector<Probe> probes;
  std::vector<std::size_t> play_of;  // for each probe
  std::vector<Play> plays;
};

class Campaign {
 public:
  Campaign(const Library& library, const CampaignSettings& settings, Corpus& corpus,
           const CampaignListener& listener)
      : settings_(settings),
        corpus_(corpus),
        listener_(listener),
        servers_(MakeServers(loop_, SourceOf(settings.run),
                             static_cast<std::size_t>(settings.run.jobs))),
        ground_(loop_, *servers_, library, settings.run, discovery_.facts, "fuzz"),
        next_round_(settings.first_round) {}

  CampaignOutcome Run() {
    began_ = Clock::now();
    Report& report = outcome_.report;
    report = BeginReport(settings_.run);
    interrupt_guard_ = loop_.OnInterrupt([this] {
      interrupted_ = true;
      servers_->Abort();
    });
    loop_.Spawn(Main());
    if (listener_.tick) loop_.Spawn(Tick());
    loop_.Run();
    report.partial = interrupted_;
    for (const CampaignFinding& found : outcome_.found) report.results.push_back(found.result);
    std::move(errors_.begin(), errors_.end(), std::back_inserter(report.results));
    EndReport(began_, report);
    outcome_.tally = CountAll();
    return std::move(outcome_);
  }

 private:
  std::uint64_t seed() const { return settings_.run.seed.value_or(0); }

  Tally CountAll() const {
    Tally tally = outcome_.tally;
    tally.rounds = next_round_;
    tally.corpus = corpus_.size();
    tally.states = outcome_.states.states();
    tally.answers = outcome_.states.size();
    tally.found = outcome_.found.size();
    return tally;
  }

  Task<void> Main() {
    co_await Prepare();
    if (outcome_.testable && !interrupted_) {
      co_await Time();
      co_await Recall();
      started_ = Clock::now();
      std::vector<Task<void>> workers;
      for (int i = 0; i < std::max(1, settings_.run.jobs); ++i) workers.push_back(Work());
      co_await loop_.All(std::move(workers));
      outcome_.fuzzed =
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
    }
    co_await servers_->Close();
    interrupt_guard_.reset();
    over_ = true;
    tick_.Ring();
  }

  Task<void> Tick() {
    while (!over_) {
      co_await tick_.Wait(Clock::now() + std::chrono::milliseconds(100));
      if (!over_) listener_.tick(CountAll());
    }
  }

  Task<void> Prepare() {
    discovery_ = co_await DiscoverServer(
        loop_, DiscoverSettingsOf(settings_.run, [this] { return servers_->Take(); }));
    ServerFacts& facts = discovery_.facts;
    facts.tokens = settings_.run.tokens;
    outcome_.report.target = DescribeTarget(settings_.run, discovery_);
    if (interrupted_) co_return;
    if (!facts.legacy.served && !facts.modern.served) {
      outcome_.testable = false;
      outcome_.why_not = WhyNotTestable(discovery_);
      co_return;
    }
    if (listener_.discovered) listener_.discovered(discovery_);
    const bool http = settings_.run.reach.over_http;
    if (facts.modern.served) AddGround({Era::kModern, facts.modern.revisions.front(), http});
    if (facts.legacy.served) AddGround({Era::kLegacy, facts.legacy.revisions.front(), http});
    openings_ = &AddGround({Era::kNone, "", http});
  }

  Ground& AddGround(const Manner& manner) {
    return grounds_.emplace_back(
        MakeSubject(discovery_.facts, manner, settings_.run.allow_tool_calls), corpus_);
  }

  // How long a server takes that is well: whoever takes many times that is waited for no longer,
  // until what was found is confirmed.
  Task<void> Time() {
    const Manner& manner = grounds_.front().subject.manner;
    const Case test_case = CaseOf(manner, {});
    const auto began = Clock::now();
    co_await ground_.Run(PlanOf(manner, test_case), settings_.run.timeout, false);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
    impatience_ =
        std::min(settings_.run.timeout, std::clamp(10 * took, kLeastImpatience, kMostImpatience));
  }

  // What was found before.
  Task<void> Recall() {
    for (const Case& test_case : settings_.known) {
      if (interrupted_) co_return;
      const Manner manner{
          .era = test_case.era,
          .revision = test_case.revisions.empty() ? "" : test_case.revisions.front(),
          .over_http = settings_.run.reach.over_http};
      Trial trial = co_await ground_.Run(PlanOf(manner, test_case), settings_.run.timeout, false);
      const auto& wanted = test_case.requires_ids;
      const auto shown = std::find_if(
          trial.result.findings.begin(), trial.result.findings.end(), [&](const auto& finding) {
            return std::find(wanted.begin(), wanted.end(), finding.requirement) != wanted.end();
          });
      if (shown == trial.result.findings.end()) {
        outcome_.fixed.push_back(test_case.id);
        continue;
      }
      reductions_[SymptomOf(*shown, trial.result)] = kReductionsOfOneSymptom;
      CampaignFinding found{.test_case = test_case, .result = {}, .last_words = {}, .family = {}};
      found.last_words = LastWords(trial.result);
      found.probes = test_case.steps.size() - FirstStep(manner) - 2;
      found.result = std::move(trial.result);
      Keep(std::move(found));
    }
  }

  bool IsOver() const {
    if (interrupted_ || outcome_.found.size() >= settings_.most_findings) return true;
    if (settings_.iterations && outcome_.tally.inputs >= *settings_.iterations) return true;
    return settings_.duration && Clock::now() - started_ >= *settings_.duration;
  }

  // --- rounds ---------------------------------------------------------------------------------

  // Depends on nothing but the seed, the number and what came of the rounds before.
  Round MakeRound() {
    Round round;
    round.number = next_round_++;
    Chance chance(seed() ^ ((round.number + 1) * 0xD1B54A32D192ED03U));
    Names names;
    const bool endures = Endures(round.number);
    const bool opens = !endures && round.number % 6 == 5;
    const std::size_t eras = grounds_.size() - 1;
    round.ground = opens ? openings_ : &grounds_[round.number % eras];
    const bool http = round.ground->subject.manner.over_http;
    std::size_t length = http ? kHttpRound : round.number % 4 == 0 ? kShortRound : kLongRound;
    if (opens) length = kOpeningRound;
    if (endures) length = kEnduranceRound;
    const std::size_t stretch = http ? kBetweenFencesHttp : kBetweenFences;
    std::size_t since_fence = 0;
    while (round.probes.size() < length) {
      if (settings_.iterations && outcome_.tally.inputs >= *settings_.iterations) break;
      Play play = opens && round.plays.empty() ? round.ground->generator.Opening(chance, names)
                                               : round.ground->generator.Next(chance, names);
      ++outcome_.tally.inputs;
      for (Probe& probe : play) {
        round.play_of.push_back(round.plays.size());
        round.probes.push_back(probe);
        ++outcome_.tally.messages;
        ++since_fence;
      }
      round.plays.push_back(std::move(play));
      if (since_fence >= stretch && round.probes.size() < length) {
        since_fence = 0;
        round.play_of.push_back(round.plays.size() - 1);
        round.probes.push_back({.family = "fence", .fence = true});
      }
    }
    return round;
  }

  Task<void> Work() {
    while (!IsOver()) {
      const Round round = MakeRound();
      if (round.probes.empty()) co_return;
      const Manner manner = round.ground->subject.manner;
      if (listener_.sent) listener_.sent(round.number, manner, round.probes);
      if (Endures(round.number)) {
        co_await Endure(round);
        continue;
      }
      const Case test_case = CaseOf(manner, round.probes);
      Trial trial = co_await ground_.Run(PlanOf(manner, test_case), settings_.run.timeout, true);
      if (interrupted_) co_return;
      if (trial.result.verdict == Verdict::kError) {
        trial.result.title = "round " + std::to_string(round.number);
        errors_.push_back(std::move(trial.result));
        continue;
      }
      Learn(round, trial);
      for (const ReportedFinding& finding : trial.result.findings) {
        if (interrupted_) co_return;
        co_await Look(round, finding, trial.result);
      }
      // What was answered with another id is told already. Over HTTP every request has an end, and
      // the oracle sees it.
      if (trial.result.findings.empty() && !manner.over_http)
        co_await AskAgain(round, *trial.transcript);
    }
  }

  // Only of a server that is ours the memory is to be seen.
  bool Endures(std::uint64_t round) const {
    return settings_.run.reach.url.empty() && round % kBetweenEndurance == kBetweenEndurance / 2;
  }

  Task<void> Endure(const Round& round) {
    const Manner manner = round.ground->subject.manner;
    const Case test_case = EnduranceOf(manner, round.probes, kGlance);
    const Trial trial =
        co_await ground_.Run(PlanOf(manner, test_case), settings_.run.timeout, true);
    const auto count = [&](Entry::Direction direction) {
      return static_cast<std::uint64_t>(
          std::ranges::count(trial.transcript->entries, direction, &Entry::direction));
    };
    outcome_.tally.messages += count(Entry::Direction::kOut);
    outcome_.tally.received += count(Entry::Direction::kIn);
    const std::string symptom = MemorySymptom();
    if (interrupted_ || !MemoryMightGrow(*trial.transcript)) co_return;
    if (reductions_[symptom]++ >= kReductionsOfOneSymptom) co_return CountAgain(symptom);
    const Suspicion suspicion{.symptom = symptom, .endurance = true, .weight = Verdict::kDiffers};
    co_await Pursue(round, round.probes, suspicion);
  }

  void Learn(const Round& round, const Trial& trial) {
    const auto is_received = [](const Entry& e) { return e.direction == Entry::Direction::kIn; };
    outcome_.tally.received +=
        static_cast<std::uint64_t>(std::ranges::count_if(trial.transcript->entries, is_received));
    for (const Observation& seen : Observe(*trial.transcript)) {
      const bool is_new = outcome_.states.Add(seen);
      const std::size_t probe = ProbeAt(round, seen.step);
      if (!is_new || probe >= round.probes.size() || round.probes[probe].fence) continue;
      const Play& play = round.plays[round.play_of[probe]];
      if (SizeOf(play) <= kLargestKept) corpus_.Add(round.ground->subject.manner, play);
    }
    // "steps/5: there is no /result/nextCursor to save": not worth stopping a round for again.
    const std::string& detail = trial.result.skip_detail;
    const std::size_t from = detail.find("there is no ");
    const std::size_t to = detail.rfind(" to save");
    if (from != std::string::npos && to != std::string::npos) {
      const std::size_t begin = from + std::string_view("there is no ").size();
      round.ground->generator.Disable(detail.substr(begin, to - begin));
    }
  }

  // Which probe a step of the round's case sent; none: too large a number.
  static std::size_t ProbeAt(const Round& round, std::size_t step) {
    const std::size_t first = FirstStep(round.ground->subject.manner);
    return step < first ? std::string::npos : step - first;
  }

  static constexpr std::size_t kLargestKept = std::size_t{64} << 10;

  static std::size_t SizeOf(const Play& play) {
    std::size_t size = 0;
    for (const Probe& probe : play) size += probe.bytes.size();
    return size;
  }

  // --- findings -------------------------------------------------------------------------------

  static std::size_t StepOf(const ReportedFinding& finding) {
    const std::string_view prefix = "steps/";
    if (!finding.step.starts_with(prefix)) return std::string::npos;
    return static_cast<std::size_t>(
        std::strtoul(finding.step.c_str() + prefix.size(), nullptr, 10));
  }

  Task<void> Look(const Round& round, const ReportedFinding& finding, const Result& result) {
    const Suspicion suspicion{.symptom = SymptomOf(finding, result),
                              .weight = finding.counts_as,
                              .probe = ProbeAt(round, StepOf(finding))};
    std::size_t& reductions = reductions_[suspicion.symptom];
    const std::size_t most = IsDeath(finding) ? kReductionsOfOneSymptom : 1;
    if (reductions >= most) {
      CountAgain(suspicion.symptom);
      co_return;
    }
    ++reductions;
    co_await Pursue(round, round.probes, suspicion);
  }

  // What has no answer is asked again, with more patience.
  Task<void> AskAgain(const Round& round, const Transcript& transcript) {
    for (const std::size_t step : UnansweredSteps(transcript)) {
      const std::size_t probe = ProbeAt(round, step);
      if (interrupted_ || probe >= round.probes.size()) co_return;
      const JsonParse parsed = ParseJson(round.probes[probe].bytes);
      const std::string method =
          parsed.value ? parsed.value->FindString("method").value_or("") : "";
      // Of the same method, another request may be lost for another reason.
      if (reductions_[method + " unanswered"]++ >= kReductionsOfOneSymptom) continue;
      const Suspicion suspicion{
          .symptom = method + " was not answered", .unanswered = true, .probe = probe};
      co_await Pursue(round, round.probes, suspicion);
    }
  }

  Task<void> Pursue(const Round& round, const std::vector<Probe>& probes,
                    const Suspicion& suspicion) {
    const ReductionSettings reduction{.timeout = settings_.run.timeout,
                                      .impatience = impatience_,
                                      .stop = [this] { return interrupted_; }};
    const Manner manner = round.ground->subject.manner;
    std::optional<Reduced> reduced = co_await Reduce(ground_, manner, probes, suspicion, reduction);
    if (interrupted_) co_return;
    if (!reduced || !reduced->confirmed) {
      outcome_.unconfirmed.push_back("round " + std::to_string(round.number) + ": " +
                                     suspicion.symptom +
                                     (reduced ? " (made smaller, it shows only sometimes)" : ""));
      co_return;
    }
    CampaignFinding found{.test_case = std::move(reduced->test_case),
                          .result = std::move(reduced->result),
                          .last_words = {},
                          .round = round.number,
                          .family = {},
                          .probes = reduced->probes.size()};
    found.last_words = LastWords(found.result);
    if (!reduced->probes.empty()) found.family = reduced->probes.back().family;
    const std::string symptom = SymptomOf(reduced->finding, found.result);
    if (IsKnown(symptom, reduced->probes)) {
      CountAgain(symptom);
      co_return;
    }
    symptoms_[symptom].push_back(outcome_.found.size());
    Keep(std::move(found));
  }

  // Whether another reduction of the same symptom ended in a list that is like this one: the same
  // methods, with members of the same names.
  bool IsKnown(const std::string& symptom, const std::vector<Probe>& probes) {
    std::string shape = symptom;
    for (const Probe& probe : probes) {
      const JsonParse parsed = ParseJson(probe.bytes);
      shape += "\n" + probe.family;
      if (!parsed.value || !parsed.value->is_object()) continue;
      shape += parsed.value->FindString("method").value_or("");
      for (const JsonMember& member : parsed.value->members()) shape += " " + member.key;
    }
    return !shapes_.insert(shape).second;
  }

  void CountAgain(const std::string& symptom) {
    for (const std::size_t number : symptoms_[symptom]) ++outcome_.found[number].seen;
  }

  void Keep(CampaignFinding found) {
    Result& result = found.result;
    result.verdict = Verdict::kDiffers;
    for (const ReportedFinding& shown : result.findings) {
      result.verdict = std::min(result.verdict, shown.counts_as);
    }
    result.requires_ids = found.test_case.requires_ids;
    outcome_.found.push_back(std::move(found));
    if (listener_.found) listener_.found(outcome_.found.back());
  }

  const CampaignSettings& settings_;
  Corpus& corpus_;
  const CampaignListener& listener_;
  Loop loop_;
  std::unique_ptr<Servers> servers_;
  Bell tick_{loop_};
  std::shared_ptr<void> interrupt_guard_;
  Discovery discovery_;
  ProvingGround ground_;
  std::deque<Ground> grounds_;  // one for each era that is served, and at last `openings_`
  Ground* openings_ = nullptr;
  CampaignOutcome outcome_;
  std::vector<Result> errors_;
  std::map<std::string, std::size_t> reductions_;             // by symptom
  std::map<std::string, std::vector<std::size_t>> symptoms_;  // of what is in outcome_.found
  std::set<std::string> shapes_;
  std::uint64_t next_round_;
  std::chrono::milliseconds impatience_{0};  // of a step
  Clock::time_point began_;
  Clock::time_point started_;
  bool interrupted_ = false;
  bool over_ = false;
};

}  // namespace

CampaignOutcome Fuzz(const Library& library, const CampaignSettings& settings, Corpus& corpus,
                     const CampaignListener& listener) {
  AdoptOrphans();
  Campaign campaign(library, settings, corpus, listener);
  return campaign.Run();
}

}  // namespace assay
