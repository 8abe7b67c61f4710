// What goes wrong when a client is asked: multi round-trip requests in the modern era (2026-07-28
// basic/patterns/mrtr), requests of the server in the legacy one.
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "faults/fault_list.h"
#include "protocol/base64.h"
#include "random/random.h"

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

/// Looks past the signature at what it protects, and takes it for what the client says.
Script UnsignedState() {
  return {.line = [](FaultyLine& line) {
    constexpr std::size_t kSignature = 32;
    json::object* params = line.is_request ? ParamsOf(*line.message) : nullptr;
    if (params == nullptr) return;
    const std::string state = StateIn(*params);
    if (state.empty()) return;
    params->stable_erase("requestState");
    line.changed = true;
    const std::string bytes = DecodeBase64(state).value_or("");
    boost::system::error_code unreadable;
    const json::value known =
        json::parse(bytes.substr(std::min(bytes.size(), kSignature)), unreadable);
    const json::object* members = unreadable ? nullptr : known.if_object();
    const json::value* payload = members == nullptr ? nullptr : members->if_contains("payload");
    json::value* responses = params->if_contains("inputResponses");
    if (payload == nullptr || !payload->is_object() || responses == nullptr) return;
    if (!responses->is_object()) return;
    for (const auto& [key, answer] : payload->get_object()) {
      responses->get_object().emplace(key, answer);
    }
  }};
}

Script StateNeverExpires() {
  return {.configure = [](Settings& settings, StdioSettings&) {
    settings.state_lifetime = std::chrono::years(10);
  }};
}

/// Has no memory of what was bought already.
Script CheckoutBuysAgain() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "tools/call" || answer.param("name") != "cart_checkout") return;
    json::object* result = answer.result();
    json::value* cart = result == nullptr ? nullptr : result->if_contains("structuredContent");
    if (cart == nullptr || !cart->as_object().contains("order_id")) return;
    cart->as_object()["order_id"] = NewRandomId();
    result->at("content").at(0).as_object()["text"] = json::serialize(*cart);
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
      {"unsigned-state", "M-MRTR-STATE-REJECT", "-",
       "takes a requestState back without looking at its signature", UnsignedState},
      {"state-never-expires", "C-FLEET-STATE-TAMPERED", "-",
       "takes a requestState back whenever it comes, whatever --state-lifetime says",
       StateNeverExpires},
      {"checkout-buys-again", "M-MRTR-STATE-SINGLE-USE", "-",
       "makes another order each time that a cart is checked out", CheckoutBuysAgain},
      {"responses-need-wrapper", "M-MRTR-RETRY-ACCEPTED", "BUG-197",
       "overlooks input responses that are not wrapped as {\"result\": ...}", ResponsesNeedWrapper},
      {"request-ids-repeat", "L-BASE-request-id-unique", "BUG-242",
       "sends all its requests with the id 1", RequestIdsRepeat},
  };
}

}  // namespace assay::reference
