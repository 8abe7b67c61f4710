// The head and the end of a report.

#include "runner/report_frame.h"

#include "runner/clock.h"
#include "runner/tally.h"
#include "version.h"

namespace assay {

Report BeginReport(const RunSettings& settings) {
  Report report;
  report.version = kVersion;
  report.seed = settings.seed.value_or(0);
  report.started = Rfc3339Now();
  report.required = settings.required;
  report.options = settings.told_options;
  return report;
}

void EndReport(Clock::time_point began, Report& report) {
  CountVerdicts(report);
  FindCauses(report);
  report.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
}

std::string WhyNotTestable(const Discovery& discovery) {
  const ServerFacts& facts = discovery.facts;
  std::string why = "legacy: " + facts.legacy.refusal + "\nmodern: " + facts.modern.refusal;
  if (!discovery.last_words.empty()) why += "\nits last words:\n" + discovery.last_words;
  return why;
}

Target DescribeTarget(const RunSettings& settings, const Discovery& discovery) {
  const ServerFacts& facts = discovery.facts;
  Target target;
  if (settings.reach.url.empty()) target.command = settings.command.argv;
  target.url = settings.reach.url;
  target.transport = settings.reach.over_http ? "http" : "stdio";
  target.server_name = facts.name;
  target.server_version = facts.version;
  if (facts.legacy.served) target.eras.emplace_back("legacy");
  if (facts.modern.served) target.eras.emplace_back("modern");
  if (!facts.legacy.served) target.refusals["legacy"] = facts.legacy.refusal;
  if (!facts.modern.served) target.refusals["modern"] = facts.modern.refusal;
  for (const EraFacts* era : {&facts.modern, &facts.legacy}) {
    target.revisions.insert(target.revisions.end(), era->revisions.begin(), era->revisions.end());
  }
  target.era_policy = facts.era_policy;
  target.tasks = facts.tasks;
  if (facts.legacy.served) target.capabilities.Set("legacy", facts.legacy.capabilities);
  if (facts.modern.served) target.capabilities.Set("modern", facts.modern.capabilities);
  target.profile = discovery.profile;
  return target;
}

}  // namespace assay
