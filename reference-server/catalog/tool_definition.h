// Shorthand for writing tools down.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <string_view>

#include "catalog/tool.h"

namespace assay::reference {

ToolResult Text(std::string_view text);
/// A result with isError.
ToolResult Failure(std::string_view text);
/// Structured content, and the same as text for clients that know none.
ToolResult Structured(boost::json::value value);

/// Takes the name out of the definition, which is JSON text.
Tool Define(std::string_view definition,
            std::function<void(const boost::json::object& arguments, ToolCall& call)> run);

}  // namespace assay::reference
