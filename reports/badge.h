// A badge for a README: which eras of MCP the server speaks, and how it fared.

#pragma once

#include <ostream>

#include "reports/report.h"

namespace assay {

// The badge as a picture.
void WriteBadgeSvg(const Report& report, std::ostream& out);

// The badge for shields.io's endpoint (https://shields.io/badges/endpoint-badge).
void WriteBadgeJson(const Report& report, std::ostream& out);

}  // namespace assay
