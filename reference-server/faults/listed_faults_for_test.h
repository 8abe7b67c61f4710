// Lets a parameterised test run once for each fault of a kind, under the fault's name.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "faults/fault_list.h"

namespace assay::reference {

/// Where in AllFaults those are that need HTTP, or those that do not; without those that hide from
/// any conversation but one, and those that need more than one server.
inline std::vector<std::size_t> ListedFaults(bool needs_http) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < AllFaults().size(); ++i) {
    const std::string_view name = AllFaults()[i].name;
    if (HidesFromCases(name) || NeedsFleet(name)) continue;
    if (NeedsHttp(name) == needs_http) places.push_back(i);
  }
  return places;
}

/// Where in AllFaults those are that need a fleet.
inline std::vector<std::size_t> FaultsOfFleets() {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < AllFaults().size(); ++i) {
    if (NeedsFleet(AllFaults()[i].name)) places.push_back(i);
  }
  return places;
}

/// GoogleTest allows no hyphens in a name.
inline std::string NameOfListed(const testing::TestParamInfo<std::size_t>& tested) {
  std::string name(AllFaults()[tested.param].name);
  std::erase(name, '-');
  return name;
}

}  // namespace assay::reference
