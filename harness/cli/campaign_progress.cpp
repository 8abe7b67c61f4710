// One line.

#include "cli/campaign_progress.h"

#include <algorithm>

namespace assay {
namespace {

constexpr std::chrono::seconds kBetweenLines(10);

// With commas between thousands.
std::string Grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace

std::string ToString(const Tally& tally, std::chrono::milliseconds time) {
  const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, time.count()));
  return std::to_string(ms / 1000) + " s, " + Grouped(tally.inputs) + " inputs, " +
         Grouped(tally.messages * 1000 / ms) + " messages/s sent, " +
         Grouped(tally.received * 1000 / ms) + " received, corpus " + Grouped(tally.corpus) + ", " +
         Grouped(tally.states) + " states, " + Grouped(tally.answers) + " answers, " +
         Grouped(tally.found) + " found";
}

void CampaignProgress::Tick(const Tally& tally, std::chrono::steady_clock::time_point now) {
  if (!begun_) {
    begun_ = true;
    started_ = told_ = now;
    return;
  }
  if (!live_ && now - told_ < kBetweenLines) return;
  told_ = now;
  std::string line =
      "fuzz: " +
      ToString(tally, std::chrono::duration_cast<std::chrono::milliseconds>(now - started_));
  if (!live_) {
    out_ << line << std::endl;
    return;
  }
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(1, width_ - 1))));
  out_ << "\r\x1b[K" << line << std::flush;
  drawn_ = true;
}

void CampaignProgress::Clear() {
  if (drawn_) out_ << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

}  // namespace assay
