// Changes bytes, whatever they mean.

#pragma once

#include <string>

#include "campaign/chance.h"

namespace assay {

// One change: bits flipped, bytes lost, doubled or put in, a stretch moved, the end cut off. The
// text never gains a newline: that would make two lines of it.
void MutateBytes(std::string& bytes, Chance& chance);

}  // namespace assay
