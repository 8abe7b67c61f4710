// summary.md: the run on one page, for pull requests and job summaries.

#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "reports/report.h"

namespace assay {

// Causes first, then findings by requirement with one example each, then what could not be judged;
// passes only as a count. Foreign text can neither format nor link.
void WriteMarkdown(const Report& report, std::ostream& out);

// Words in running text: nothing in them can format, link, or be HTML.
std::string MarkdownText(std::string_view words);
// The same as a span of code.
std::string MarkdownCode(std::string_view text);

}  // namespace assay
