// The lists a server may have, and what each owes.

#pragma once

#include <string>
#include <vector>

#include "exchange/facts.h"

namespace assay {

struct ListKind {
  std::string name;            // tools
  std::string method;          // tools/list
  std::string capability;      // tools
  std::string member;          // of the result: tools
  std::string key;             // that names an item: name, uri, uriTemplate
  std::string modern;          // the requirement that it is answered in its shape
  std::string legacy;          // the same in the legacy era
  std::string no_side_effect;  // modern: it does not change because of other requests; "" = unsaid
  bool has_items = false;      // it was not empty
};

// The lists that are declared in that era.
std::vector<ListKind> ListsOf(const EraFacts& era);

}  // namespace assay
