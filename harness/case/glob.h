// Globs as case filters use them.

#pragma once

#include <string_view>

namespace assay {

// `*` stands for any characters, `/` included, `?` for one.
bool MatchesGlob(std::string_view glob, std::string_view text);

}  // namespace assay
