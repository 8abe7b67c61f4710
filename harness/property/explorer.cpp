// As many sequences at once as servers may be at work; whoever finds something shrinks it.

#include "property/explorer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "case/attribution.h"
#include "case/glob.h"
#include "reports/exit_code.h"
#include "runner/proving_ground.h"
#include "shrink/shrink.h"
#include "shrink/signature.h"
#include "transport/containment.h"

namespace assay {
namespace {

constexpr char kSource[] = "explore";  // of all results
constexpr int kConfirmations = 2;
// How often what is seen once only is looked into.
constexpr int kTries = 5;

class Explorer {
 public:
  Explorer(const Library& library, const ExploreSettings& settings, const ExploreListener& listener)
      : settings_(settings),
        listener_(listener),
        servers_(MakeServers(loop_, SourceOf(settings.run),
                             static_cast<std::size_t>(settings.run.jobs))),
        ground_(loop_, *servers_, library, settings.run, discovery_.facts, kSource) {}

  ExploreOutcome Run() {
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
    for (const Begun& begun : begun_) {
      if (begun.ran) outcome_.sequences.push_back(begun.words);
    }
    for (const Discovered& found : outcome_.found) report.results.push_back(found.result);
    const std::vector<Result>& earlier = settings_.earlier.failures;
    report.results.insert(report.results.end(), earlier.begin(), earlier.end());
    std::move(errors_.begin(), errors_.end(), std::back_inserter(report.results));
    std::erase_if(outcome_.unconfirmed,
                  [&](const Unconfirmed& one) { return ShownAlready(SignatureOf(one.finding)); });
    TellModels();
    EndReport(began_, report);
    return std::move(outcome_);
  }

 private:
  struct Begun {
    std::string words;
    bool ran = false;  // to its end, and what it shows has been made small
  };

  std::uint64_t seed() const { return settings_.run.seed.value_or(0); }

  Task<void> Main() {
    co_await Prepare();
    if (outcome_.testable && !interrupted_ && !models_.empty()) {
      random_.emplace(models_, seed());
      started_ = Clock::now();
      std::vector<Task<void>> workers;
      for (int i = 0; i < std::max(1, settings_.run.jobs); ++i) workers.push_back(Work());
      co_await loop_.All(std::move(workers));
    }
    co_await servers_->Close();
    interrupt_guard_.reset();
    over_ = true;
    tick_.Ring();
  }

  Task<void> Tick() {
    while (!over_) {
      co_await tick_.Wait(Clock::now() + std::chrono::milliseconds(100));
      listener_.tick();
    }
  }

  Task<void> Prepare() {
    discovery_ = co_await DiscoverServer(
        loop_, DiscoverSettingsOf(settings_.run, [this] { return servers_->Take(); }));
    discovery_.facts.tokens = settings_.run.tokens;
    const ServerFacts& facts = discovery_.facts;
    outcome_.report.target = DescribeTarget(settings_.run, discovery_);
    if (interrupted_) co_return;
    if (!facts.legacy.served && !facts.modern.served) {
      outcome_.testable = false;
      outcome_.why_not = WhyNotTestable(discovery_);
      co_return;
    }
    models_ = ModelsFor(facts, OverHttp());
    if (!settings_.models.empty()) {
      std::erase_if(models_, [&](const Model& model) {
        return std::none_of(settings_.models.begin(), settings_.models.end(),
                            [&](const auto& glob) { return MatchesGlob(glob, model.name); });
      });
    }
    for (const Model& model : models_) outcome_.models.emplace_back().name = model.name;
    for (const Result& failure : settings_.earlier.failures) {
      for (const ReportedFinding& finding : failure.findings) seen_.insert(SignatureOf(finding));
    }
    short_ = ShortSequences(models_, settings_.length);
    outcome_.all_short = short_.size();
    std::vector<ModelCount> counts(models_.size());
    for (const PlannedSequence& planned : short_) {
      ModelCount& count = counts[planned.model];
      ++count.possible;
      count.length = std::max(count.length, planned.letters.size());
    }
    if (listener_.planned) listener_.planned(models_, counts);
  }

  // Whether `times` / `parts` of the duration is over.
  bool TimeIsUp(int parts, int times = 1) const {
    return settings_.duration && Clock::now() - started_ >= *settings_.duration * times / parts;
  }

  std::string Words(const PlannedSequence& planned) const {
    const Model& model = models_[planned.model];
    return model.name + ": " + Spell(model, planned.letters);
  }

  bool RanEarlier(const PlannedSequence& planned) const {
    return settings_.earlier.sequences.contains(Words(planned));
  }

  // The next sequence, or nothing when it is time to stop.
  std::optional<PlannedSequence> Next() {
    if (interrupted_ || outcome_.found.size() >= settings_.most_findings || TimeIsUp(1)) return {};
    while (outcome_.ran_short < short_.size() && !TimeIsUp(2)) {
      const PlannedSequence& planned = short_[outcome_.ran_short++];
      if (!RanEarlier(planned)) return planned;
    }
    if (settings_.iterations && outcome_.ran_random >= *settings_.iterations) return {};
    PlannedSequence planned = random_->Next();
    while (planned.letters.empty() || RanEarlier(planned)) planned = random_->Next();
    ++outcome_.ran_random;
    return planned;
  }

  Task<void> Work() {
    while (const auto planned = Next()) {
      const Model& model = models_[planned->model];
      const std::size_t number = begun_.size();
      begun_.push_back({Words(*planned)});
      if (listener_.started) listener_.started(begun_.back().words);
      const Case test_case = *model.build(planned->letters);
      Result result = co_await Run(model, test_case);
      if (interrupted_) co_return;
      Count(result, outcome_.models[planned->model]);
      const std::vector<ReportedFinding> findings = result.findings;
      if (listener_.finished) listener_.finished(result);
      if (result.verdict == Verdict::kError) errors_.push_back(std::move(result));
      for (const ReportedFinding& finding : findings) {
        const std::string signature = SignatureOf(finding);
        if (interrupted_ || ShownAlready(signature) || !seen_.insert(signature).second) continue;
        co_await Reduce(model, planned->letters, finding);
      }
      begun_[number].ran = !interrupted_;
    }
  }

  // What is found often comes with other findings: one small exchange shows them all.
  bool ShownAlready(const std::string& signature) const {
    return std::any_of(outcome_.found.begin(), outcome_.found.end(),
                       [&](const Discovered& found) { return Shows(found.result, signature); });
  }

  static void Count(const Result& result, ExploredModel& model) {
    ++model.ran;
    if (result.verdict != Verdict::kSkip) return;
    ++model.without_set_up;
    model.why = result.skip_detail;
  }

  // One result for each model that showed nothing.
  void TellModels() {
    std::vector<Result>& results = outcome_.report.results;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      const ExploredModel& explored = outcome_.models[i];
      const std::string suite = "explore/" + explored.name;
      const bool showed = std::any_of(results.begin(), results.end(), [&](const Result& result) {
        return result.case_id.starts_with(suite + "/");
      });
      if (showed || explored.ran == 0) continue;
      Case none;
      none.id = suite;
      none.title = models_[i].title + ": " + std::to_string(explored.ran) + " sequences";
      Result result = DescribeRun(PlanOf(models_[i], none), OverHttp());
      result.source = kSource;
      result.place.clear();
      if (explored.without_set_up == explored.ran) {
        result.verdict = Verdict::kSkip;
        result.skip_reason = "precondition";
        result.skip_detail = explored.why;
      }
      for (const Unconfirmed& one : outcome_.unconfirmed) {
        if (one.model != explored.name) continue;
        result.unjudged.push_back(
            {one.finding.requirement,
             "seen once in " + one.letters + ", and not again: " + one.finding.message});
      }
      results.push_back(std::move(result));
    }
  }

  static PlannedRun PlanOf(const Model& model, const Case& test_case) {
    return {.test_case = &test_case,
            .era = model.era,
            .revision = model.revision,
            .skip_reason = "",
            .skip_detail = ""};
  }

  bool OverHttp() const { return settings_.run.reach.over_http; }

  // One run on a server of its own.
  Task<Result> Run(const Model& model, const Case& test_case) {
    Trial trial = co_await ground_.Run(PlanOf(model, test_case), settings_.run.timeout, false);
    trial.result.place.clear();
    co_return std::move(trial.result);
  }

  Task<void> Reduce(const Model& model, Sequence letters, ReportedFinding finding) {
    const std::string signature = SignatureOf(finding);
    const ShrinkSettings<std::size_t> shrink{
        .still_shows = [&](Sequence candidate) -> Task<bool> {
          const std::optional<Case> test_case = model.build(candidate);
          // Where every wait is in vain, what is found late is left as it is.
          if (interrupted_ || !test_case || TimeIsUp(1, 2)) co_return false;
          const Result result = co_await Run(model, *test_case);
          co_return Shows(result, signature);
        },
        .simpler =
            [](const std::size_t& letter) {
              Sequence simpler(letter);
              for (std::size_t i = 0; i < letter; ++i) simpler[i] = i;
              return simpler;
            }};
    const Sequence shrunk = co_await Shrink(letters, shrink);
    co_await Confirm(model, shrunk, finding);
  }

  Task<void> Confirm(const Model& model, Sequence letters, ReportedFinding finding) {
    const std::string signature = SignatureOf(finding);
    Discovered found{
        .model = model.name, .letters = {}, .test_case = *model.build(letters), .result = {}};
    for (const std::size_t letter : letters) found.letters.push_back(model.alphabet[letter]);
    // One exchange may show several things: it is one case then.
    const auto known = std::find_if(
        outcome_.found.begin(), outcome_.found.end(),
        [&](const Discovered& other) { return other.test_case.id == found.test_case.id; });
    if (known != outcome_.found.end()) found.test_case = known->test_case;
    Attribute(found.test_case, finding.requirement, finding.step);
    for (int i = 0; i < kConfirmations; ++i) {
      found.result = co_await Run(model, found.test_case);
      if (interrupted_) co_return;
      if (Shows(found.result, signature)) continue;
      outcome_.unconfirmed.push_back({model.name, Spell(model, letters), finding});
      // Another sequence may show it better.
      if (++unconfirmed_[signature] < kTries) seen_.erase(signature);
      co_return;
    }
    found.result.verdict = finding.counts_as;
    for (const ReportedFinding& shown : found.result.findings) {
      found.result.verdict = std::min(found.result.verdict, shown.counts_as);
    }
    // Others were at work meanwhile.
    const auto again = std::find_if(
        outcome_.found.begin(), outcome_.found.end(),
        [&](const Discovered& other) { return other.test_case.id == found.test_case.id; });
    if (again == outcome_.found.end()) {
      outcome_.found.push_back(std::move(found));
      co_return;
    }
    for (const std::string& id : found.test_case.requires_ids) {
      Attribute(again->test_case, id, "");
    }
    again->result = std::move(found.result);
    again->result.requires_ids = again->test_case.requires_ids;
  }

  const ExploreSettings& settings_;
  const ExploreListener& listener_;
  Loop loop_;
  std::unique_ptr<Servers> servers_;
  Bell tick_{loop_};
  std::shared_ptr<void> interrupt_guard_;
  Discovery discovery_;
  ProvingGround ground_;
  std::vector<Model> models_;
  std::vector<PlannedSequence> short_;
  std::optional<RandomSequences> random_;
  ExploreOutcome outcome_;
  std::vector<Begun> begun_;
  std::vector<Result> errors_;
  std::set<std::string> seen_;              // signatures
  std::map<std::string, int> unconfirmed_;  // how often a signature was seen, and not again
  Clock::time_point began_;
  Clock::time_point started_;
  bool interrupted_ = false;
  bool over_ = false;
};

}  // namespace

ExploreOutcome Explore(const Library& library, const ExploreSettings& settings,
                       const ExploreListener& listener) {
  AdoptOrphans();
  Explorer explorer(library, settings, listener);
  return explorer.Run();
}

}  // namespace assay
