// Where rules put what they find.

#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/finding.h"
#include "oracle/ledger.h"

namespace assay::oracle {

// One duty under its two names: the requirement of the modern era and that of the legacy one (""
// where an era has none), and the legacy revisions in which it holds.
struct Duty {
  std::string_view modern;
  std::string_view legacy;
  std::string_view since = "2024-11-05";
  std::string_view until = "2025-11-25";

  // The id that holds under this era and revision, or "". An unknown legacy revision only has the
  // duties that all of them have.
  std::string_view IdFor(Era era, std::string_view revision) const;
};

// What else a finding may say.
struct Detail {
  std::optional<Json> expected = std::nullopt;
  std::optional<Json> actual = std::nullopt;
  bool at_most_warn = false;
};

class Findings {
 public:
  // Reports `message` under the first of `duties` that holds where `received` is judged; nothing
  // when none does.
  void Report(std::initializer_list<Duty> duties, const Received& received, std::string message,
              Detail detail = {});
  void Report(const Duty& duty, const Received& received, std::string message, Detail detail = {}) {
    Report({duty}, received, std::move(message), std::move(detail));
  }
  // The same for what is no message of the server: what became of a request, or of the process.
  void Report(const Duty& duty, Era era, std::string_view revision, std::size_t at,
              std::string step, std::string message, Detail detail = {});

  // Says that `duty` could not be judged where `received` is; nothing when it does not hold there.
  void LeaveOpen(const Duty& duty, const Received& received, std::string why);
  // Each (requirement, why) once.
  const std::vector<Unjudged>& unjudged() const { return unjudged_; }

  // In transcript order; each (requirement, message) once, as a failure if one of them was one.
  std::vector<Finding> Take() &&;

 private:
  struct Placed {
    std::size_t at;
    Finding finding;
  };
  std::vector<Placed> placed_;
  std::vector<Unjudged> unjudged_;
};

// A rule: its name, every requirement that it may report, and what it does.
struct Rule {
  std::string_view name;
  std::vector<Duty> duties;
  void (*judge)(const Ledger&, Findings&);
};

}  // namespace assay::oracle
