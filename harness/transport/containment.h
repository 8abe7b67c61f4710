// Keeps a server and all of its descendants within reach, so that nothing is left running.

#pragma once

#include <sys/types.h>

#include <string>

namespace assay {

// Makes orphaned descendants ours instead of init's, so that they can be found. Once per program.
void AdoptOrphans();

// The variable that marks a server's descendants, whatever group or session they move to.
inline constexpr char kServerMark[] = "ASSAY_SERVER";

// Kills what the server that led the group `leader`, and has ended, left running: its group, and
// our adopted children that carry `mark`. Reaps them. Returns how many were still alive.
int KillOrphans(pid_t leader, const std::string& mark);

}  // namespace assay
