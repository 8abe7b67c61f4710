// What rules say of the schemas that a server publishes.

#pragma once

#include <string>

#include "message/json.h"
#include "oracle/findings.h"

namespace assay::oracle {

// A schema without `$schema` is one of 2020-12.
inline constexpr Duty kDefaultDialect{"M-JSCHEMA-DEFAULT-DIALECT", "L-BASE-schema-dialect-2020-12",
                                      "2025-11-25"};

// Reports under `duty` that `schema` is no valid JSON Schema, or that it could not be judged. What
// is wrong without breaking a rule of the schema's dialect is at most a warning. What is only valid
// as draft-07 and does not declare it breaks kDefaultDialect besides. `what` begins the sentence:
// "The inputSchema of tool t".
void JudgeSchema(const Received& received, const std::string& what, const Json& schema,
                 const Duty& duty, Findings& findings);

}  // namespace assay::oracle
