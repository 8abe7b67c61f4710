// Whether a value conforms to a schema (JSON Schema 2020-12 Core §7, §10, §11 and Validation §6;
// draft-07 Validation §6).

#pragma once

#include "message/json.h"
#include "oracle/json_schema.h"
#include "oracle/json_schema_document.h"

namespace assay::oracle {

// `document` must be valid (CheckSyntax). Three-valued: where a part is not judged the whole may
// still be valid or invalid, whatever that part says. Takes a bounded number of steps.
SchemaAnswer Evaluate(const SchemaDocument& document, const Json& instance);

}  // namespace assay::oracle
