#include "catalog/input_request.h"

#include <algorithm>

#include "catalog/content.h"
#include "catalog/json_schema.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kElicitation = "elicitation/create";
constexpr std::string_view kSampling = "sampling/createMessage";
constexpr std::string_view kRoots = "roots/list";

bool HasString(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member != nullptr && member->is_string();
}

std::optional<std::string> FormProblem(const InputRequest& request, const json::object& answer) {
  if (!HasString(answer, "action")) return "action must be a string";
  const std::string_view action = answer.at("action").get_string();
  if (action == "decline" || action == "cancel") return std::nullopt;
  if (action != "accept") return "action must be accept, decline or cancel";
  const json::value* content = answer.if_contains("content");
  if (content == nullptr || !content->is_object()) return "content must be an object";
  return SchemaProblem(request.params.at("requestedSchema").as_object(), *content);
}

/// Whether this is a block that a model may say; some of the types came with later revisions.
bool IsContentBlock(const json::value& block) {
  if (!block.is_object() || !HasString(block.get_object(), "type")) return false;
  const std::string_view type = block.get_object().at("type").get_string();
  if (type == "text") return HasString(block.get_object(), "text");
  return type == "image" || type == "audio" || type == "tool_use" || type == "tool_result";
}

std::optional<std::string> MessageProblem(const json::object& answer) {
  if (!HasString(answer, "role")) return "role must be a string";
  const std::string_view role = answer.at("role").get_string();
  if (role != "user" && role != "assistant") return "role must be user or assistant";
  if (!HasString(answer, "model")) return "model must be a string";
  const json::value* content = answer.if_contains("content");
  const bool is_list = content != nullptr && content->is_array();
  if (content == nullptr || (is_list ? !std::ranges::all_of(content->get_array(), IsContentBlock)
                                     : !IsContentBlock(*content))) {
    return "content must be of a known type";
  }
  return std::nullopt;
}

std::optional<std::string> RootsProblem(const json::object& answer) {
  const json::value* roots = answer.if_contains("roots");
  if (roots == nullptr || !roots->is_array()) return "roots must be an array";
  for (const json::value& root : roots->get_array()) {
    if (!root.is_object() || !HasString(root.get_object(), "uri")) {
      return "each root must have a uri";
    }
  }
  return std::nullopt;
}

}  // namespace

InputRequest AskUser(std::string_view message, json::object properties, json::array required) {
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {std::string(kElicitation),
          {{"message", message}, {"requestedSchema", std::move(schema)}}};
}

InputRequest AskModel(std::string_view prompt, int max_tokens) {
  return {
      std::string(kSampling),
      {{"messages", json::array{json::object{{"role", "user"}, {"content", TextBlock(prompt)}}}},
       {"maxTokens", max_tokens}}};
}

InputRequest AskRoots() { return {std::string(kRoots), {}}; }

std::string_view CapabilityFor(const InputRequest& request) {
  const std::string_view method = request.method;
  return method.substr(0, method.find('/'));
}

bool CanAsk(const InputRequest& request, const json::object& capabilities, Revision revision) {
  const json::value* declared = capabilities.if_contains(CapabilityFor(request));
  if (declared == nullptr || !declared->is_object()) return false;
  if (request.method != kElicitation) return true;
  if (revision < Revision::k2025_06_18) return false;
  const json::object& modes = declared->get_object();
  return !modes.contains("url") || modes.contains("form");
}

json::object InputRequestsObject(const InputRequests& requests) {
  json::object members;
  for (const auto& [key, request] : requests) {
    json::object member{{"method", request.method}};
    if (!request.params.empty()) member["params"] = request.params;
    members[key] = std::move(member);
  }
  return members;
}

std::optional<std::string> AnswerProblem(const InputRequest& request, const json::value& answer) {
  if (!answer.is_object()) return "an answer must be an object";
  const json::object& members = answer.get_object();
  if (request.method == kElicitation) return FormProblem(request, members);
  if (request.method == kSampling) return MessageProblem(members);
  return RootsProblem(members);
}

const json::object* Accepted(const json::object& answer) {
  return answer.at("action").as_string() == "accept" ? &answer.at("content").as_object() : nullptr;
}

}  // namespace assay::reference
