// The HTTP request that carries a message.

#pragma once

#include "oracle/ledger.h"

namespace assay::oracle {

// Whether nothing about it is a reason to refuse it, before anybody reads the message or after: a
// POST with the media types that it must have, whose headers say the same as the message and are
// neither long nor odd. No order of checks is laid down (modern-notes A2). Over stdio always true.
bool IsCarriedWell(const Sent& sent);

}  // namespace assay::oracle
