// How a line may stand on the wire.

#pragma once

#include "campaign/chance.h"
#include "campaign/probe.h"

namespace assay {

// `line`, a message as text, in an odd frame: in pieces, together with others, with carriage
// returns, marks and blanks around it, not quite UTF-8, very long, very deep, a batch, no JSON.
// Ends with a newline, whatever it is.
Probe OddFrame(const std::string& line, Chance& chance);

}  // namespace assay
