// What goes wrong when a client is asked: multi round-trip requests in the modern era (2026-07-28
// basic/patterns/mrtr), requests of the server in the legacy one.
#include <boost/json.hpp>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

json::object* ParamsOf(json::object& message) {
  json::value* params = message.if_contains("params");
  return params == nullptr ? nullptr : params->if_object();
}

std::string StateIn(const json::object& object) {
  const json::value* state = object.if_contains("requestState");
  return state == nullptr || !state->is_string() ? std::string() : std::string(state->get_string());
}

/// By requestState: the params of the request that it was given out for.
using Origins = std::map<std::string, json::object, std::less<>>;

/// Goes on with the request that a state was given out for, whatever the retry asks for.
Script StateGoodForAnyRequest() {
  const auto origins = std::make_shared<Origins>();
  return {.line =
              [origins](FaultyLine& line) {
                json::object* params = line.is_request ? ParamsOf(*line.message) : nullptr;
                if (params == nullptr) return;
                const auto origin = origins->find(StateIn(*params));
                if (origin == origins->end()) return;
                for (const std::string_view member : {"name", "arguments"}) {
                  params->stable_erase(member);
                  const json::value* first = origin->second.if_contains(member);
                  if (first != nullptr) (*params)[member] = *first;
                }
                line.changed = true;
              },
          .answer =
              [origins](FaultyMessage& answer) {
                const json::object* result = answer.result();
                const std::string state = result == nullptr ? "" : StateIn(*result);
                if (state.empty()) return;
                const json::object& params = answer.request.at("params").as_object();
                const auto earlier = origins->find(StateIn(params));
                (*origins)[state] = earlier == origins->end() ? params : earlier->second;
              }};
}

Script ResponsesNeedWrapper() {
  return {.line = [](FaultyLine& line) {
    json::object* params = line.is_request ? ParamsOf(*line.message) : nullptr;
    json::value* responses = params == nullptr ? nullptr : params->if_contains("inputResponses");
    if (responses == nullptr || !responses->is_object()) return;
    json::object unwrapped;
    for (const auto& [key, response] : responses->get_object()) {
      const json::object* wrapper = response.if_object();
      const json::value* result = wrapper == nullptr ? nullptr : wrapper->if_contains("result");
      if (result != nullptr) unwrapped[key] = *result;
    }
    *responses = std::move(unwrapped);
    line.changed = true;
  }};
}

/// A response is taken for one to the question that waits longest.
Script RequestIdsRepeat() {
  const auto open = std::make_shared<std::deque<json::value>>();
  return {.line =
              [open](FaultyLine& line) {
                if (line.message == nullptr || !line.method.empty() || open->empty()) return;
                json::value* id = line.message->if_contains("id");
                if (id == nullptr || *id != json::value(1)) return;
                *id = open->front();
                open->pop_front();
                line.changed = true;
              },
          .notification =
              [open](FaultyMessage& message) {
                json::value* id = message.message.if_contains("id");
                if (id == nullptr) return;
                open->push_back(*id);
                *id = 1;
                message.changed = true;
              }};
}

}  // namespace

std::vector<NamedFault> AskingFaults() {
  return {
      {"state-good-for-any-request", "M-MRTR-STATE-REQUEST-BINDING", "BUG-195",
       "accepts a requestState with other arguments or another tool", StateGoodForAnyRequest},
      {"responses-need-wrapper", "M-MRTR-RETRY-ACCEPTED", "BUG-197",
       "overlooks input responses that are not wrapped as {\"result\": ...}", ResponsesNeedWrapper},
      {"request-ids-repeat", "L-BASE-request-id-unique", "BUG-242",
       "sends all its requests with the id 1", RequestIdsRepeat},
  };
}

}  // namespace assay::reference
