// Changes somewhere in a JSON tree, so that it stays JSON.

#pragma once

#include <string>
#include <vector>

#include "campaign/chance.h"
#include "message/json.h"

namespace assay {

// One change at one place of `root`: a member lost, doubled, renamed or put first, a value of
// another kind or one of `words`, something wrapped up or nested deeply, a number or a text a
// little different.
void MutateJson(Json& root, Chance& chance, const std::vector<std::string>& words);

}  // namespace assay
