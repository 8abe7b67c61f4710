// Case ids are not paths, so fnmatch without FNM_PATHNAME is just right.

#include "case/glob.h"

#include <fnmatch.h>

#include <string>

namespace assay {

bool MatchesGlob(std::string_view glob, std::string_view text) {
  return ::fnmatch(std::string(glob).c_str(), std::string(text).c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace assay
