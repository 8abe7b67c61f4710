// Times and prices, rounded as people read them.

#include "reports/measured.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace assay {
namespace {

// What is assumed of a model and its price. They change; what matters is the ratio.
constexpr double kBytesPerToken = 4;
constexpr int kCalls = 1000;
constexpr double kDollarsPerMillion = 3.00;        // of input tokens
constexpr double kCachedDollarsPerMillion = 0.30;  // of those that the cache knows

// So short that it says more of the machine than of the server.
constexpr std::chrono::milliseconds kHardly{1};

std::string Formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string Time(std::chrono::microseconds time) {
  if (time < kHardly) return "none";
  return Formatted("%.0f ms", static_cast<double>(time.count()) / 1000);
}

// "" when no list was measured.
std::string CostOfAnUnstableList(const Report& report) {
  for (const Result& result : report.results) {
    for (const Measured& one : result.measured) {
      if (one.name != kToolListMeasure || one.requests == 0 || one.bytes == 0) continue;
      const double bytes = static_cast<double>(one.bytes) / one.requests;
      const double tokens = bytes / kBytesPerToken;
      const double millions = tokens * kCalls / 1e6;
      return "The list of tools takes " + Formatted("%.0f", bytes) + " bytes, about " +
             Formatted("%.0f", tokens) + " tokens. If its order were another one each time, " +
             std::to_string(kCalls) + " model calls would pay " +
             Formatted("$%.2f", millions * kDollarsPerMillion) + " for it instead of " +
             Formatted("$%.2f", millions * kCachedDollarsPerMillion) +
             " (assumed: " + Formatted("%.0f", kBytesPerToken) + " bytes a token, " +
             Formatted("$%.2f", kDollarsPerMillion) + " a million input tokens, " +
             Formatted("$%.2f", kCachedDollarsPerMillion) + " of those cached).";
    }
  }
  return "";
}

bool ShowsWhatLegacyLoses(const Result& result) {
  return result.verdict == Verdict::kPass &&
         std::ranges::any_of(result.requires_ids, [](const std::string& id) {
           return id == "C-FLEET-LEGACY-NEEDS-STICKINESS" || id == "C-FLEET-RESTART-LEGACY-LOSES";
         });
}

}  // namespace

std::vector<MeasuredRow> MeasuredRows(const Report& report) {
  std::vector<MeasuredRow> rows;
  for (const Result& result : report.results) {
    for (const Measured& one : result.measured) {
      const bool thought = one.thought.count() > 0;
      rows.push_back({one.name, result.era, std::to_string(one.requests), Time(one.held),
                      thought ? Time(one.held_while_thinking) + " of " + Time(one.thought) : "",
                      one.began_on, one.finished_on});
    }
  }
  return rows;
}

std::vector<std::string> MeasuredInWords(const Report& report) {
  std::vector<std::string> words;
  for (const Result& result : report.results) {
    if (!ShowsWhatLegacyLoses(result)) continue;
    const std::string sentence = result.title + " (" + result.case_id + ").";
    if (std::ranges::find(words, sentence) == words.end()) words.push_back(sentence);
  }
  if (std::string cost = CostOfAnUnstableList(report); !cost.empty()) {
    words.push_back(std::move(cost));
  }
  return words;
}

}  // namespace assay
