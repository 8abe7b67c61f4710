// Arguments for a tool one knows nothing about but its schema, and whether calling it is harmless.

#pragma once

#include <optional>

#include "message/json.h"

namespace assay {

// The smallest arguments that `schema` (a tool's inputSchema) asks for; nothing where it asks for
// what cannot be made up from it.
std::optional<Json> MakeArguments(const Json& schema);

// The tool says of itself that it changes nothing (annotations.readOnlyHint).
bool SaysReadOnly(const Json& tool);

}  // namespace assay
