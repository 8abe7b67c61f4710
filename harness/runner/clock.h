// The time of day, for reports.

#pragma once

#include <string>

namespace assay {

std::string Rfc3339Now();  // UTC, whole seconds

}  // namespace assay
