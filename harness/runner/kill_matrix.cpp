// Sums over the runs with and without faults.

#include "runner/kill_matrix.h"

#include <algorithm>
#include <sstream>

namespace assay {
namespace {

std::string WithoutVariant(const std::string& id) { return id.substr(0, id.find('@')); }

Json Strings(const std::set<std::string>& words) {
  std::vector<Json> items;
  for (const std::string& word : words) items.push_back(Json::String(word));
  return Json::Array(std::move(items));
}

Json Strings(const std::vector<std::string>& words) {
  return Strings(std::set<std::string>(words.begin(), words.end()));
}

// The first few, and how many more.
std::string Few(const std::set<std::string>& words) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& word : words) {
    if (shown++ == kShown) break;
    text += (text.empty() ? "" : ", ") + word;
  }
  if (words.size() > kShown) text += " and " + std::to_string(words.size() - kShown) + " more";
  return text;
}

}  // namespace

bool NeedsHttp(const SeededFault& fault) {
  return fault.name.starts_with("http-") || fault.requirement.starts_with("C-FLEET-");
}

std::vector<SeededFault> ReadFaults(const std::string& list) {
  std::vector<SeededFault> faults;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream columns(line);
    SeededFault fault;
    std::getline(columns, fault.name, '\t');
    std::getline(columns, fault.requirement, '\t');
    std::getline(columns, fault.bug, '\t');
    std::getline(columns, fault.text, '\t');
    if (!fault.name.empty()) faults.push_back(std::move(fault));
  }
  return faults;
}

void KillMatrix::AddClean(const Report& report) {
  ++clean_runs_;
  for (const Result& result : report.results) {
    if (result.verdict == Verdict::kPass || result.verdict == Verdict::kSkip) continue;
    unclean_[result.case_id + " (" + result.transport + ")"] =
        result.findings.empty()
            ? std::string(ToString(result.verdict)) + ": " + result.error
            : result.findings.front().requirement + ": " + result.findings.front().message;
  }
}

void KillMatrix::AddFaulty(const SeededFault& fault, const Report& report) {
  Row row{fault, {}, {}, {}, {}};
  for (const Result& result : report.results) {
    for (const ReportedFinding& finding : result.findings) {
      const std::string id = WithoutVariant(result.case_id);
      row.seen_by.insert(id);
      if (finding.requirement == fault.requirement) {
        row.by.insert(id);
      } else {
        row.elsewhere.insert(finding.requirement);
      }
    }
  }
  rows_.push_back(std::move(row));
}

void KillMatrix::AddFailed(const SeededFault& fault, const std::string& why) {
  rows_.push_back({fault, {}, {}, {}, why});
}

std::vector<std::string> KillMatrix::Uncaught() const {
  std::vector<std::string> names;
  for (const Row& row : rows_) {
    if (!row.caught()) names.push_back(row.fault.name);
  }
  return names;
}

std::vector<std::string> KillMatrix::Idle() const {
  std::set<std::string> idle = cases_;
  for (const Row& row : rows_) {
    for (const std::string& id : row.seen_by) idle.erase(id);
  }
  return {idle.begin(), idle.end()};
}

bool KillMatrix::Sound() const { return unclean_.empty() && Uncaught().empty(); }

void KillMatrix::Print(std::ostream& out) const {
  for (const Row& row : rows_) {
    out << (row.caught() ? "caught   " : "MISSED   ") << row.fault.name << "  "
        << row.fault.requirement << "  ";
    if (row.caught()) {
      out << "by " << Few(row.by);
    } else if (!row.failed.empty()) {
      out << row.failed;
    } else if (row.elsewhere.empty()) {
      out << "nothing was found";
    } else {
      out << "found instead: " << Few(row.elsewhere);
    }
    out << "\n";
  }
  for (const auto& [id, what] : unclean_) out << "UNCLEAN  " << id << "  " << what << "\n";
  const std::size_t missed = Uncaught().size();
  out << "\n"
      << rows_.size() << " faults, " << rows_.size() - missed << " caught, " << missed
      << " missed; " << clean_runs_ << " runs without a fault, " << unclean_.size()
      << " cases did not pass them; " << Idle().size() << " of " << cases_.size()
      << " cases catch none of these faults\n";
}

void KillMatrix::PrintMarkdown(std::ostream& out) const {
  out << "# Which case catches which fault\n\n"
      << "| fault | imitates | breaks | caught by |\n|---|---|---|---|\n";
  for (const Row& row : rows_) {
    out << "| `" << row.fault.name << "`: " << row.fault.text << " | " << row.fault.bug << " | "
        << row.fault.requirement << " | "
        << (row.caught()         ? Few(row.by)
            : row.failed.empty() ? "**missed**"
                                 : "**not judged**: " + row.failed)
        << " |\n";
  }
  out << "\n## Cases that catch none of these faults\n\n"
      << "Each is proven by a fault of its own kind, named in `harness/selftest/proofs`.\n\n";
  for (const std::string& id : Idle()) out << "- " << id << "\n";
  if (unclean_.empty()) return;
  out << "\n## Cases that do not pass without a fault\n\n";
  for (const auto& [id, what] : unclean_) out << "- " << id << ": " << what << "\n";
}

Json KillMatrix::ToJson() const {
  std::vector<Json> faults;
  for (const Row& row : rows_) {
    Json entry = Json::Object({{"name", Json::String(row.fault.name)},
                               {"requirement", Json::String(row.fault.requirement)},
                               {"bug", Json::String(row.fault.bug)},
                               {"caught", Json::Boolean(row.caught())},
                               {"by", Strings(row.by)},
                               {"seen_by", Strings(row.seen_by)},
                               {"elsewhere", Strings(row.elsewhere)}});
    if (!row.failed.empty()) entry.Set("failed", Json::String(row.failed));
    faults.push_back(std::move(entry));
  }
  std::vector<Json> unclean;
  for (const auto& [id, what] : unclean_) {
    unclean.push_back(Json::Object({{"case", Json::String(id)}, {"what", Json::String(what)}}));
  }
  return Json::Object({{"faults", Json::Array(std::move(faults))},
                       {"missed", Strings(Uncaught())},
                       {"idle_cases", Strings(Idle())},
                       {"clean_runs", Json::Integer(clean_runs_)},
                       {"unclean", Json::Array(std::move(unclean))}});
}

}  // namespace assay
