// What a server may ask of the client, and how: forms, addresses, conversations with a model.

#pragma once

#include <vector>

#include "oracle/findings.h"

namespace assay::oracle {

std::vector<Rule> QuestionRules();

}  // namespace assay::oracle
