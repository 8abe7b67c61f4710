// Checks a tool's arguments against its inputSchema.
//
// Knows the keywords of JSON Schema 2020-12 that a catalogue of tools uses: type, enum, const,
// numeric and length limits, required, properties, additionalProperties, dependentRequired, items,
// prefixItems, allOf, anyOf, oneOf, not, if/then/else, and $ref to a place or an $anchor of the
// same schema. Other keywords are annotations to it. A $ref that leads nowhere refuses the value
// instead of accepting everything, and work is bounded, so that no schema can exhaust the server.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

namespace assay::reference {

/// What is wrong, with a JSON Pointer to the place; nothing if the value fits.
std::optional<std::string> SchemaProblem(const boost::json::object& schema,
                                         const boost::json::value& value);

}  // namespace assay::reference
