// What cases measured, as the table that all reports show, and what the order of a list is worth.

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

// In words: what it would cost if the list of tools came in another order with each call, so that a
// prompt cache knew none of it. "" when no list was measured.
std::string CostOfAnUnstableList(const Report& report);

}  // namespace assay
