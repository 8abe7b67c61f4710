// Mirroring of what a message says into HTTP fields.

#include "exchange/http_face.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "exchange/envelope.h"
#include "message/base64.h"

namespace assay {
namespace {

constexpr char kVersionField[] = "MCP-Protocol-Version";
constexpr char kSessionField[] = "Mcp-Session-Id";

std::string Encoded(const std::string& value) { return "=?base64?" + EncodeBase64(value) + "?="; }

// Of a name or an argument, which servers decode. An empty field is legal, but often taken for
// none.
std::string NamedText(const std::string& value) {
  return value.empty() ? Encoded(value) : FieldText(value);
}

// The member of params that Mcp-Name mirrors, or "".
std::string NameMember(const std::string& method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel") {
    return "taskId";
  }
  return "";
}

std::optional<std::string> ArgumentText(const Json& value) {
  if (value.is_string()) return value.text();
  if (value.is_boolean()) return std::string(value.boolean() ? "true" : "false");
  if (value.is_number()) return value.text();
  return std::nullopt;
}

// Adds the fields of the annotated arguments, at any depth.
void MirrorArguments(const Json& schema, const Json& arguments, HttpRequest& request) {
  const Json* properties = schema.Find("properties");
  if (properties == nullptr || !properties->is_object() || !arguments.is_object()) return;
  for (const JsonMember& property : properties->members()) {
    const Json* argument = arguments.Find(property.key);
    if (argument == nullptr || !property.value.is_object()) continue;
    const auto field = property.value.FindString("x-mcp-header");
    const auto text = ArgumentText(*argument);
    if (field && text) request.fields.push_back({"Mcp-Param-" + *field, NamedText(*text)});
    MirrorArguments(property.value, *argument, request);
  }
}

void MirrorTool(const Json& params, const Json& tools, HttpRequest& request) {
  const auto name = params.FindString("name");
  const Json* arguments = params.Find("arguments");
  if (!name || arguments == nullptr) return;
  for (const Json& tool : tools.items()) {
    const Json* schema = tool.Find("inputSchema");
    if (schema != nullptr && tool.FindString("name") == name) {
      MirrorArguments(*schema, *arguments, request);
      return;
    }
  }
}

void Mirror(const Message& message, const Json* tools, HttpRequest& request) {
  const Json* params = message.params();
  const Json* version =
      message.body.Find("params", "_meta", std::string(kEnvelopePrefix) + "protocolVersion");
  request.fields.push_back({kVersionField, version != nullptr && version->is_string()
                                               ? FieldText(version->text())
                                               : std::string(kNewestModern)});
  const std::string method = message.method();
  if (method.empty()) return;
  request.fields.push_back({"Mcp-Method", FieldText(method)});
  if (params == nullptr || !params->is_object()) return;
  const std::string member = NameMember(method);
  const auto name = member.empty() ? std::nullopt : params->FindString(member);
  if (name) request.fields.push_back({"Mcp-Name", NamedText(*name)});
  if (method == "tools/call" && tools != nullptr) MirrorTool(*params, *tools, request);
}

void AddSession(const HttpSession& session, HttpRequest& request) {
  if (!session.id.empty()) request.fields.push_back({kSessionField, session.id});
  // The field came with 2025-06-18.
  if (session.revision >= "2025-06-18") request.fields.push_back({kVersionField, session.revision});
}

std::string TextOf(const Json& value) { return value.is_string() ? value.text() : value.Dump(); }

}  // namespace

HttpRequest PostOf(const std::string& body, const Message& message, Era era,
                   const HttpSession& session, const Json* tools) {
  HttpRequest request;
  request.body = body;
  request.fields = {{"Content-Type", "application/json"},
                    {"Accept", "application/json, text/event-stream"}};
  const bool enveloped =
      message.body.Find("params", "_meta", std::string(kEnvelopePrefix) + "protocolVersion") !=
      nullptr;
  const bool modern = message.body.is_object() && message.body.Find("method") != nullptr &&
                      (enveloped ? message.method() != "initialize" : era == Era::kModern);
  if (modern) {
    Mirror(message, tools, request);
  } else if (message.kind != Message::Kind::kRequest || message.method() != "initialize") {
    AddSession(session, request);
    request.resumes = message.kind == Message::Kind::kRequest;
  }
  return request;
}

HttpRequest SessionRequest(const std::string& method, const HttpSession& session) {
  HttpRequest request;
  request.method = method;
  if (method == "GET") request.fields.push_back({"Accept", "text/event-stream"});
  AddSession(session, request);
  return request;
}

void ChangeHttp(HttpRequest& request, const Json& changes) {
  if (const auto method = changes.FindString("method")) request.method = *method;
  if (const auto path = changes.FindString("path")) request.path = *path;
  if (const auto behind = changes.FindString("behind")) request.behind = *behind;
  if (changes.FindString("closes") == "writing") request.half_closes = true;
  const Json* headers = changes.Find("headers");
  if (headers == nullptr) return;
  for (const JsonMember& header : headers->members()) {
    const auto same = [&](const HttpField& field) { return SameFieldName(field.name, header.key); };
    const auto found = std::find_if(request.fields.begin(), request.fields.end(), same);
    if (header.value.is_null()) {
      std::erase_if(request.fields, same);
      request.without.push_back(header.key);
    } else if (found != request.fields.end()) {
      *found = {header.key, TextOf(header.value)};
    } else {
      request.fields.push_back({header.key, TextOf(header.value)});
    }
  }
}

void AddHeaders(HttpRequest& request, const Json& headers) {
  for (const JsonMember& header : headers.members()) {
    const bool without =
        std::any_of(request.without.begin(), request.without.end(),
                    [&](const std::string& name) { return SameFieldName(name, header.key); });
    if (without || request.Find(header.key) != nullptr) continue;
    ChangeHttp(request, Json::Object({{"headers", Json::Object({{header.key, header.value}})}}));
  }
}

HttpRequest DescribedHttp(const Json& description) {
  HttpRequest request;
  ChangeHttp(request, description);
  if (const Json* body = description.Find("body")) request.body = TextOf(*body);
  return request;
}

std::string FieldText(const std::string& value) {
  const bool plain =
      std::all_of(value.begin(), value.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  const bool trimmed = value.empty() || (value.front() != ' ' && value.back() != ' ');
  const bool looks_encoded = value.starts_with("=?base64?") && value.ends_with("?=");
  if (plain && trimmed && !looks_encoded) return value;
  return Encoded(value);
}

}  // namespace assay
