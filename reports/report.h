// The result model: what a run found. Everything a report is made of, and nothing of how it came
// about. The members are those of report.json, schema 1.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message/json.h"

namespace assay {

// Fail, warn and differs in the order of their weight.
enum class Verdict { kPass, kFail, kWarn, kDiffers, kSkip, kError };
std::string_view ToString(Verdict verdict);  // pass | fail | warn | differs | skip | error

struct ReportedFinding {
  std::string requirement;
  std::string level;                   // must | must_not | should | should_not | may | contract
  std::string basis;                   // keyword | schema | ... | ""
  Verdict counts_as = Verdict::kFail;  // fail | warn | differs: what this finding alone would give
  std::string message;
  std::string step;  // steps/2 | ""
  std::optional<Json> expected;
  std::optional<Json> actual;
  std::string link;
  std::string text;  // the requirement's own words
  bool baselined = false;
  std::string baseline_reason;  // of a baselined one
};

struct ReportedUnjudged {  // what was looked at and could not be judged
  std::string requirement;
  std::string why;
};

struct TranscriptLine {
  std::chrono::microseconds at{0};
  std::string connection;
  std::string direction;  // out | in | err | event
  std::string bytes;
  std::string step = {};    // steps/2: the step that sent or awaited it | ""
  bool by_harness = false;  // out: of the engine itself (handshake, fence, answer), not of a step
};

// HTTP requests that a case measures under one name.
struct Measured {
  std::string name;
  int requests = 0;
  std::chrono::microseconds held{0};     // from a request to the end of its answer, all together
  std::chrono::microseconds thought{0};  // how long the person of the case thought
  std::chrono::microseconds held_while_thinking{0};
  std::string began_on;     // the instance that answered the first one; "" when not known
  std::string finished_on;  // likewise the last one
  std::size_t bytes = 0;    // of what came back, without heads and framing
};

struct Result {
  std::string case_id;
  std::string title;
  std::string era;       // legacy | modern | none
  std::string revision;  // "" with era none
  std::string transport;
  std::string source = "case";  // case | explore | fuzz
  std::string place;            // file:line:column of the case
  Verdict verdict = Verdict::kPass;
  std::vector<std::string> requires_ids;
  std::string skip_reason;  // not-declared | needs-role | not-this-era | not-this-transport |
                            // unsafe-tool | precondition
  std::string skip_detail;  // in words
  std::string error;        // of verdict error, in words
  std::string baseline;     // expected | stale | ""
  bool repeat_differs = false;
  std::chrono::microseconds duration{0};
  std::vector<ReportedFinding> findings;
  std::vector<ReportedUnjudged> unjudged;
  std::vector<Measured> measured;
  std::vector<TranscriptLine> transcript;  // empty for a pass, unless asked for
  std::string case_file;  // the case as a YAML file of its own, where there are findings
};

struct RequirementState {
  std::string id;
  std::string level;
  std::string basis;
  std::string state;  // passed | failed | not-judged
  std::string why;    // of not-judged
  std::vector<std::string> cases;
  std::string text = {};  // its own words
  std::string link = {};  // where the specification says it; "" for contract items
};

struct Cause {  // a finding that many cases share
  std::string requirement;
  std::string message;
  Verdict counts_as = Verdict::kFail;
  std::vector<std::string> cases;
};

struct StaleBaseline {  // a baseline entry whose case ran and did not fail for its requirement
  std::string case_id;
  std::string requirement;
  std::string place;  // file:line:column
};

struct Target {
  std::vector<std::string> command;  // or url
  std::string url;
  std::string server_name;
  std::string server_version;
  std::string transport = "stdio";
  std::vector<std::string> eras;
  std::map<std::string, std::string> refusals;  // era that is not served -> how it is refused
  std::vector<std::string> revisions;
  std::string era_policy;
  std::vector<std::string> tasks;
  Json capabilities = Json::Object();
  std::string profile;  // the profile in use, or ""
};

struct Report {
  std::string version;  // of assay
  std::uint64_t seed = 0;
  std::string started;  // RFC 3339
  std::chrono::milliseconds duration{0};
  bool partial = false;  // interrupted
  // Of a run with --shard: which part of how many.
  int shard = 1;
  int shards = 1;
  Target target;
  // The options that decide what a case does (--cases DIR, --profile NAME, ...), word by word, for
  // the command that reproduces a finding. Never the ones that carry secrets.
  std::vector<std::string> options;
  std::map<Verdict, int> counts;
  std::vector<Cause> causes;
  std::vector<RequirementState> requirements;
  std::vector<Result> results;
  std::vector<StaleBaseline> stale;
  std::vector<std::string> required;  // must, should, contract
  int exit_code = 0;
};

}  // namespace assay
