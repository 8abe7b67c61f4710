// Every named fault: a misbehaviour that was seen in real servers, and the requirement it breaks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "faults/fault.h"
#include "faults/script.h"

namespace assay::reference {

struct NamedFault {
  std::string_view name;
  /// An id of the catalogue of requirements.
  std::string_view requirement;
  /// The report it imitates, or "-".
  std::string_view bug;
  std::string_view text;
  Script (*make)();
};

/// One list for each place where servers go wrong.
std::vector<NamedFault> FramingFaults();
std::vector<NamedFault> JsonRpcFaults();
std::vector<NamedFault> EraFaults();
std::vector<NamedFault> EnvelopeFaults();
std::vector<NamedFault> ErrorCodeFaults();
std::vector<NamedFault> ToolFaults();
std::vector<NamedFault> PrimitiveFaults();
std::vector<NamedFault> CallFaults();
std::vector<NamedFault> NotificationFaults();
std::vector<NamedFault> ShutdownFaults();

/// All of them, in the order of --list-faults.
const std::vector<NamedFault>& AllFaults();

/// The fault of that name or generic form, or what is wrong with the text.
std::variant<std::unique_ptr<Fault>, std::string> MakeFault(std::string_view specification);

}  // namespace assay::reference
