#include "faults/fault_list.h"

#include <algorithm>
#include <iterator>

#include "faults/generic_fault.h"

namespace assay::reference {

const std::vector<NamedFault>& AllFaults() {
  static const std::vector<NamedFault> all = [] {
    std::vector<NamedFault> faults;
    for (const auto list :
         {FramingFaults, JsonRpcFaults, EraFaults, EnvelopeFaults, ErrorCodeFaults, ToolFaults,
          PrimitiveFaults, CallFaults, NotificationFaults, ShutdownFaults}) {
      std::ranges::move(list(), std::back_inserter(faults));
    }
    return faults;
  }();
  return all;
}

std::variant<std::unique_ptr<Fault>, std::string> MakeFault(std::string_view specification) {
  if (LooksGeneric(specification)) return MakeGenericFault(specification);
  const auto found = std::ranges::find(AllFaults(), specification, &NamedFault::name);
  if (found == AllFaults().end()) {
    return "unknown fault " + std::string(specification) + "; --list-faults names them all";
  }
  return std::make_unique<ScriptedFault>(found->make());
}

}  // namespace assay::reference
