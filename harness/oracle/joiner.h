// Finds messages that a server spread over several lines: pretty-printed, or with raw newlines in a
// string. They break a rule of their own, and are still the answers that their requests got.

#pragma once

#include <cstddef>
#include <map>

#include "message/json.h"
#include "transcript/transcript.h"

namespace assay::oracle {

struct Joint {
  std::size_t lines = 0;  // on the first line; 0 on the others
  Json body;
  bool newline_in_string = false;
};

// By index of entry: every line of stdio that is part of such a message.
std::map<std::size_t, Joint> JoinLines(const Transcript& transcript);

}  // namespace assay::oracle
