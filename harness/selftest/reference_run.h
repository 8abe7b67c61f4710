// Runs built-in cases against the reference server with given arguments: what the self tests share.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/report.h"
#include "runner/library.h"
#include "runner/tokens.h"

namespace assay {

// Into how many parts a self test is cut that can run side by side.
inline constexpr std::size_t kSelfTestParts = 8;

// The built-in rules and cases, loaded once.
const Library& BuiltinLibrary();

// How the server is spoken to.
enum class Over { kStdio, kHttp };

// The report of `assay run --filter FILTERS... -- assay-reference-server ARGUMENTS...`; every
// revision that the cases are for. Over stdio the server is at hand over HTTP, too. Where ARGUMENTS
// have a --bearer the run has the first one's token, and all that the built-in cases name, each
// spelled like its name.
Report RunReference(const std::vector<std::string>& filters,
                    const std::vector<std::string>& arguments,
                    const std::vector<std::string>& revisions = {"all"},
                    Over transport = Over::kStdio);

// The same for any command line.
Report RunCommand(const std::vector<std::string>& command, const std::vector<std::string>& filters,
                  const std::vector<std::string>& revisions, Over transport);

// What `assay-reference-server --list-faults` prints, cut at tabs: name, requirement, bug, text.
std::vector<std::vector<std::string>> ListFaults();

}  // namespace assay
