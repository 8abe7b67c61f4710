// The relay on stdio.

#pragma once

#include "testing/variation.h"

namespace assay {

// Carries what comes on stdin to the descriptor `to_server`, and lines from `from_server`, varied,
// to stdout, until the server closes its end.
void RelayStdio(Variation& variation, int to_server, int from_server);

}  // namespace assay
