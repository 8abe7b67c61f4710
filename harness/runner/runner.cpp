// The run: a queue of work, and as many workers as servers may be at work at once.

#include "runner/runner.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <random>
#include <set>
#include <utility>

#include "case/loader.h"
#include "case/writer.h"
#include "exchange/dialogue.h"
#include "oracle/oracle.h"
#include "reports/exit_code.h"
#include "runner/fleets.h"
#include "runner/kept_transcript.h"
#include "runner/report_frame.h"
#include "runner/tally.h"
#include "runner/trial.h"
#include "runner/verdict.h"
#include "transport/containment.h"

namespace assay {
namespace {

// How many modern cases are in flight on one shared server.
constexpr std::size_t kInFlight = 16;
// A shared server that died this often is no place to share.
constexpr int kMaxDeaths = 3;
constexpr char kStatelessness[] = "M-STATE-NO-PRIOR-CONTEXT";

class Runner {
 public:
  Runner(const Library& library, const RunSettings& settings, const RunListener& listener)
      : library_(library),
        settings_(settings),
        listener_(listener),
        servers_(MakeServers(loop_, SourceOf(settings), static_cast<std::size_t>(settings.jobs))),
        work_arrived_(loop_) {
    if (const auto& other = settings.counterpart) {
      ServerSource source = SourceOf(settings);
      source.command = other->command;
      source.reach = other->reach;
      counterparts_ = MakeServers(loop_, source, 0);
    }
  }

  RunOutcome Run() {
    const auto began = Clock::now();
    Report& report = outcome_.report;
    report = BeginReport(settings_);
    report.shard = settings_.plan.shard;
    report.shards = settings_.plan.shards;
    interrupt_guard_ = loop_.OnInterrupt([this] { Interrupt(); });
    loop_.Spawn(Main());
    if (listener_.tick) loop_.Spawn(Tick());
    loop_.Run();
    report.partial = interrupted_;
    std::sort(finished_.begin(), finished_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [number, result] : finished_) report.results.push_back(std::move(result));
    EndReport(began, report);
    TellRequirements(library_.catalogue, library_.cases, discovery_.facts, proved_,
                     settings_.reach.over_http, report);
    return std::move(outcome_);
  }

 private:
  // A run that waits for a server.
  struct Job {
    std::size_t number = 0;  // in the plan
    PlannedRun run;
    // What it gave on a shared server, when this is its second look.
    std::optional<Result> shared_result = std::nullopt;
    // It has run among others already.
    bool crowded = false;
    // What that gave.
    std::optional<Result> crowded_result = std::nullopt;
    std::set<std::string> crowded_proved = {};
  };
  struct Passed {
    Job job;
    Trial run;
  };
  // A group of runs that share one server.
  struct Group {
    Era era = Era::kNone;
    std::string revision;
    std::deque<Job> jobs;
    std::vector<Passed> passed;
    int deaths = 0;
    bool stuck = false;  // its present server does not answer any more
  };

  void Interrupt() {
    if (std::exchange(interrupted_, true)) return;
    alone_.clear();
    solitary_.clear();
    groups_.clear();
    servers_->Abort();
    if (counterparts_) counterparts_->Abort();
    for (const auto& fleet : fleets_) fleet->Abort();
    work_arrived_.Ring();
  }

  Task<void> Main() {
    co_await DiscoverAndPlan();
    if (outcome_.testable && !interrupted_) {
      std::vector<Task<void>> workers;
      for (int i = 0; i < std::max(1, settings_.jobs); ++i) workers.push_back(Work());
      co_await loop_.All(std::move(workers));
      while (!solitary_.empty() && !interrupted_) {
        Job job = std::move(solitary_.front());
        solitary_.pop_front();
        if (job.crowded_result && Confirmed(*job.crowded_result)) {
          proved_.insert(job.crowded_proved.begin(), job.crowded_proved.end());
          Finish(job.number, std::move(*job.crowded_result));
          continue;
        }
        co_await RunAlone(std::move(job));
      }
    }
    co_await servers_->Close();
    if (counterparts_) co_await counterparts_->Close();
    interrupt_guard_.reset();
    over_ = true;
    tick_.Ring();
  }

  // Lets the listener show what is going on though nothing happens.
  Task<void> Tick() {
    while (!over_) {
      co_await tick_.Wait(Clock::now() + std::chrono::milliseconds(100));
      listener_.tick();
    }
  }

  Task<void> DiscoverAndPlan() {
    DiscoverSettings discover = DiscoverSettingsOf(settings_, [this] { return servers_->Take(); });
    if (!settings_.plan.revisions.empty()) {
      discover.legacy_revisions =
          settings_.plan.revisions.front() == "all" ? LegacyRevisions() : settings_.plan.revisions;
    }
    discovery_ = co_await DiscoverServer(loop_, std::move(discover));
    discovery_.facts.tokens = settings_.tokens;
    const ServerFacts& facts = discovery_.facts;
    outcome_.report.target = DescribeTarget(settings_, discovery_);
    if (interrupted_) co_return;
    if (!facts.legacy.served && !facts.modern.served) {
      outcome_.testable = false;
      outcome_.why_not = WhyNotTestable(discovery_);
      JudgeRefusals();
      co_return;
    }
    if (listener_.discovered) listener_.discovered(discovery_);
    Plan();
  }

  // A server that cannot be tested may still show why: a banner, a frame of another kind, a hang.
  void JudgeRefusals() {
    for (const Transcript& transcript : discovery_.refusals) {
      // One that never answered anything is no MCP server: its last words say more.
      const bool answered =
          std::any_of(transcript.entries.begin(), transcript.entries.end(), [](const Entry& entry) {
            return entry.direction == Entry::Direction::kIn && entry.message.is_response();
          });
      if (!answered) continue;
      const std::string era(ToString(transcript.era));
      Case opening;
      opening.id = "discovery/" + era;
      opening.title = "The server can be spoken to in the " + era + " era";
      opening.era = transcript.era;
      Result result = DescribeRun({.test_case = &opening,
                                   .era = transcript.era,
                                   .revision = transcript.revision,
                                   .skip_reason = "",
                                   .skip_detail = ""},
                                  settings_.reach.over_http);
      result.findings =
          WeighFindings(JudgeTranscript(transcript, library_.shapes), opening, transcript.revision,
                        settings_.reach.over_http, library_.catalogue);
      // To refuse an era is no fault, unless something is wrong with how.
      if (result.findings.empty()) continue;
      result.verdict = WorstVerdict(result.findings);
      result.transcript = KeepTranscript(transcript);
      Finish(finished_.size(), std::move(result));
    }
  }

  void Plan() {
    PlanSettings settings = settings_.plan;
    settings.over_http = settings_.reach.over_http;
    settings.is_ours = settings_.reach.url.empty();
    settings.both_transports = settings_.counterpart.has_value();
    std::vector<PlannedRun> plan =
        PlanRuns(library_.cases, library_.catalogue, discovery_.facts, settings);
    std::set<std::string> planned;
    for (const PlannedRun& run : plan) planned.insert(run.test_case->id);
    for (const Case& test_case : library_.cases) {
      if (!planned.contains(test_case.id)) outcome_.left_out.push_back(test_case.id);
    }
    if (listener_.planned) listener_.planned(static_cast<int>(plan.size()));
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      if (plan[i].skip_reason.empty()) {
        jobs.push_back({.number = i, .run = plan[i]});
      } else {
        Result result = DescribeRun(plan[i], settings_.reach.over_http);
        result.verdict = Verdict::kSkip;
        result.skip_reason = plan[i].skip_reason;
        result.skip_detail = plan[i].skip_detail;
        Finish(i, std::move(result));
      }
    }
    if (settings_.seed) std::shuffle(jobs.begin(), jobs.end(), std::mt19937_64(*settings_.seed));
    for (Job& job : jobs) Enqueue(std::move(job));
  }

  void Enqueue(Job job) {
    const bool share = !settings_.isolate && MayShare(*job.run.test_case);
    if (!share) {
      Alone(std::move(job));
      return;
    }
    for (const auto& group : groups_) {
      if (group->era == job.run.era && group->revision == job.run.revision) {
        group->jobs.push_back(std::move(job));
        return;
      }
    }
    groups_.push_back(std::make_shared<Group>());
    groups_.back()->era = job.run.era;
    groups_.back()->revision = job.run.revision;
    groups_.back()->jobs.push_back(std::move(job));
  }

  // A server that is not ours to start is one for all: what must have it for itself comes last, one
  // after another.
  void Alone(Job job) {
    const bool solitary = !settings_.reach.url.empty() &&
                          (MustBeAlone(*job.run.test_case) || job.shared_result || job.crowded);
    (solitary ? solitary_ : alone_).push_back(std::move(job));
  }

  // Takes work until there is none left, and none can come of what others are doing.
  Task<void> Work() {
    for (;;) {
      if (!groups_.empty()) {
        const auto group = groups_.front();
        groups_.pop_front();
        ++sharing_;
        co_await RunGroup(group);
        --sharing_;
        work_arrived_.Ring();
      } else if (!alone_.empty()) {
        Job job = std::move(alone_.front());
        alone_.pop_front();
        co_await RunAlone(std::move(job));
      } else if (sharing_ > 0) {
        co_await work_arrived_.Wait(Clock::time_point::max());
      } else {
        co_return;
      }
    }
  }

  // Whether every finding of the result was seen in a case that had the server for itself: then
  // nobody else brought it about here.
  bool Confirmed(const Result& result) const {
    return result.verdict != Verdict::kError &&
           std::all_of(result.findings.begin(), result.findings.end(),
                       [&](const ReportedFinding& finding) {
                         return confirmed_.contains({finding.requirement, finding.message});
                       });
  }

  void LookAgainAlone(Job job) {
    job.crowded = true;
    Alone(std::move(job));
    work_arrived_.Ring();
  }

  Task<void> RunGroup(std::shared_ptr<Group> group) {
    while (!group->jobs.empty() && !interrupted_) {
      if (group->deaths >= kMaxDeaths) {
        for (Job& job : group->jobs) Alone(std::move(job));
        group->jobs.clear();
        work_arrived_.Ring();
        co_return;
      }
      const std::shared_ptr<Connection> connection = co_await servers_->Take();
      bool open = true;
      if (group->era == Era::kLegacy) open = co_await OpenShared(connection, group->revision);
      if (open) {
        const std::size_t width = group->era == Era::kModern ? kInFlight : 1;
        std::vector<Task<void>> lanes;
        for (std::size_t i = 0; i < std::min(width, group->jobs.size()); ++i) {
          lanes.push_back(RunShared(group, connection));
        }
        co_await loop_.All(std::move(lanes));
      }
      if (connection->over_http()) co_await EndSharedSession(connection);
      if (!open || connection->ended() || group->stuck) ++group->deaths;
      const bool stuck = std::exchange(group->stuck, false);
      co_await connection->channel().Shutdown(stuck ? std::chrono::milliseconds(0)
                                                    : settings_.timeout);
      RecallDisturbed(*group);
    }
  }

  Task<bool> OpenShared(std::shared_ptr<Connection> connection, std::string revision) {
    Transcript transcript;
    Dialogue dialogue(transcript, {Json::Object(), DefaultClientInfo()}, settings_.timeout,
                      settings_.start_within);
    Session& session = dialogue.Attach("main", connection, false);
    co_return (co_await dialogue.Handshake(session, revision)).empty();
  }

  Task<void> EndSharedSession(std::shared_ptr<Connection> connection) {
    Transcript transcript;
    Dialogue dialogue(transcript, {Json::Object(), DefaultClientInfo()}, settings_.timeout,
                      settings_.start_within);
    co_await dialogue.EndSession(dialogue.Attach("main", connection, false));
  }

  Task<void> RunShared(std::shared_ptr<Group> group, std::shared_ptr<Connection> connection) {
    while (!group->jobs.empty() && !connection->ended() && !group->stuck && !interrupted_) {
      Job job = std::move(group->jobs.front());
      group->jobs.pop_front();
      Trial one = co_await RunOnce(job.run, connection, false);
      if (interrupted_) co_return;
      if (one.disturbed || one.result.verdict != Verdict::kPass) {
        // A timeout among others says nothing of statelessness: the server was busy.
        if (!one.disturbed && !one.timed_out) {
          job.crowded_result = one.result;
          job.crowded_proved = std::move(one.proved);
          job.shared_result = std::move(one.result);
        }
        // Whoever comes next would only wait for nothing as well.
        if (one.hung) group->stuck = true;
        LookAgainAlone(std::move(job));
        continue;
      }
      group->passed.push_back({std::move(job), std::move(one)});
    }
  }

  // What passed on a shared server counts once the server has said its last: a late second answer
  // takes it back.
  void RecallDisturbed(Group& group) {
    for (auto& [job, one] : std::exchange(group.passed, {})) {
      if (one.lane->disturbed()) {
        LookAgainAlone(std::move(job));
        continue;
      }
      proved_.insert(one.proved.begin(), one.proved.end());
      Finish(job.number, std::move(one.result));
    }
  }

  Task<void> RunAlone(Job job) {
    if (job.run.test_case->topology) {
      co_await RunWithFleet(std::move(job));
      co_return;
    }
    const std::shared_ptr<Connection> connection = co_await servers_->Take();
    Trial one = co_await RunOnce(job.run, connection, true);
    if (interrupted_) co_return;
    if (!settings_.reach.url.empty() && !job.crowded && one.result.verdict != Verdict::kPass &&
        one.result.verdict != Verdict::kSkip && !MustBeAlone(*job.run.test_case)) {
      job.crowded_result = std::move(one.result);
      job.crowded_proved = std::move(one.proved);
      LookAgainAlone(std::move(job));
      co_return;
    }
    if (job.crowded) {
      for (const ReportedFinding& finding : one.result.findings) {
        confirmed_.emplace(finding.requirement, finding.message);
      }
    }
    if (job.shared_result && one.result.verdict == Verdict::kPass) {
      NoteDifference(*job.shared_result, one.result, job.run);
    }
    proved_.insert(one.proved.begin(), one.proved.end());
    Finish(job.number, std::move(one.result));
  }

  Task<void> RunWithFleet(Job job) {
    FleetStart start = co_await StartFleet(loop_, SourceOf(settings_), *job.run.test_case->topology,
                                           discovery_.facts.fleet.value_or(FleetSetup{}));
    fleets_.insert(start.fleet);
    Trial one;
    if (start.why_not.empty() && !interrupted_) {
      one = co_await RunOnce(job.run, nullptr, true, start.fleet.get());
    } else {
      one.result = DescribeRun(job.run, true);
      one.result.verdict = Verdict::kSkip;
      one.result.skip_reason = "precondition";
      one.result.skip_detail = start.why_not;
    }
    co_await start.fleet->Close();
    fleets_.erase(start.fleet);
    if (interrupted_) co_return;
    proved_.insert(one.proved.begin(), one.proved.end());
    Finish(job.number, std::move(one.result));
  }

  // It failed among others and passes alone: the server depends on what came before.
  void NoteDifference(const Result& shared, Result& alone, const PlannedRun& run) {
    alone.repeat_differs = true;
    const Requirement* requirement = library_.catalogue.Find(kStatelessness);
    if (run.era != Era::kModern || requirement == nullptr || shared.findings.empty()) return;
    ReportedFinding finding;
    finding.requirement = requirement->id;
    finding.level = ToString(requirement->level);
    finding.basis = ToString(requirement->basis);
    finding.counts_as = Verdict::kWarn;
    finding.message = "among other requests this failed (" + shared.findings.front().requirement +
                      ": " + shared.findings.front().message + "), alone it passes";
    finding.step = shared.findings.front().step;
    finding.expected = shared.findings.front().expected;
    finding.actual = shared.findings.front().actual;
    finding.link = requirement->link;
    finding.text = requirement->text;
    alone.findings.push_back(std::move(finding));
    alone.verdict = Verdict::kWarn;
    alone.transcript = shared.transcript;
  }

  // `fleet`: of a case with a topology, which has it instead of a connection.
  Task<Trial> RunOnce(const PlannedRun& run, std::shared_ptr<Connection> connection, bool alone,
                      Fleet* fleet = nullptr) {
    if (listener_.started) listener_.started(run.test_case->id);
    const TrialSettings trial{.timeout = settings_.timeout,
                              .start_within = settings_.start_within,
                              .over_http = settings_.reach.over_http,
                              .keep_transcript = settings_.keep_all_transcripts,
                              .tokens = settings_.tokens,
                              .connect =
                                  [this, beside = connection.get(), fleet](std::string transport) {
                                    return ConnectFrom(beside, fleet, std::move(transport));
                                  },
                              .fleet = fleet};
    Trial one = co_await RunTrial(loop_, run, library_, discovery_.facts, trial,
                                  std::move(connection), alone);
    if (!one.result.findings.empty()) one.result.case_file = WriteCaseFile({*run.test_case});
    co_return one;
  }

  // Another connection beside one that a case has.
  Task<std::shared_ptr<Connection>> ConnectFrom(const Connection* connection, Fleet* fleet,
                                                std::string transport) {
    const std::string own = settings_.reach.over_http ? "http" : "stdio";
    if (transport.empty() || transport == own) {
      co_return fleet != nullptr ? fleet->Connect("main") : servers_->Beside(*connection);
    }
    co_return co_await counterparts_->Take();
  }

  void Finish(std::size_t number, Result result) {
    if (listener_.finished) listener_.finished(result);
    finished_.emplace_back(number, std::move(result));
  }

  const Library& library_;
  const RunSettings& settings_;
  const RunListener& listener_;
  Loop loop_;
  std::unique_ptr<Servers> servers_;
  std::unique_ptr<Servers> counterparts_;  // over the other transport; null: not known how
  Bell work_arrived_;
  Bell tick_{loop_};
  std::shared_ptr<void> interrupt_guard_;
  Discovery discovery_;
  RunOutcome outcome_;
  std::deque<std::shared_ptr<Group>> groups_;
  std::deque<Job> alone_;
  std::deque<Job> solitary_;  // when nobody else is at work any more
  std::vector<std::pair<std::size_t, Result>> finished_;
  std::set<std::shared_ptr<StartedFleet>> fleets_;  // at work
  std::set<std::string> proved_;
  std::set<std::pair<std::string, std::string>> confirmed_;  // requirement and words of findings
  int sharing_ = 0;
  bool interrupted_ = false;
  bool over_ = false;
};

}  // namespace

RunOutcome RunCases(const Library& library, const RunSettings& settings,
                    const RunListener& listener) {
  AdoptOrphans();
  Runner runner(library, settings, listener);
  return runner.Run();
}

}  // namespace assay
