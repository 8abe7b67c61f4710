// Case -> YAML: how a sequence that something found becomes a case file. LoadCaseFile reads back
// the same cases.

#pragma once

#include <string>
#include <vector>

#include "case/case.h"
#include "case/yaml.h"

namespace assay {

// The text of one case file. All `cases` are of one suite, none has two variants here, and each
// proves something; nothing is left to suite-wide defaults, so that each case tells all about
// itself.
std::string WriteCaseFile(const std::vector<Case>& cases);

// One step as a node, for those who show steps to people.
YamlNode StepNode(const Step& step);

}  // namespace assay
