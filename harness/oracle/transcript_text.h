// Transcripts as text, for tests.
//
//   era: modern            how connections open; also `revision:`, `client: {…}`, `shared: yes`
//   @ steps/2              the step of what follows
//   > {"jsonrpc": …}       a line of the client
//   < {"jsonrpc": …}       a line of the server; `<| …` has no newline after it
//   ! exited 3             an event: started, closed, output-closed, exited CODE, died SIGNAL,
//                          killed, hang, dropped MESSAGE, overlong, flood, orphans, signal NAME
//   # …                    nothing
//
// ~ at the start of a line puts it on a second connection, `other`. $ENV stands for the members of
// a good envelope, $2026 for the same as the whole of params.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exchange/transcript.h"
#include "oracle/finding.h"

namespace assay::oracle {

Transcript ParseTranscript(std::string_view text);

// The requirements that the oracle finds broken, in order; with a `?` those at most to warn of.
std::vector<std::string> Verdicts(std::string_view text);
// Likewise, findings and all.
std::vector<Finding> FindingsOf(std::string_view text);

}  // namespace assay::oracle
