// How a target says that something is wrong: it tells what, and stops the process where a fuzzer
// and a debugger can see it.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace assay::fuzz {

// `rule` is what must hold, `about` what it does not hold for.
inline void Expect(bool holds, std::string_view rule, std::string_view about = {}) {
  if (holds) return;
  std::fprintf(stderr, "BROKEN: %s\n  %s\n", std::string(rule).c_str(), std::string(about).c_str());
  std::abort();
}

}  // namespace assay::fuzz
