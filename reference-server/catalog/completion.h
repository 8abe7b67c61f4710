// Suggestions for prompt arguments and template variables (completion/complete).
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace assay::reference {

class Catalog;

/// The `completion` member of the result, or why the params are invalid.
std::variant<boost::json::object, std::string> Complete(const Catalog& catalog,
                                                        const boost::json::object& params);

}  // namespace assay::reference
