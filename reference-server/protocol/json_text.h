// Reads pieces of a JSON document as they were written.
//
// Boost.JSON turns numbers into machine numbers, so the exact text of an id (1e2, 9007199254740993,
// or 30 digits) is gone after a parse. These functions find that text in the line itself. They
// never read past the end and never recurse, so they are safe on any bytes; on text that is not
// JSON they find nothing or something harmless.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace assay::reference {

/// The text of the value of member `name` of the object that `object` is the text of. With
/// duplicate names the last one counts, as in Boost.JSON.
std::optional<std::string_view> MemberText(std::string_view object, std::string_view name);

/// The texts of the elements of the array that `array` is the text of.
std::vector<std::string_view> ElementTexts(std::string_view array);

}  // namespace assay::reference
