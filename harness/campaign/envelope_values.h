// The _meta of a request as no client should write it, and as any client may.

#pragma once

#include "campaign/chance.h"
#include "campaign/subject.h"

namespace assay {

// A key of _meta: within its grammar (2026-07-28 basic § _meta: a prefix of labels, a slash, a
// name), at its edges, outside of it, or with a prefix that is reserved.
std::string MetaKey(Chance& chance);

// A complete envelope, as a good client sends it.
Json PlainEnvelope(const Subject& subject);

// An envelope with one to three oddities: keys left out, doubled or of another type, versions and
// capabilities of every shape, further keys, tokens, levels, depth.
Json OddEnvelope(const Subject& subject, Chance& chance);

}  // namespace assay
