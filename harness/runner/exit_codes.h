// What `assay` ends with. `assay --help` prints the table; ci/docs holds docs/reports.md to it.

#pragma once

#include <array>

namespace assay {

inline constexpr int kExitMet = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitUntestable = 3;
inline constexpr int kExitInterrupted = 130;

struct ExitCodeMeaning {
  int code;
  const char* means;
};
inline constexpr std::array kExitCodes = {
    ExitCodeMeaning{kExitMet, "the server meets what is required"},
    ExitCodeMeaning{kExitFindings, "findings at a required level, or a stale baseline entry"},
    ExitCodeMeaning{kExitUsage, "bad usage or a bad case file"},
    ExitCodeMeaning{kExitUntestable,
                    "the server could not be tested, or a case could not be judged (1 wins over "
                    "it)"},
    ExitCodeMeaning{kExitInterrupted, "interrupted; the reports of what ran are written"},
};

}  // namespace assay
