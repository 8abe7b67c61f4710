// Multi round-trip requests (2026-07-28 basic/patterns/mrtr): a request is answered with questions,
// and the client comes back with the same request and the answers.
#pragma once

#include <boost/json.hpp>
#include <variant>

#include "catalog/input_request.h"
#include "era/state_signer.h"
#include "protocol/answer.h"
#include "protocol/message.h"

namespace assay::reference {

/// The answers that a request brings along: those in its requestState, and its inputResponses. An
/// error if either is malformed, or the state is not one that we gave for this request.
std::variant<boost::json::object, ProtocolError> ReadAnswers(const Request& request,
                                                             const StateBinding& binding,
                                                             const StateSigner& signer,
                                                             StateSigner::Time now);

/// InputRequiredResult. `answers` are those that are known already.
ResultText InputRequired(const InputRequests& requests, const boost::json::object& answers,
                         const StateBinding& binding, const StateSigner& signer,
                         StateSigner::Time now);

/// -32021 if the client does not declare what one of the requests needs.
std::optional<ProtocolError> MissingCapability(const InputRequests& requests,
                                               const boost::json::object& client_capabilities,
                                               Revision revision);

}  // namespace assay::reference
