// The little of JSON Schema that can be judged without an implementation of it: whether a schema is
// well-formed in the keywords that every dialect has alike, and whether a value breaks them. Says
// nothing where a keyword it does not know could change the meaning.

#pragma once

#include <optional>
#include <string>

#include "message/json.h"

namespace assay::oracle {

// Why `schema` is no valid JSON Schema, or nothing.
std::optional<std::string> SchemaFault(const Json& schema);
// Why `value` surely does not conform to `schema`, or nothing.
std::optional<std::string> Nonconformance(const Json& schema, const Json& value);

}  // namespace assay::oracle
