#include "reports/junit.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/evidence.h"
#include "reports/exit_code.h"
#include "reports/visible_text.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr std::size_t kWireLineBytes = 2000;

// How readers of JUnit sort a result.
enum class Outcome { kPassed, kFailure, kError, kSkipped };

Outcome OutcomeOf(const Result& result, const Report& report) {
  if (result.verdict == Verdict::kError) return Outcome::kError;
  if (result.verdict == Verdict::kSkip) return Outcome::kSkipped;
  if (Counts(result, report)) return Outcome::kFailure;
  return result.baseline == "expected" ? Outcome::kSkipped : Outcome::kPassed;
}

struct Suite {
  std::string name;
  std::vector<const Result*> results;
};

std::vector<Suite> SuitesOf(const Report& report) {
  std::vector<Suite> suites;
  std::map<std::string_view, std::size_t> by_name;
  for (const Result& result : report.results) {
    const std::string_view id = result.case_id;
    const std::size_t end = id.substr(0, id.find('@')).rfind('/');
    const std::string_view name = end == std::string_view::npos ? id : id.substr(0, end);
    const auto [suite, is_new] = by_name.emplace(name, suites.size());
    if (is_new) suites.push_back({std::string(name), {}});
    suites[suite->second].results.push_back(&result);
  }
  return suites;
}

// Seconds, as Surefire's schema has them.
std::string Seconds(std::chrono::microseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(time.count()) / 1e6);
  return text;
}

void Set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name) = Visible(value).c_str();
}

void SetText(pugi::xml_node node, const std::string& text) { node.text().set(text.c_str()); }

std::string Describe(const ReportedFinding& finding) {
  std::string text = std::string(ToString(finding.counts_as)) + ": " + Visible(finding.message);
  text += "\n" + RequirementLine(finding);
  if (!finding.text.empty()) text += "\n" + Visible(Unwrapped(finding.text));
  if (!finding.link.empty()) text += "\n" + Visible(finding.link);
  if (finding.expected) text += "\nexpected " + ValueText(*finding.expected);
  if (finding.actual) text += "\nactual   " + ValueText(*finding.actual);
  if (finding.baselined) text += "\nknown: " + Visible(finding.baseline_reason);
  return text + "\n";
}

std::string Describe(const Result& result) {
  std::string text;
  for (const ReportedFinding& finding : result.findings) {
    text += (text.empty() ? "" : "\n") + Describe(finding);
  }
  return text;
}

void AddOutput(pugi::xml_node test, const std::string& findings, const Result& result,
               const Report& report) {
  std::string text = findings;
  for (const std::string& line : WireOf(result, kWireLineBytes)) text += line + "\n";
  if (text.empty()) return;
  SetText(test.append_child("system-out"), text + ReproduceCommand(result, report) + "\n");
}

void AddTest(pugi::xml_node suite, const Result& result, const Report& report) {
  pugi::xml_node test = suite.append_child("testcase");
  std::string classname = suite.attribute("name").value();
  std::replace(classname.begin(), classname.end(), '/', '.');
  Set(test, "classname", classname);
  const std::size_t slash = result.case_id.substr(0, result.case_id.find('@')).rfind('/');
  const std::string name =
      slash == std::string::npos ? result.case_id : result.case_id.substr(slash + 1);
  Set(test, "name", name + " (" + VariantOf(result) + ")");
  Set(test, "time", Seconds(result.duration));
  switch (OutcomeOf(result, report)) {
    case Outcome::kFailure: {
      const ReportedFinding* leading = LeadingFinding(result, report);
      pugi::xml_node failure = test.append_child("failure");
      Set(failure, "message", leading == nullptr ? result.title : leading->message);
      Set(failure, "type", leading == nullptr ? ToString(result.verdict) : leading->requirement);
      SetText(failure, Describe(result));
      AddOutput(test, "", result, report);
      break;
    }
    case Outcome::kError: {
      pugi::xml_node error = test.append_child("error");
      Set(error, "message", result.error);
      Set(error, "type", "error");
      AddOutput(test, "", result, report);
      break;
    }
    case Outcome::kSkipped: {
      const bool known = result.verdict != Verdict::kSkip;
      const std::string reason = known ? "known: " + KnownReason(result) : SkipText(result);
      Set(test.append_child("skipped"), "message", reason);
      if (known) AddOutput(test, Describe(result) + "\n", result, report);
      break;
    }
    case Outcome::kPassed:
      if (!result.findings.empty()) AddOutput(test, Describe(result) + "\n", result, report);
      break;
  }
}

struct Tally {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  std::chrono::microseconds time{0};

  void Add(Outcome outcome, std::chrono::microseconds duration) {
    ++tests;
    failures += outcome == Outcome::kFailure ? 1U : 0U;
    errors += outcome == Outcome::kError ? 1U : 0U;
    skipped += outcome == Outcome::kSkipped ? 1U : 0U;
    time += duration;
  }

  void WriteTo(pugi::xml_node node) const {
    node.append_attribute("tests") = static_cast<unsigned long long>(tests);
    node.append_attribute("failures") = static_cast<unsigned long long>(failures);
    node.append_attribute("errors") = static_cast<unsigned long long>(errors);
    Set(node, "time", Seconds(time));
  }
};

void AddStale(pugi::xml_node root, const Report& report, Tally& total) {
  if (report.stale.empty()) return;
  pugi::xml_node suite = root.append_child("testsuite");
  Set(suite, "name", "baseline");
  Tally tally;
  for (const StaleBaseline& stale : report.stale) {
    pugi::xml_node test = suite.append_child("testcase");
    Set(test, "classname", "baseline");
    Set(test, "name", stale.case_id + " " + stale.requirement);
    Set(test, "time", "0.000");
    pugi::xml_node failure = test.append_child("failure");
    Set(failure, "message", "stale: the case ran and did not fail for this requirement");
    Set(failure, "type", stale.requirement);
    SetText(failure, Visible(stale.place));
    tally.Add(Outcome::kFailure, {});
    total.Add(Outcome::kFailure, {});
  }
  tally.WriteTo(suite);
  suite.append_attribute("skipped") = 0;
}

}  // namespace

void WriteJUnit(const Report& report, std::ostream& out) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  Set(root, "name", "assay");
  Tally total;
  for (const Suite& suite : SuitesOf(report)) {
    pugi::xml_node node = root.append_child("testsuite");
    Set(node, "name", suite.name);
    Tally tally;
    for (const Result* result : suite.results) {
      AddTest(node, *result, report);
      tally.Add(OutcomeOf(*result, report), result->duration);
      total.Add(OutcomeOf(*result, report), result->duration);
    }
    tally.WriteTo(node);
    node.append_attribute("skipped") = static_cast<unsigned long long>(tally.skipped);
  }
  AddStale(root, report, total);
  total.WriteTo(root);
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
}

}  // namespace assay
