// The requests that both eras have and that need neither a session nor time: lists, prompts/get,
// resources/read and completion/complete.
#pragma once

#include <optional>

#include "catalog/catalog.h"
#include "protocol/answer.h"
#include "protocol/message.h"
#include "protocol/revision.h"

namespace assay::reference {

/// Nothing if the method is not one of these. `answers` are those to what a prompt asks.
std::optional<Outcome> AnswerPrimitive(Catalog& catalog, const Request& request, Revision revision,
                                       const boost::json::object& answers = {});

/// A string member of the params, or the error to answer with.
std::variant<std::string_view, ProtocolError> StringParam(const Request& request,
                                                          std::string_view name);

/// The capabilities that go with the catalogue, as the revision knows them.
boost::json::object ServerCapabilities(Revision revision);

inline constexpr std::string_view kInstructions =
    "A reference server for conformance tests. Its tools named test_* are fixtures; echo, add and "
    "slow do what they say.";

/// A resource that does not exist: -32602 in the modern era, -32002 before.
ProtocolError ResourceNotFound(std::string_view uri, Revision revision);

}  // namespace assay::reference
