// Which tools play which roles: those a profile names, and those that are safe by their own word.

#pragma once

#include <map>
#include <string>

#include "discover/profile.h"
#include "exchange/facts.h"

namespace assay {

// Fills in facts.roles and facts.withheld_roles.
void AssignRoles(ServerFacts& facts, const Profile* profile, bool allow_tool_calls);

}  // namespace assay
