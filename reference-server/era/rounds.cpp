#include "era/rounds.h"

#include <string>

namespace assay::reference {

namespace json = boost::json;

std::variant<json::object, ProtocolError> ReadAnswers(const Request& request,
                                                      const StateBinding& binding,
                                                      const StateSigner& signer,
                                                      StateSigner::Time now) {
  json::object answers;
  if (const json::value* state = request.params->if_contains("requestState")) {
    if (!state->is_string()) return InvalidParams("Invalid params: requestState must be a string");
    auto known = signer.Verify(state->get_string(), binding, now);
    if (!known) {
      return InvalidParams(
          "Invalid params: requestState is not one that was given for this request, or expired");
    }
    answers = *std::move(known);
  }
  if (const json::value* responses = request.params->if_contains("inputResponses")) {
    if (!responses->is_object()) {
      return InvalidParams("Invalid params: inputResponses must be an object");
    }
    for (const auto& [key, response] : responses->get_object()) {
      answers.insert_or_assign(key, json::value(response, answers.storage()));
    }
  }
  return answers;
}

ResultText InputRequired(const InputRequests& requests, const json::object& answers,
                         const StateBinding& binding, const StateSigner& signer,
                         StateSigner::Time now) {
  const json::object body{{"inputRequests", InputRequestsObject(requests)},
                          {"requestState", signer.Sign(answers, binding, now)}};
  return FinishModernResult(body, "input_required");
}

std::optional<ProtocolError> MissingCapability(const InputRequests& requests,
                                               const json::object& client_capabilities,
                                               Revision revision) {
  json::object missing;
  for (const auto& [key, request] : requests) {
    if (CanAsk(request, client_capabilities, revision)) continue;
    missing[CapabilityFor(request)] = json::object();
  }
  if (missing.empty()) return std::nullopt;
  return ProtocolError{ErrorCode::kMissingClientCapability,
                       "The client must declare a capability that this request needs",
                       json::object{{"requiredCapabilities", std::move(missing)}}};
}

}  // namespace assay::reference
