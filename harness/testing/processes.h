// What is left of the servers that this process started, and how much memory it took.

#pragma once

#include <cstddef>

namespace assay {

// How many processes carry the mark of a server of ours, whatever session they moved to.
int CountServersAlive();

// The most memory that this process ever had, in bytes.
std::size_t PeakMemory();

}  // namespace assay
