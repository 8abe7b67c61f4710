// The areas of the specification, by which reports sort requirements and cases.

#pragma once

#include <string_view>
#include <vector>

namespace assay {

// The area of a requirement, told by its id: M-VER-UNSUPPORTED is about "versions", L-TOOLS-… and
// M-TOOLS-… both about "tools". "other" when the id is of no known area.
std::string_view AreaOf(std::string_view requirement);

// All areas in the order in which people read them, "other" last.
const std::vector<std::string_view>& Areas();

}  // namespace assay
