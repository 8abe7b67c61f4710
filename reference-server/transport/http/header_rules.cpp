#include "transport/http/header_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/base64.h"
#include "protocol/envelope.h"
#include "protocol/request_id.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// Where the value that `Mcp-Name` mirrors stands, by method.
struct NamedMethod {
  std::string_view method;
  std::string_view param;
  bool is_demanded;
};

constexpr std::array kNamedMethods{
    NamedMethod{"tools/call", "name", true},      NamedMethod{"prompts/get", "name", true},
    NamedMethod{"resources/read", "uri", true},   NamedMethod{"tasks/get", "taskId", false},
    NamedMethod{"tasks/update", "taskId", false}, NamedMethod{"tasks/cancel", "taskId", false}};

ProtocolError Mismatch(std::string_view header, std::string_view what) {
  return {ErrorCode::kHeaderMismatch,
          "Header mismatch: " + std::string(header) + " " + std::string(what)};
}

ProtocolError Differs(std::string_view header) {
  return Mismatch(header, "does not match the body");
}

bool IsFieldValue(std::string_view value) {
  return std::all_of(value.begin(), value.end(),
                     [](char c) { return (c >= 0x20 && c <= 0x7E) || c == '\t'; });
}

bool IsUtf8(std::string_view text) {
  // Boost.JSON checks strings, so it is asked about one.
  boost::system::error_code failed;
  json::parse(json::serialize(json::value(text)), failed);
  return !failed;
}

/// One of the standard headers, whose value stands for itself.
std::optional<ProtocolError> PlainProblem(const HttpRequest& http, std::string_view header,
                                          std::optional<std::string_view> body) {
  const std::optional<std::string_view> value = http.Header(header);
  if (!value) return Mismatch(header, "is missing");
  if (http.Contradicts(header)) return Mismatch(header, "is given twice");
  if (!IsFieldValue(*value)) return Mismatch(header, "has invalid characters");
  if (body && *value != *body) return Differs(header);
  return std::nullopt;
}

const json::value* Find(const json::object* object, std::string_view name) {
  return object == nullptr ? nullptr : object->if_contains(name);
}

std::optional<std::string_view> String(const json::value* value) {
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string_view(value->get_string());
}

std::optional<std::string_view> EnvelopeVersion(const Request& request) {
  const json::value* meta = Find(request.params, "_meta");
  return String(meta == nullptr ? nullptr : Find(meta->if_object(), kProtocolVersionKey));
}

std::optional<ProtocolError> NameProblem(const HttpRequest& http, const Request& request) {
  constexpr std::string_view kHeader = "Mcp-Name";
  const auto* named = std::find_if(kNamedMethods.begin(), kNamedMethods.end(),
                                   [&](const auto& one) { return one.method == request.method; });
  if (named == kNamedMethods.end()) return std::nullopt;
  const std::optional<std::string_view> body = String(Find(request.params, named->param));
  const std::optional<std::string_view> value = http.Header(kHeader);
  if (!value) {
    if (!body || !named->is_demanded) return std::nullopt;
    return Mismatch(kHeader, "is missing");
  }
  if (http.Contradicts(kHeader)) return Mismatch(kHeader, "is given twice");
  const std::optional<std::string> decoded = DecodeHeaderValue(*value);
  if (!decoded) return Mismatch(kHeader, "is malformed");
  if (*decoded != body) return Differs(kHeader);
  return std::nullopt;
}

/// Numerically equal, whatever the notation: 42, 42.0 and 4.2e1.
bool IsSameInteger(const json::value& body, std::string_view header) {
  boost::system::error_code failed;
  const json::value number = json::parse(header, failed);
  if (failed || !number.is_number()) return false;
  const auto a = RequestId::Parse(json::serialize(body));
  const auto b = RequestId::Parse(json::serialize(number));
  return a && b && a->key() == b->key();
}

bool IsSameParameter(const json::value& body, std::string_view header) {
  if (body.is_string()) return std::string_view(body.get_string()) == header;
  if (body.is_bool()) return header == (body.get_bool() ? "true" : "false");
  return IsSameInteger(body, header);
}

std::optional<ProtocolError> OneParameterProblem(const HttpRequest& http, const std::string& header,
                                                 const json::value* argument) {
  const std::optional<std::string_view> value = http.Header(header);
  if (argument == nullptr || argument->is_null()) {
    if (value) return Differs(header);
    return std::nullopt;
  }
  // Of the wrong type: the tool's schema refuses it.
  if (argument->is_structured()) return std::nullopt;
  if (!value) return Mismatch(header, "is missing");
  if (http.Contradicts(header)) return Mismatch(header, "is given twice");
  const std::optional<std::string> decoded = DecodeHeaderValue(*value);
  if (!decoded) return Mismatch(header, "is malformed");
  if (!IsSameParameter(*argument, *decoded)) return Differs(header);
  return std::nullopt;
}

/// Annotated properties are those that a chain of `properties` leads to, and nothing else.
std::optional<ProtocolError> PropertiesProblem(const HttpRequest& http, const json::object& schema,
                                               const json::object* arguments) {
  const json::value* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return std::nullopt;
  for (const auto& [name, property] : properties->get_object()) {
    const json::object* definition = property.if_object();
    if (definition == nullptr) continue;
    const json::value* argument = Find(arguments, name);
    if (const auto header = String(definition->if_contains("x-mcp-header"))) {
      if (auto problem = OneParameterProblem(http, "Mcp-Param-" + std::string(*header), argument)) {
        return problem;
      }
    }
    const json::object* inner = argument == nullptr ? nullptr : argument->if_object();
    if (auto problem = PropertiesProblem(http, *definition, inner)) return problem;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> DecodeHeaderValue(std::string_view value) {
  constexpr std::string_view kPrefix = "=?base64?";
  constexpr std::string_view kSuffix = "?=";
  if (!IsFieldValue(value)) return std::nullopt;
  if (value.size() < kPrefix.size() + kSuffix.size() || !value.starts_with(kPrefix) ||
      !value.ends_with(kSuffix)) {
    return std::string(value);
  }
  value.remove_prefix(kPrefix.size());
  value.remove_suffix(kSuffix.size());
  std::optional<std::string> decoded = DecodeBase64(value);
  if (decoded && !IsUtf8(*decoded)) return std::nullopt;
  return decoded;
}

ProtocolError UnsupportedVersionHeader(const HttpRequest& http) {
  const std::string_view version = *http.Header(kProtocolVersionHeader);
  if (!IsFieldValue(version)) return Mismatch(kProtocolVersionHeader, "has invalid characters");
  return UnsupportedVersion(version);
}

bool HasModernVersionHeader(const HttpRequest& http) {
  return std::any_of(http.headers.begin(), http.headers.end(), [](const HttpHeader& header) {
    if (!EqualsIgnoringCase(header.name, kProtocolVersionHeader)) return false;
    const std::optional<Revision> revision = ParseRevision(header.value);
    return !revision || IsModern(*revision);
  });
}

std::optional<ProtocolError> HeaderProblem(const HttpRequest& http, const Request& request) {
  if (auto problem = PlainProblem(http, kProtocolVersionHeader, EnvelopeVersion(request))) {
    return problem;
  }
  if (auto problem = PlainProblem(http, "Mcp-Method", request.method)) return problem;
  return NameProblem(http, request);
}

std::optional<ProtocolError> ParameterHeaderProblem(const HttpRequest& http, const Request& request,
                                                    const json::object& input_schema) {
  const json::value* arguments = Find(request.params, "arguments");
  return PropertiesProblem(http, input_schema,
                           arguments == nullptr ? nullptr : arguments->if_object());
}

}  // namespace assay::reference
