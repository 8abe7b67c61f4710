// Every named fault: a misbehaviour that was seen in real servers, and the requirement it breaks.
//
// Those of the exchange over HTTP have names that begin with http-. Those that show in a certain
// order of messages only, which no scripted case sends, have names that begin with order-; those
// that show with certain values only, value-. Those of a fleet show when there are several
// instances with one store behind one address, or one that is started anew.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "faults/fault.h"
#include "faults/http_script.h"
#include "faults/script.h"

namespace assay::reference {

struct NamedFault {
  std::string_view name;
  /// An id of the catalogue of requirements.
  std::string_view requirement;
  /// The report it imitates, or "-".
  std::string_view bug;
  std::string_view text;
  std::variant<Script (*)(), HttpScript (*)()> make;
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
std::vector<NamedFault> TaskFaults();
std::vector<NamedFault> AskingFaults();
std::vector<NamedFault> OrderFaults();
std::vector<NamedFault> ValueFaults();
std::vector<NamedFault> HttpHeaderFaults();
std::vector<NamedFault> HttpStatusFaults();
std::vector<NamedFault> HttpStreamFaults();
std::vector<NamedFault> FleetFaults();

/// All of them, in the order of --list-faults.
const std::vector<NamedFault>& AllFaults();

/// Whether the fault shows over HTTP only.
bool NeedsHttp(std::string_view name);

/// Whether it takes a fleet to show the fault, which is one over HTTP.
bool NeedsFleet(std::string_view name);

/// Whether the fault shows in a certain order of messages or with certain values only: `assay
/// explore` finds it, or `assay fuzz`.
bool HidesFromCases(std::string_view name);

/// A fault of the messages of one connection, or of the exchanges of all of them.
using AnyFault = std::variant<std::unique_ptr<Fault>, HttpScript>;

AnyFault Make(const NamedFault& fault);

/// The fault of that name or generic form, or what is wrong with the text.
std::variant<AnyFault, std::string> MakeFault(std::string_view specification);

}  // namespace assay::reference
