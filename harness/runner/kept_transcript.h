// The transcript as a report keeps it: all of it, unless the server said far too much.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/report.h"
#include "transcript/transcript.h"

namespace assay {

// Keeps at most about a megabyte: of a longer transcript its beginning and its end, of a longer
// line its beginning. Where something was left out, it says how much. `tokens`, by name, may be
// secrets: an Authorization header shows the name of the one it has.
std::vector<TranscriptLine> KeepTranscript(const Transcript& transcript,
                                           const std::map<std::string, std::string>& tokens = {});

}  // namespace assay
