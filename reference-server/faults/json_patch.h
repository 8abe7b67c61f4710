// JSON Patch (RFC 6902).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

namespace assay::reference {

/// Whether `patch` is a list of operations with their members; the reason if it is not.
std::optional<std::string> PatchProblem(const boost::json::value& patch);

/// Applies a patch that has no problem. If an operation does not fit the document, the document is
/// left as it was and false is returned.
bool ApplyPatch(const boost::json::value& patch, boost::json::value& document);

}  // namespace assay::reference
