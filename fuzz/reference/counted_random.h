// In place of reference-server/random: what is random there is counted here, so that an input does
// the same whenever it is run, and without a system call.

#pragma once

namespace assay::fuzz {

// Begins to count anew.
void ResetRandom();

}  // namespace assay::fuzz
