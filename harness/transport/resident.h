// How much memory a server takes.

#pragma once

#include <sys/types.h>

#include <cstddef>

namespace assay {

// The resident memory of the process `leader` and all of its descendants, in bytes; 0 where there
// is no such process. What several of them share is counted for each.
std::size_t ResidentBytes(pid_t leader);

}  // namespace assay
