#include "era/primitives.h"

#include <string>

#include "catalog/completion.h"
#include "catalog/shape.h"
#include "catalog/uri.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

Outcome List(Catalog& catalog, ListKind kind, const Request& request, Revision revision) {
  std::optional<std::string_view> cursor;
  if (request.params != nullptr) {
    if (const json::value* given = request.params->if_contains("cursor")) {
      if (!given->is_string()) return InvalidParams("Invalid params: cursor must be a string");
      cursor = given->get_string();
    }
  }
  std::optional<ResultText> page = catalog.List(kind, revision, cursor);
  if (!page) return InvalidParams("Invalid params: unknown cursor");
  return *std::move(page);
}

Outcome GetPrompt(const Catalog& catalog, const Request& request, Revision revision,
                  const json::object& answers) {
  const auto name = StringParam(request, "name");
  if (const auto* error = std::get_if<ProtocolError>(&name)) return *error;
  const Prompt* prompt = catalog.FindPrompt(std::get<std::string_view>(name));
  if (prompt == nullptr) {
    return InvalidParams("Unknown prompt: " + std::string(std::get<std::string_view>(name)));
  }
  json::object arguments;
  if (const json::value* given = request.params->if_contains("arguments")) {
    if (!given->is_object()) return InvalidParams("Invalid params: arguments must be an object");
    arguments = given->get_object();
  }
  const std::string problem = ArgumentProblem(*prompt, arguments);
  if (!problem.empty()) return InvalidParams("Invalid params: " + problem);
  const json::object body{
      {"description", prompt->definition.at("description")},
      {"messages", ShapeMessages(prompt->messages(arguments, answers), revision)}};
  return FinishResult(body, revision);
}

Outcome ReadResource(const Catalog& catalog, const Request& request, Revision revision) {
  const auto uri = StringParam(request, "uri");
  if (const auto* error = std::get_if<ProtocolError>(&uri)) return *error;
  const std::string_view text = std::get<std::string_view>(uri);
  if (!IsUri(text)) return InvalidParams("Invalid params: uri is not a URI");
  auto contents = catalog.Read(text);
  if (std::holds_alternative<UnknownResource>(contents)) return ResourceNotFound(text, revision);
  if (std::holds_alternative<FailedResource>(contents)) {
    return ProtocolError{ErrorCode::kInternalError, "Internal error: cannot read the resource"};
  }
  const json::object body{{"contents", std::get<json::array>(std::move(contents))}};
  // What is watched changes at any time.
  const CacheHints hints{text == kWatchedResource ? 0 : 60'000, true};
  return FinishResult(body, revision, hints);
}

Outcome CompleteArgument(const Catalog& catalog, const Request& request, Revision revision) {
  if (request.params == nullptr) return InvalidParams("Invalid params: ref must be an object");
  auto completion = Complete(catalog, *request.params);
  if (const auto* problem = std::get_if<std::string>(&completion)) {
    return InvalidParams("Invalid params: " + *problem);
  }
  const json::object body{{"completion", std::get<json::object>(std::move(completion))}};
  return FinishResult(body, revision);
}

}  // namespace

std::optional<Outcome> AnswerPrimitive(Catalog& catalog, const Request& request, Revision revision,
                                       const json::object& answers) {
  const std::string_view method = request.method;
  if (method == "tools/list") return List(catalog, ListKind::kTools, request, revision);
  if (method == "prompts/list") return List(catalog, ListKind::kPrompts, request, revision);
  if (method == "resources/list") return List(catalog, ListKind::kResources, request, revision);
  if (method == "resources/templates/list") {
    return List(catalog, ListKind::kTemplates, request, revision);
  }
  if (method == "prompts/get") return GetPrompt(catalog, request, revision, answers);
  if (method == "resources/read") return ReadResource(catalog, request, revision);
  if (method == "completion/complete") return CompleteArgument(catalog, request, revision);
  return std::nullopt;
}

std::variant<std::string_view, ProtocolError> StringParam(const Request& request,
                                                          std::string_view name) {
  const json::value* value =
      request.params == nullptr ? nullptr : request.params->if_contains(name);
  if (value == nullptr || !value->is_string()) {
    return InvalidParams("Invalid params: " + std::string(name) + " must be a string");
  }
  return std::string_view(value->get_string());
}

json::object ServerCapabilities(Revision revision) {
  json::object capabilities{{"logging", json::object()},
                            {"prompts", json::object{{"listChanged", true}}},
                            {"resources", json::object{{"subscribe", true}, {"listChanged", true}}},
                            {"tools", json::object{{"listChanged", true}}}};
  if (revision >= Revision::k2025_03_26) capabilities["completions"] = json::object();
  return capabilities;
}

ProtocolError ResourceNotFound(std::string_view uri, Revision revision) {
  return {IsModern(revision) ? ErrorCode::kInvalidParams : ErrorCode::kLegacyResourceNotFound,
          "Resource not found", json::object{{"uri", uri}}};
}

}  // namespace assay::reference
