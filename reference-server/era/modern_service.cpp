#include "era/modern_service.h"

#include <optional>
#include <utility>
#include <variant>

#include "era/primitives.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

Outcome Discover(Revision revision) {
  json::array versions;
  for (const Revision one : kAllRevisions) {
    if (IsModern(one)) versions.emplace_back(Name(one));
  }
  const json::object body{{"supportedVersions", std::move(versions)},
                          {"capabilities", ServerCapabilities(revision)},
                          {"instructions", kInstructions}};
  return FinishResult(body, revision, CacheHints{3'600'000, true});
}

/// A listChanged member of the filter: absent is false; nothing if it is not a boolean.
std::optional<bool> Wanted(const json::object& filter, std::string_view name) {
  const json::value* value = filter.if_contains(name);
  if (value == nullptr) return false;
  if (!value->is_bool()) return std::nullopt;
  return value->get_bool();
}

}  // namespace

ModernService::ModernService(Catalog& catalog, Calls& calls, Outbox& outbox)
    : catalog_(catalog), calls_(calls), outbox_(outbox) {
  catalog_.AddListener(this);
}

ModernService::~ModernService() { catalog_.RemoveListener(this); }

void ModernService::Handle(const Request& request, const ReplyTo& to) {
  const auto envelope = ReadEnvelope(request.params);
  if (const auto* error = std::get_if<ProtocolError>(&envelope)) {
    return outbox_.Answer(to, *error);
  }
  Dispatch(request, std::get<Envelope>(envelope), to);
}

void ModernService::Dispatch(const Request& request, const Envelope& envelope, const ReplyTo& to) {
  auto token = ReadProgressToken(request);
  if (auto* error = std::get_if<ProtocolError>(&token)) {
    return outbox_.Answer(to, std::move(*error));
  }
  if (request.method == "tools/call") {
    Caller caller{envelope.revision, request.id, std::get<0>(std::move(token)), envelope.log_level,
                  // Not in the memory of the line, which the call may outlive.
                  json::object(*envelope.client_capabilities, json::storage_ptr())};
    return calls_.Start(request, std::move(caller), to);
  }
  if (request.method == "server/discover") return outbox_.Answer(to, Discover(envelope.revision));
  if (request.method == "subscriptions/listen") return Listen(request, to);
  if (auto outcome = AnswerPrimitive(catalog_, request, envelope.revision)) {
    return outbox_.Answer(to, *outcome);
  }
  outbox_.Answer(to, ProtocolError{ErrorCode::kMethodNotFound, "Method not found"});
}

void ModernService::Listen(const Request& request, const ReplyTo& to) {
  const json::value* given = request.params->if_contains("notifications");
  if (given == nullptr || !given->is_object()) {
    return outbox_.Answer(to, InvalidParams("Invalid params: notifications must be an object"));
  }
  const json::object& filter = given->get_object();
  const std::optional<bool> tools = Wanted(filter, "toolsListChanged");
  const std::optional<bool> prompts = Wanted(filter, "promptsListChanged");
  const std::optional<bool> resources = Wanted(filter, "resourcesListChanged");
  if (!tools || !prompts || !resources) {
    return outbox_.Answer(to, InvalidParams("Invalid params: a filter entry must be a boolean"));
  }
  Subscription subscription{to, request.id.text(), *tools, *prompts, *resources, {}};
  json::object honoured;
  if (*tools) honoured["toolsListChanged"] = true;
  if (*prompts) honoured["promptsListChanged"] = true;
  if (*resources) honoured["resourcesListChanged"] = true;
  if (const json::value* wanted = filter.if_contains("resourceSubscriptions")) {
    const json::array* uris = wanted->if_array();
    json::array honoured_uris;
    for (const json::value& uri : uris == nullptr ? json::array{0} : *uris) {
      if (!uri.is_string()) {
        return outbox_.Answer(
            to, InvalidParams("Invalid params: resourceSubscriptions must be an array of strings"));
      }
      // What does not exist cannot change: it is left out of what is honoured.
      if (!catalog_.HasResource(uri.get_string())) continue;
      if (subscription.uris.emplace(uri.get_string()).second) honoured_uris.push_back(uri);
    }
    honoured["resourceSubscriptions"] = std::move(honoured_uris);
  }
  const Subscription& opened =
      subscriptions_.emplace(request.id.key(), std::move(subscription)).first->second;
  Notify(opened, "notifications/subscriptions/acknowledged",
         json::object{{"notifications", std::move(honoured)}});
}

bool ModernService::Cancel(const std::string& id_key) {
  const auto found = subscriptions_.find(id_key);
  if (found == subscriptions_.end()) return false;
  const ReplyTo to = std::move(found->second.to);
  subscriptions_.erase(found);
  outbox_.Forgo(to);
  return true;
}

void ModernService::EndSubscriptions() {
  for (const auto& [key, subscription] : std::exchange(subscriptions_, {})) {
    const std::string id = "\"" + std::string(kSubscriptionIdKey) + "\":" + subscription.id;
    outbox_.Notify("notifications/cancelled", "{\"_meta\":{" + id +
                                                  "},\"requestId\":" + subscription.id +
                                                  R"(,"reason":"The server is shutting down"})");
    const json::object info{{kServerInfoKey, ServerInfo(kNewestModern)}};
    std::string meta = json::serialize(info);
    meta.insert(1, id + ",");
    outbox_.Answer(subscription.to,
                   ResultText{R"({"resultType":"complete","_meta":)" + meta + "}"});
  }
}

void ModernService::Notify(const Subscription& subscription, std::string_view method,
                           const json::object& params) {
  // The id goes back as it came, so it is put in as text.
  std::string text = "{\"_meta\":{\"" + std::string(kSubscriptionIdKey) + "\":" + subscription.id +
                     "}" + (params.empty() ? "" : ",");
  text += json::serialize(params).substr(1);
  outbox_.Notify(method, text);
}

void ModernService::Announce(bool Subscription::*wanted, std::string_view method) {
  for (const auto& [key, subscription] : subscriptions_) {
    if (subscription.*wanted) Notify(subscription, method, {});
  }
}

void ModernService::ToolsChanged() {
  Announce(&Subscription::tools, "notifications/tools/list_changed");
}

void ModernService::PromptsChanged() {
  Announce(&Subscription::prompts, "notifications/prompts/list_changed");
}

void ModernService::ResourcesChanged() {
  Announce(&Subscription::resources, "notifications/resources/list_changed");
}

void ModernService::ResourceUpdated(std::string_view uri) {
  for (const auto& [key, subscription] : subscriptions_) {
    if (!subscription.uris.contains(uri)) continue;
    Notify(subscription, "notifications/resources/updated", {{"uri", uri}});
  }
}

}  // namespace assay::reference
