// Which case catches which seeded fault: the proof that the judge notices what it claims to.

#pragma once

#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "message/json.h"
#include "reports/report.h"

namespace assay {

struct SeededFault {
  std::string name;
  std::string requirement;  // that it breaks
  std::string bug;          // the report that it imitates, or "-"
  std::string text;
};

// Whether it shows over HTTP only: by its name, or because it takes a fleet.
bool NeedsHttp(const SeededFault& fault);

// What --list-faults of the reference server prints, one a line, cut at tabs.
std::vector<SeededFault> ReadFaults(const std::string& list);

class KillMatrix {
 public:
  // `cases`: all that there are, without variants.
  explicit KillMatrix(std::set<std::string> cases) : cases_(std::move(cases)) {}

  // A run without a fault. Whatever did not pass in it is wrong with the judge, or the reference.
  void AddClean(const Report& report);
  void AddFaulty(const SeededFault& fault, const Report& report);
  // A fault whose run could not be judged at all, and why.
  void AddFailed(const SeededFault& fault, const std::string& why);

  // Every fault is caught by a finding on its requirement, and nothing is found without one.
  bool Sound() const;

  void Print(std::ostream& out) const;
  void PrintMarkdown(std::ostream& out) const;
  // {faults: [{name, requirement, bug, caught, by: [case], elsewhere: [requirement]}], ...}
  Json ToJson() const;

 private:
  struct Row {
    SeededFault fault;
    std::set<std::string> by;         // cases with a finding on its requirement
    std::set<std::string> seen_by;    // cases with any finding
    std::set<std::string> elsewhere;  // other requirements that were found broken
    std::string failed;
    bool caught() const { return !by.empty(); }
  };

  std::vector<std::string> Uncaught() const;
  std::vector<std::string> Idle() const;  // cases that no fault makes fail

  std::set<std::string> cases_;
  std::vector<Row> rows_;
  std::map<std::string, std::string> unclean_;  // case -> what it found without a fault
  int clean_runs_ = 0;
};

}  // namespace assay
