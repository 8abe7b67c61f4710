// Opaque cursors (server/utilities/pagination).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::reference {

/// Names a position in a list: the same position always gives the same cursor.
std::string MakeCursor(std::string_view list, std::size_t offset);

/// The position, if `cursor` came from MakeCursor for the same list, whole and unchanged.
std::optional<std::size_t> ReadCursor(std::string_view list, std::string_view cursor);

}  // namespace assay::reference
