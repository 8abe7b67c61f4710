// The resources and resource templates.
#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::reference {

inline constexpr std::string_view kWatchedResource = "test://watched-resource";
inline constexpr std::string_view kTemplate = "test://template/{id}/data";
inline constexpr std::string_view kFailingTemplate = "test://failing/{reason}";

/// What resources/list and resources/templates/list show to the newest revisions, in their order.
std::vector<boost::json::object> BuildResources();
boost::json::object BuildDynamicResource();
std::vector<boost::json::object> BuildTemplates();

struct UnknownResource {};
struct FailedResource {};

/// The contents array of resources/read. `changes` is how often the watched resource was changed.
std::variant<boost::json::array, UnknownResource, FailedResource> ReadContents(std::string_view uri,
                                                                               int changes,
                                                                               bool dynamic_exists);

}  // namespace assay::reference
