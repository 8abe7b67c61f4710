// The faults that take any HTTP exchange apart: `http-status=`, `http-without=`, `http-header=`,
// `http-first=`, `http-ignore=`, `http-body=` and `http-event=`. They prove that a case notices
// what it should.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "faults/http_script.h"

namespace assay::reference {

/// One line for each form, for --help.
extern const std::string_view kGenericHttpFaultHelp;

/// The fault, or what is wrong with its specification.
std::variant<HttpScript, std::string> MakeGenericHttpFault(std::string_view specification);

}  // namespace assay::reference
