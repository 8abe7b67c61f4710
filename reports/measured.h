// What cases measured, as the table that all reports show, and what it means in words.

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reports/report.h"

namespace assay {

// The name under which cases measure answers to tools/list.
inline constexpr std::string_view kToolListMeasure = "tool-list";

using MeasuredRow = std::array<std::string, 7>;

inline constexpr std::array<std::string_view, 7> kMeasuredColumns = {
    "", "era", "requests", "held", "while thinking", "began on", "finished on"};

// A row for each thing measured, in the order of the results; the same case at another revision has
// a row of its own.
std::vector<MeasuredRow> MeasuredRows(const Report& report);

// What is no fault, and worth knowing: where the legacy era breaks behind a balancer, by the titles
// of the cases that saw it (C-FLEET-LEGACY-NEEDS-STICKINESS, C-FLEET-RESTART-LEGACY-LOSES); and
// what it would cost if the list of tools came in another order with each call, so that a prompt
// cache knew none of it.
std::vector<std::string> MeasuredInWords(const Report& report);

}  // namespace assay
