// What a recorded answer must be like when it comes again.

#pragma once

#include <string_view>

#include "message/json.h"

namespace assay {

// A pattern (message/matcher.h) that `recorded` fits, and what a server answers the next time: what
// changes from one run to the next (times, ids, cursors, counters, long texts) is told by its kind,
// the rest by its value. Lists of what has a name are told by the names; `_meta` is left out.
Json Loosened(const Json& recorded);

// Whether the text that stands under `key` is a server's to choose: an id, a cursor, a time.
bool IsServersChoice(std::string_view key, std::string_view text);

// A template (message/template.h) of exactly `value`.
Json Literally(const Json& value);

}  // namespace assay
