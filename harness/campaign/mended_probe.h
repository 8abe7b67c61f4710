// The same oddity in a message that a client may send: what a server does to that weighs more.

#pragma once

#include <vector>

#include "campaign/probe.h"

namespace assay {

// Requests with what is in the params of `probe` and with its further members, and all else as it
// should be; once with the keys of its _meta and once with others. Nothing where it is no object in
// JSON.
std::vector<Probe> MendedProbes(const Manner& manner, const Probe& probe);

}  // namespace assay
