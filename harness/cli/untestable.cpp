// The words.

#include "cli/untestable.h"

#include <iostream>
#include <sstream>

#include "reports/visible_text.h"

namespace assay {

void TellUntestable(const std::string& why_not, bool over_http) {
  std::cerr << "assay: this server could not be tested\n";
  std::stringstream why(why_not);
  for (std::string line; std::getline(why, line);) std::cerr << "  " << Visible(line) << "\n";
  std::cerr << (over_http
                    ? "Is it up, and does it speak MCP over HTTP at that path?\n"
                    : "Does it start by hand, and does it speak MCP over stdin and stdout?\n");
}

}  // namespace assay
