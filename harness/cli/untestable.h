// What people are told of a server that cannot be tested.

#pragma once

#include <string>

namespace assay {

// On stderr. `why_not`: in words, with the server's last ones.
void TellUntestable(const std::string& why_not, bool over_http);

}  // namespace assay
