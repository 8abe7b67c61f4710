// What the order in which messages came tells of the order in which the server said them: over
// stdio, everything; over HTTP streams overtake each other.

#pragma once

#include "oracle/ledger.h"

namespace assay::oracle {

// Whether both came on one stream, so that the server said first what came first.
bool SameStream(const Received& a, const Received& b);

}  // namespace assay::oracle
