// Whether a document is a schema: what the meta-schemas of 2020-12 and draft-07 say of each
// keyword's value, and that what is referred to is there.

#pragma once

#include "oracle/json_schema.h"
#include "oracle/json_schema_document.h"

namespace assay::oracle {

// Unknown keywords are legal. What names another dialect within the document is not judged, and
// everything around it is. Where the answer is kValid, everything that a reference can reach has
// keywords of the right form.
SchemaAnswer CheckSyntax(const SchemaDocument& document);

}  // namespace assay::oracle
