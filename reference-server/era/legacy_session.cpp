#include "era/legacy_session.h"

#include <utility>
#include <variant>

#include "era/primitives.h"
#include "protocol/envelope.h"
#include "random/random.h"
#include "tasks/core_tasks.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

const ResultText kEmpty{"{}"};

}  // namespace

LegacySession::LegacySession(const Services& services, const Settings& settings, Calls& calls,
                             Outbox& outbox, ClientRequests& client_requests)
    : catalog_(services.catalog),
      settings_(settings),
      calls_(calls),
      outbox_(outbox),
      name_(NewRandomId()),
      tasks_(services.tasks, name_, settings.principal, outbox, client_requests) {
  catalog_.AddListener(this);
}

LegacySession::~LegacySession() {
  catalog_.RemoveListener(this);
  catalog_.carts().EndSession(name_);
}

void LegacySession::Handle(const Request& request, const ReplyTo& to) {
  const std::string_view method = request.method;
  if (method == "ping") return outbox_.Answer(to, kEmpty);
  if (method == "initialize") return outbox_.Answer(to, Initialize(request));
  if (!revision_) {
    return outbox_.Answer(to,
                          ProtocolError{ErrorCode::kInvalidRequest, "Invalid request parameters"});
  }
  auto token = ReadProgressToken(request);
  if (auto* error = std::get_if<ProtocolError>(&token)) {
    return outbox_.Answer(to, std::move(*error));
  }
  if (method == "tools/call") {
    Caller caller{*revision_, request.id,           std::get<0>(std::move(token)),
                  log_level_, client_capabilities_, name_};
    return calls_.Start(request, std::move(caller), to);
  }
  if (method == "logging/setLevel") return outbox_.Answer(to, SetLevel(request));
  if (method == "resources/subscribe") return outbox_.Answer(to, Subscribe(request, true));
  if (method == "resources/unsubscribe") return outbox_.Answer(to, Subscribe(request, false));
  if (HasTasks() && tasks_.Handle(request, to)) return;
  if (auto outcome = AnswerPrimitive(catalog_, request, *revision_)) {
    return outbox_.Answer(to, *outcome);
  }
  outbox_.Answer(to, ProtocolError{ErrorCode::kMethodNotFound, "Method not found"});
}

Outcome LegacySession::Initialize(const Request& request) {
  if (revision_) {
    return ProtocolError{ErrorCode::kInvalidRequest, "The session is already initialized"};
  }
  const auto version = StringParam(request, "protocolVersion");
  if (const auto* error = std::get_if<ProtocolError>(&version)) return *error;
  const json::value* capabilities = request.params->if_contains("capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return InvalidParams("Invalid params: capabilities must be an object");
  }
  const json::value* info = request.params->if_contains("clientInfo");
  if (info == nullptr || !info->is_object() || !info->get_object().contains("name") ||
      !info->at("name").is_string() || !info->get_object().contains("version") ||
      !info->at("version").is_string()) {
    return InvalidParams("Invalid params: clientInfo must be an object with name and version");
  }
  // basic/lifecycle#version-negotiation: an unknown version is answered with the newest we have.
  std::optional<Revision> revision = ParseRevision(std::get<std::string_view>(version));
  if (!revision || IsModern(*revision)) revision = kNewestLegacy;
  revision_ = revision;
  // Not in the memory of the line, which the session outlives.
  client_capabilities_ = json::object(capabilities->get_object(), json::storage_ptr());
  json::object own_capabilities = ServerCapabilities(*revision);
  if (HasTasks()) own_capabilities["tasks"] = CoreTasksCapability();
  const json::object body{{"protocolVersion", Name(*revision)},
                          {"capabilities", std::move(own_capabilities)},
                          {"serverInfo", ServerInfo(*revision)},
                          {"instructions", kInstructions}};
  return FinishResult(body, *revision);
}

bool LegacySession::HasTasks() const {
  return revision_ == Revision::k2025_11_25 && settings_.tasks != TaskDialect::kOff;
}

Outcome LegacySession::SetLevel(const Request& request) {
  const auto name = StringParam(request, "level");
  if (const auto* error = std::get_if<ProtocolError>(&name)) return *error;
  const std::optional<LogLevel> level = ParseLogLevel(std::get<std::string_view>(name));
  if (!level) return InvalidParams("Invalid params: unknown log level");
  log_level_ = *level;
  return kEmpty;
}

Outcome LegacySession::Subscribe(const Request& request, bool subscribe) {
  const auto uri = StringParam(request, "uri");
  if (const auto* error = std::get_if<ProtocolError>(&uri)) return *error;
  const std::string_view text = std::get<std::string_view>(uri);
  if (!catalog_.HasResource(text)) return ResourceNotFound(text, *revision_);
  if (subscribe) {
    subscribed_.emplace(text);
  } else if (const auto found = subscribed_.find(text); found != subscribed_.end()) {
    subscribed_.erase(found);
  }
  return kEmpty;
}

void LegacySession::ToolsChanged() {
  if (revision_) outbox_.Notify("notifications/tools/list_changed", {});
}

void LegacySession::PromptsChanged() {
  if (revision_) outbox_.Notify("notifications/prompts/list_changed", {});
}

void LegacySession::ResourcesChanged() {
  if (revision_) outbox_.Notify("notifications/resources/list_changed", {});
}

void LegacySession::ResourceUpdated(std::string_view uri) {
  if (!subscribed_.contains(uri)) return;
  outbox_.Notify("notifications/resources/updated", json::serialize(json::object{{"uri", uri}}));
}

}  // namespace assay::reference
