// A campaign: rounds of probes against one server, from the outside. What is new in its answers
// decides what is changed further; what is wrong in them is made as small as it gets.
//
// The way of a finding: the generator (generator.h) makes plays of a round, the round is run as one
// case (probe.h) and judged as any case is (runner/proving_ground.h); what shows is told apart by
// its symptom (symptom.h), and that of a new one is shrunk and confirmed (reduction.h). Then the
// listener is told of it: cli/fuzz.cpp writes it as a case file.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/corpus.h"
#include "campaign/reduction.h"
#include "campaign/state_graph.h"
#include "reports/report.h"
#include "runner/runner.h"

namespace assay {

struct CampaignSettings {
  // The server, timeouts, jobs (rounds at once), levels and the seed.
  RunSettings run;
  std::optional<std::chrono::milliseconds> duration;  // of beginning rounds; nothing = no limit
  std::optional<std::uint64_t> iterations;            // inputs that are made; nothing = no limit
  std::uint64_t first_round = 0;                      // of a campaign that goes on
  std::vector<Case> known;  // found before: what of them still shows is found again at once
  std::size_t most_findings = 100;
};

struct CampaignFinding {
  Case test_case;  // names the requirement
  Result result;   // of its last run
  std::string last_words;
  std::uint64_t round = 0;
  std::string family;      // of the generator that made the last of its probes
  std::size_t probes = 0;  // how many messages show it
  std::size_t seen = 1;    // how often the same showed
};

// Numbers for people, and for the next campaign.
struct Tally {
  std::uint64_t rounds = 0;    // begun, those of earlier campaigns included
  std::uint64_t inputs = 0;    // plays
  std::uint64_t messages = 0;  // probes of rounds: what was sent to find something
  std::uint64_t received = 0;  // what the server said in rounds
  std::size_t corpus = 0;
  std::size_t states = 0;
  std::size_t answers = 0;  // different ones, by method and state
  std::size_t found = 0;
};

struct CampaignListener {
  std::function<void(const Discovery&)> discovered;
  // Every probe of a round, in the order in which they are sent, before they are.
  std::function<void(std::uint64_t round, const Manner&, const std::vector<Probe>&)> sent;
  std::function<void(const CampaignFinding&)> found;  // its number in `found` may change nothing
  std::function<void(const Tally&)> tick;             // about ten times a second
};

struct CampaignOutcome {
  Report report;  // the results are those of `found`, and of rounds that could not be judged
  std::vector<CampaignFinding> found;
  std::vector<std::string> unconfirmed;  // what showed, but not again, in words
  std::vector<std::string> fixed;        // ids of known cases that show nothing any more
  Tally tally;
  StateGraph states;
  std::chrono::milliseconds fuzzed{0};  // without what came before the first round
  bool testable = true;
  std::string why_not;
};

// Blocks until all is done. SIGINT and SIGTERM end it early: then the report is partial. `corpus`
// gains what led to something new.
CampaignOutcome Fuzz(const Library& library, const CampaignSettings& settings, Corpus& corpus,
                     const CampaignListener& listener);

}  // namespace assay
