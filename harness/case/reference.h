// The reference of case files, for people.

#pragma once

#include <string>

namespace assay {

// Markdown, made from the tables that the loader checks with (case/format.h) and from those of the
// matchers (message/matcher.h). docs/case-reference.md is this text.
std::string CaseReference();

}  // namespace assay
