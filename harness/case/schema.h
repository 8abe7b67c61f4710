// The JSON Schema of case files, for editors.

#pragma once

#include "message/json.h"

namespace assay {

// JSON Schema 2020-12, made from the tables that the loader checks with (case/format.h).
Json CaseFileSchema();

}  // namespace assay
