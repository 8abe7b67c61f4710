// Transcripts as text, for tests.
//
//   era: modern            how connections open; also `revision: R` and `shared: yes`
//   open: R [S [C]]        a legacy handshake of revision R; S declares the server, C the client
//   @ steps/2              the step of what follows
//   > {"jsonrpc": …}       a line of the client
//   < {"jsonrpc": …}       a line of the server; `>| …` and `<| …` have no newline after them
//   => 1 tools/call {…}    the client's request with that id; params may be left out
//   -> METHOD {…}          the client's notification
//   >= 1 {…}               the client's result
//   <= 1 {…}               the server's result
//   <! 1 -32601            the server's error; `<! 1 {…}` gives it whole
//   <- METHOD {…}          the server's notification
//   <? 1 METHOD {…}        the server's request
//   ! exited 3             an event: started, closed, output-closed, exited CODE, died SIGNAL,
//                          killed, hang, dropped MESSAGE, overlong, flood, orphans, signal
//   # …                    nothing
//   http:                  all of it was over HTTP; then each line begins with the number of its
//                          exchange, `1: => 1 ping`, and there are also
//   1: GET NAME: VALUE | … a request without a body, of the harness' own accord
//   1: ! head 200 NAME: VALUE | …   the head of an answer; also ! no-data, ! id ID, ! retry,
//                          ! body TEXT, and ! end WORDS, which say what went wrong
//
// `~` before a line puts it on another connection. Within messages stand for members of an object:
// $ENV a good envelope, $DONE those of a good modern result, $KEEP cache hints; and $2026 is the
// whole params of a modern request.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/finding.h"
#include "transcript/transcript.h"

namespace assay::oracle {

Transcript ParseTranscript(std::string_view text);

// The requirements that the oracle finds broken, in order; with a `?` those at most to warn of.
std::vector<std::string> Verdicts(std::string_view text);
// Likewise, findings and all.
std::vector<Finding> FindingsOf(std::string_view text);
std::vector<Finding> FindingsOf(const Transcript& transcript);
// What it could not judge: "requirement: why".
std::vector<std::string> UnjudgedIn(std::string_view text);

}  // namespace assay::oracle
