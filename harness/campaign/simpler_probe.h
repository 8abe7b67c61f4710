// Simpler forms of one probe, for shrinking a list of them (shrink/shrink.h).

#pragma once

#include <vector>

#include "campaign/probe.h"

namespace assay {

// Where the probe is an object in JSON: the same with fewer members, with less in them, less deep,
// with shorter texts; and without what is odd about how it is sent. The simplest first.
std::vector<Probe> WithFewerMembers(const Probe& probe);

// Without stretches of its bytes, half of them first. For what is no object in JSON: of one that
// is, members can go, and what is left would be something else.
std::vector<Probe> WithFewerBytes(const Probe& probe);

}  // namespace assay
