#include "era/modern_service.h"

#include <optional>
#include <utility>
#include <variant>

#include "era/primitives.h"
#include "era/rounds.h"
#include "tasks/extension_tasks.h"
#include "tasks/handle_tasks.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// A listChanged member of the filter: absent is false; nothing if it is not a boolean.
std::optional<bool> Wanted(const json::object& filter, std::string_view name) {
  const json::value* value = filter.if_contains(name);
  if (value == nullptr) return false;
  if (!value->is_bool()) return std::nullopt;
  return value->get_bool();
}

/// The strings of a list in the filter, empty if it is not there; nothing if it is something else.
std::optional<std::vector<std::string>> Names(const json::object& filter, std::string_view list) {
  std::vector<std::string> names;
  const json::value* wanted = filter.if_contains(list);
  if (wanted == nullptr) return names;
  if (!wanted->is_array()) return std::nullopt;
  for (const json::value& name : wanted->get_array()) {
    if (!name.is_string()) return std::nullopt;
    names.emplace_back(name.get_string());
  }
  return names;
}

}  // namespace

ModernService::ModernService(const Services& services, const Settings& settings, Calls& calls,
                             Outbox& outbox)
    : services_(services),
      settings_(settings),
      catalog_(services.catalog),
      calls_(calls),
      outbox_(outbox) {
  catalog_.AddListener(this);
  services_.tasks.AddListener(this);
}

ModernService::~ModernService() {
  catalog_.RemoveListener(this);
  services_.tasks.RemoveListener(this);
}

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
  if (request.method == "subscriptions/listen") return Listen(request, envelope, to);
  json::object answers;
  if (auto question = AskForPrompt(request, envelope, answers)) {
    return outbox_.Answer(to, *question);
  }
  if (auto outcome = AnswerPrimitive(catalog_, request, envelope.revision, answers)) {
    return outbox_.Answer(to, *outcome);
  }
  if (auto outcome = AnswerTasks(request, envelope)) return outbox_.Answer(to, *outcome);
  outbox_.Answer(to, ProtocolError{ErrorCode::kMethodNotFound, "Method not found"});
}

Outcome ModernService::Discover(Revision revision) const {
  json::array versions;
  for (const Revision one : kAllRevisions) {
    if (IsModern(one)) versions.emplace_back(Name(one));
  }
  json::object capabilities = ServerCapabilities(revision);
  if (settings_.tasks == TaskDialect::kExtension) {
    capabilities["extensions"] = json::object{{kTasksExtension, json::object()}};
  }
  const json::object body{{"supportedVersions", std::move(versions)},
                          {"capabilities", std::move(capabilities)},
                          {"instructions", kInstructions}};
  return FinishResult(body, revision, CacheHints{3'600'000, true});
}

std::optional<Outcome> ModernService::AnswerTasks(const Request& request,
                                                  const Envelope& envelope) {
  const TaskOwner owner = OwnerFor({}, settings_.principal);
  switch (settings_.tasks) {
    case TaskDialect::kExtension:
      return AnswerTaskExtension(services_.tasks, request, *envelope.client_capabilities, owner);
    case TaskDialect::kHandle:
      return AnswerTaskHandle(services_.tasks, request, owner);
    case TaskDialect::kOff:
      break;
  }
  return std::nullopt;
}

std::optional<Outcome> ModernService::AskForPrompt(const Request& request, const Envelope& envelope,
                                                   json::object& answers) const {
  if (request.method != "prompts/get") return std::nullopt;
  const auto name = StringParam(request, "name");
  const auto* text = std::get_if<std::string_view>(&name);
  const Prompt* prompt = text == nullptr ? nullptr : catalog_.FindPrompt(*text);
  if (prompt == nullptr || prompt->asks.empty()) return std::nullopt;  // or refused elsewhere
  static const json::object kNone;
  const json::value* given = request.params->if_contains("arguments");
  const json::object* arguments = given == nullptr ? &kNone : given->if_object();
  if (arguments == nullptr) return std::nullopt;

  const StateBinding binding{request.method, *text, *arguments, settings_.principal};
  const auto now = services_.scheduler.Now();
  auto known = ReadAnswers(request, binding, services_.signer, now);
  if (auto* error = std::get_if<ProtocolError>(&known)) return std::move(*error);
  answers = std::get<json::object>(std::move(known));
  InputRequests open;
  for (const auto& [key, question] : prompt->asks) {
    const json::value* answer = answers.if_contains(key);
    if (answer == nullptr) {
      open.emplace_back(key, question);
    } else if (const auto problem = AnswerProblem(question, *answer)) {
      return InvalidParams("Invalid params: the answer to " + key + ": " + *problem);
    }
  }
  if (open.empty()) return std::nullopt;
  if (auto missing = MissingCapability(open, *envelope.client_capabilities, envelope.revision)) {
    return *std::move(missing);
  }
  return InputRequired(open, answers, binding, services_.signer, now);
}

void ModernService::Listen(const Request& request, const Envelope& envelope, const ReplyTo& to) {
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
  const auto uris = Names(filter, "resourceSubscriptions");
  const auto task_ids = Names(filter, "taskIds");
  if (!uris || !task_ids) {
    return outbox_.Answer(
        to, InvalidParams("Invalid params: resourceSubscriptions and taskIds must be arrays of "
                          "strings"));
  }
  const bool has_tasks = settings_.tasks == TaskDialect::kExtension && filter.contains("taskIds");
  if (has_tasks && !DeclaresTasks(*envelope.client_capabilities)) {
    return outbox_.Answer(to, TasksNotDeclared());
  }
  Subscription subscription{to, request.id.text(), *tools, *prompts, *resources, {}, {}};
  json::object honoured;
  if (*tools) honoured["toolsListChanged"] = true;
  if (*prompts) honoured["promptsListChanged"] = true;
  if (*resources) honoured["resourcesListChanged"] = true;
  // What does not exist cannot change: it is left out of what is honoured.
  if (filter.contains("resourceSubscriptions")) {
    json::array& honoured_uris = honoured["resourceSubscriptions"].emplace_array();
    for (const std::string& uri : *uris) {
      if (!catalog_.HasResource(uri)) continue;
      if (subscription.uris.emplace(uri).second) honoured_uris.emplace_back(uri);
    }
  }
  if (has_tasks) {
    json::array& honoured_tasks = honoured["taskIds"].emplace_array();
    for (const std::string& id : *task_ids) {
      if (services_.tasks.Find(id, OwnerFor({}, settings_.principal)) == nullptr) continue;
      if (subscription.tasks.emplace(id).second) honoured_tasks.emplace_back(id);
    }
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
    outbox_.Notify("notifications/cancelled",
                   "{\"_meta\":{" + id + "},\"requestId\":" + subscription.id +
                       R"(,"reason":"The server is shutting down"})",
                   subscription.id);
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
  outbox_.Notify(method, text, subscription.id);
}

void ModernService::TaskChanged(const Task& task) {
  for (const auto& [key, subscription] : subscriptions_) {
    if (!subscription.tasks.contains(task.id())) continue;
    Notify(subscription, "notifications/tasks", DetailedTask(task));
  }
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
