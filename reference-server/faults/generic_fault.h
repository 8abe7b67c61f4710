// The faults that take any message apart: `mutate=`, `drop=`, `inject=`, `append=`, `answer=`,
// `exit=`, `hang=` and `answer-notification=`. They prove that a case notices what it should.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "faults/fault.h"

namespace assay::reference {

/// One line for each form, for --help.
extern const std::string_view kGenericFaultHelp;

/// Whether the text has the form of a generic fault, well-formed or not: NAME=….
bool LooksGeneric(std::string_view specification);

/// The fault, or what is wrong with its specification.
std::variant<std::unique_ptr<Fault>, std::string> MakeGenericFault(std::string_view specification);

}  // namespace assay::reference
