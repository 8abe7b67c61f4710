// What goes wrong when there are several instances with one store, and a client comes to another
// one with each request, or when an instance is started anew.
#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <random>
#include <string>
#include <string_view>

#include "faults/edit.h"
#include "faults/fault_list.h"
#include "faults/http_edit.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

Script StateInMemory() {
  return {.configure = [](Settings& settings, StdioSettings&) { settings.shares_key = false; }};
}

Script CartsInMemory() {
  return {.configure = [](Settings& settings, StdioSettings&) { settings.shares_carts = false; }};
}

/// The cart that a call of the modern era is about; empty if it names none.
std::string CartOf(const json::object& params) {
  const json::value* arguments = params.if_contains("arguments");
  if (arguments == nullptr || !arguments->is_object()) return {};
  const json::value* cart = arguments->get_object().if_contains("cart_id");
  return cart == nullptr || !cart->is_string() ? std::string() : std::string(cart->get_string());
}

/// Shows a cart as this instance has seen it last, and knows nothing of what others did to it.
HttpScript CartsCached() {
  return {.response = [seen = std::map<std::string, json::value>()](
                          const HttpRequest& request, HttpResponse& response) mutable {
    if (MethodOf(request) != "tools/call" || NamesSession(request) || ErrorOf(response)) return;
    const json::object call = ParseObject(request.body).value_or(json::object());
    const json::value* params = call.if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    const std::string cart = CartOf(params->get_object());
    if (cart.empty()) return;
    EditBody(response, [&](json::object& body) {
      const json::value* name = params->get_object().if_contains("name");
      if (name == nullptr || *name != json::value("cart_view")) {
        seen.erase(cart);
      } else if (const auto [known, is_new] = seen.emplace(cart, body.at("result")); !is_new) {
        body.at("result") = known->second;
      }
    });
  }};
}

json::object* ListedTools(FaultyMessage& answer) {
  return answer.method == "tools/list" ? answer.result() : nullptr;
}

/// The order of a table whose hashes begin with something else in each process.
Script UnstableOrder() {
  return {.answer = [](FaultyMessage& answer) {
    static const auto seed = std::random_device{}();
    json::object* result = ListedTools(answer);
    if (result == nullptr) return;
    json::array& tools = result->at("tools").as_array();
    std::shuffle(tools.begin(), tools.end(), std::mt19937(seed));
  }};
}

Script InstanceInDescriptions() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ListedTools(answer);
    if (result == nullptr) return;
    json::object& tool = result->at("tools").at(0).as_object();
    tool["description"] = std::string(tool.at("description").as_string()) + " (served by " +
                          answer.fault.instance() + ")";
  }};
}

/// As after a deployment that reached one of them only.
Script HintsMissingOnOne() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.fault.instance() != "b" || !answer.method.ends_with("/list")) return;
    json::object* result = answer.result();
    if (result == nullptr) return;
    result->stable_erase("ttlMs");
    result->stable_erase("cacheScope");
  }};
}

/// Whoever has a proxy that takes statuses seriously hears nothing of the session's end.
HttpScript SessionNot404() {
  return {.response = [](const HttpRequest& request, HttpResponse& response) {
    if (response.status == 404 && NamesSession(request)) response.status = 200;
  }};
}

}  // namespace

std::vector<NamedFault> FleetFaults() {
  return {
      {"state-in-memory", "C-FLEET-MRTR-HOLDS-NOTHING", "-",
       "signs requestState with a key that no other instance knows, nor this one after a restart",
       StateInMemory},
      {"carts-in-memory", "C-FLEET-MODERN-ANY-INSTANCE", "-",
       "keeps the carts of the modern era in its memory, whatever --store says", CartsInMemory},
      {"carts-cached", "C-FLEET-MODERN-ANY-INSTANCE", "-",
       "shows a cart as this instance has seen it last", CartsCached},
      {"unstable-order", "C-FLEET-LIST-COST", "-",
       "lists the tools in an order that is another one in each process", UnstableOrder},
      {"instance-in-descriptions", "C-FLEET-LIST-COST", "-",
       "says in the description of a tool which instance lists it", InstanceInDescriptions},
      {"hints-missing-on-one", "C-FLEET-LIST-COST", "-",
       "leaves ttlMs and cacheScope out of the lists of the instance b", HintsMissingOnOne},
      {"session-not-404", "C-FLEET-RESTART-LEGACY-LOSES", "-",
       "answers requests of a session that it does not know with 200 and an error", SessionNot404},
  };
}

}  // namespace assay::reference
