// What a tool may ask of the client: elicitation, sampling and roots, in the words of the newest
// revisions (2026-07-28 client/elicitation, client/sampling, client/roots).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/revision.h"

namespace assay::reference {

struct InputRequest {
  std::string method;
  boost::json::object params;
};

/// In the order in which they are asked, each under a key that is unique in the call.
using InputRequests = std::vector<std::pair<std::string, InputRequest>>;

/// A form with these properties, all of them required unless `required` says otherwise.
InputRequest AskUser(std::string_view message, boost::json::object properties,
                     boost::json::array required);
InputRequest AskModel(std::string_view prompt, int max_tokens);
InputRequest AskRoots();

/// The client capability that the request needs, as `requiredCapabilities` of -32021 names it.
std::string_view CapabilityFor(const InputRequest& request);

/// Whether a client with these capabilities can be asked under that revision. An elicitation
/// capability that names modes supports forms only if it names them.
bool CanAsk(const InputRequest& request, const boost::json::object& capabilities,
            Revision revision);

/// The `inputRequests` that puts these to the client (2026-07-28 basic/patterns/mrtr).
boost::json::object InputRequestsObject(const InputRequests& requests);

/// What is wrong with the client's result for the request; nothing if it fits. The content of an
/// accepted form is checked against the schema that was sent
/// (client/elicitation#requested-schema).
std::optional<std::string> AnswerProblem(const InputRequest& request,
                                         const boost::json::value& answer);

/// The content of an accepted form; null if it was declined or cancelled.
const boost::json::object* Accepted(const boost::json::object& answer);

}  // namespace assay::reference
