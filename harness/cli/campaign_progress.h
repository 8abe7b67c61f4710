// What people see while a campaign goes on: on a terminal one line that is rewritten in place,
// elsewhere a line now and then.

#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "campaign/campaign.h"

namespace assay {

// Not thread-safe.
class CampaignProgress {
 public:
  CampaignProgress(std::ostream& out, bool live, int width)
      : out_(out), live_(live), width_(width) {}

  // Called about ten times a second.
  void Tick(const Tally& tally, std::chrono::steady_clock::time_point now);
  // Wipes the line, so that others may print.
  void Clear();

 private:
  std::ostream& out_;
  bool live_;
  int width_;  // columns
  bool drawn_ = false;
  bool begun_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point told_;
};

// "12 s, 61,344 inputs, 5,204 messages/s sent, 5,107 received, corpus 310, 9 states, 241 answers, 2
// found".
std::string ToString(const Tally& tally, std::chrono::milliseconds time);

}  // namespace assay
