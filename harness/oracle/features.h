// What tools, prompts, resources and completions send, beyond its shape: names, schemas, URIs,
// base64, structured output, pages (server/*).

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> FeatureRules();

}  // namespace assay::oracle
