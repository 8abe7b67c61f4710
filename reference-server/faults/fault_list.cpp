#include "faults/fault_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "faults/generic_fault.h"
#include "faults/generic_http_fault.h"

namespace assay::reference {

const std::vector<NamedFault>& AllFaults() {
  static const std::vector<NamedFault> all = [] {
    std::vector<NamedFault> faults;
    for (const auto list :
         {FramingFaults, JsonRpcFaults, EraFaults, EnvelopeFaults, ErrorCodeFaults, ToolFaults,
          PrimitiveFaults, CallFaults, NotificationFaults, ShutdownFaults, TaskFaults, AskingFaults,
          OrderFaults, ValueFaults, HttpHeaderFaults, HttpStatusFaults, HttpStreamFaults,
          FleetFaults}) {
      std::ranges::move(list(), std::back_inserter(faults));
    }
    return faults;
  }();
  return all;
}

bool NeedsHttp(std::string_view name) { return name.starts_with("http-") || NeedsFleet(name); }

bool NeedsFleet(std::string_view name) {
  const std::vector<NamedFault> faults = FleetFaults();
  return std::ranges::find(faults, name, &NamedFault::name) != faults.end();
}

bool HidesFromCases(std::string_view name) {
  return name.starts_with("order-") || name.starts_with("value-");
}

AnyFault Make(const NamedFault& fault) {
  if (const auto* make = std::get_if<HttpScript (*)()>(&fault.make)) return (*make)();
  return std::make_unique<ScriptedFault>(std::get<Script (*)()>(fault.make)());
}

std::variant<AnyFault, std::string> MakeFault(std::string_view specification) {
  if (LooksGeneric(specification) && NeedsHttp(specification)) {
    auto generic = MakeGenericHttpFault(specification);
    if (auto* problem = std::get_if<std::string>(&generic)) return std::move(*problem);
    return std::get<HttpScript>(std::move(generic));
  }
  if (LooksGeneric(specification)) {
    auto generic = MakeGenericFault(specification);
    if (auto* problem = std::get_if<std::string>(&generic)) return std::move(*problem);
    return std::get<std::unique_ptr<Fault>>(std::move(generic));
  }
  const auto found = std::ranges::find(AllFaults(), specification, &NamedFault::name);
  if (found == AllFaults().end()) {
    return "unknown fault " + std::string(specification) + "; --list-faults names them all";
  }
  return Make(*found);
}

}  // namespace assay::reference
