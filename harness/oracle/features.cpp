// What tools, prompts, resources and completions send, beyond its shape.

#include "oracle/features.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "message/base64.h"
#include "oracle/json_schema.h"
#include "oracle/schema_rules.h"
#include "oracle/secrets.h"

namespace assay::oracle {
namespace {

constexpr Duty kToolUnique{"M-TOOLS-NAME-UNIQUE", "L-TOOLS-name-unique", "2025-11-25"};
constexpr Duty kPromptUnique{"", "L-PROMPT-name-unique"};
constexpr Duty kUriUnique{"M-RES-URI-UNIQUE", "L-RES-uri-unique"};
constexpr Duty kPages{"M-PAGE-CONTINUES-AFTER-CURSOR", "L-PAGE-continues-after-cursor"};
constexpr Duty kNameLength{"M-TOOLS-NAME-LENGTH", "L-TOOLS-name-length", "2025-11-25"};
constexpr Duty kNameCharset{"M-TOOLS-NAME-CHARSET", "L-TOOLS-name-charset", "2025-11-25"};
constexpr Duty kListOrder{"M-TOOLS-LIST-ORDER", ""};

constexpr Duty kInputSchema{"M-TOOLS-INPUT-SCHEMA-VALID", "L-TOOLS-input-schema-valid",
                            "2025-11-25"};
constexpr Duty kOutputSchema{"M-TOOLS-OUTPUT-SCHEMA-VALID", "L-BASE-schema-valid", "2025-11-25"};
constexpr Duty kHeaderNames{"M-TOOLS-XHDR-NON-EMPTY", ""};
constexpr Duty kHeaderToken{"M-TOOLS-XHDR-TOKEN", ""};
constexpr Duty kHeaderControl{"M-TOOLS-XHDR-NO-CONTROL", ""};
constexpr Duty kHeaderReachable{"M-TOOLS-XHDR-REACHABLE", ""};
constexpr Duty kHeaderSensitive{"M-TOOLS-XHDR-NOT-SENSITIVE", ""};
constexpr Duty kHeaderUnique{"M-TOOLS-XHDR-UNIQUE", ""};
constexpr Duty kHeaderPrimitive{"M-TOOLS-XHDR-PRIMITIVE", ""};

constexpr Duty kStructuredPresent{"M-TOOLS-STRUCTURED-PRESENT", "L-TOOLS-output-conforms",
                                  "2025-06-18"};
constexpr Duty kStructuredConforms{"M-TOOLS-STRUCTURED-CONFORMS", "L-TOOLS-output-conforms",
                                   "2025-06-18"};
constexpr Duty kStructuredText{"M-TOOLS-STRUCTURED-TEXT-COPY", "L-TOOLS-structured-also-text",
                               "2025-06-18"};
constexpr Duty kEmbeddedNeeds{"M-TOOLS-EMBEDDED-RESOURCES-CAPABILITY",
                              "L-TOOLS-embedded-needs-resources", "2025-06-18"};

constexpr Duty kImage{"M-CONTENT-IMAGE", "L-TOOLS-shape-image-content"};
constexpr Duty kAudio{"M-CONTENT-AUDIO", "L-TOOLS-shape-audio-content", "2025-03-26"};
constexpr Duty kPromptImage{"M-CONTENT-IMAGE", "L-PROMPT-image-base64"};
constexpr Duty kPromptAudio{"M-CONTENT-AUDIO", "L-PROMPT-audio-base64", "2025-03-26"};
constexpr Duty kEmbedded{"M-CONTENT-EMBEDDED", "L-TOOLS-shape-embedded-resource"};
constexpr Duty kPromptEmbedded{"M-PROMPTS-EMBEDDED-COMPLETE", "L-PROMPT-embedded-complete"};
constexpr Duty kBlob{"M-RES-BLOB-BASE64", "L-RES-binary-encoded"};
constexpr Duty kUri{"M-RES-CUSTOM-SCHEME-RFC3986", "L-RES-uri-rfc3986", "2025-06-18"};

constexpr Duty kMax100{"M-COMPL-MAX-100", "L-COMPLETE-max-100"};
constexpr Duty kEmptyPing{"", "L-PING-respond"};
constexpr Duty kEmptySubscribe{"", "L-RES-subscribe-empty-result"};
constexpr Duty kEmptySetLevel{"", "L-LOG-setlevel-empty-result"};

// Calls `judge` with every result that surely belongs to its request.
template <typename Judge>
void ForEachResult(const Ledger& ledger, const Judge& judge) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.received == nullptr || moment.received->kind != Received::Kind::kResult) continue;
    const Received& received = *moment.received;
    const Sent* request = received.request;
    if (request == nullptr || request->answer != &received || request->reused_id ||
        !received.result()->is_object()) {
      continue;
    }
    judge(received, *request, *received.result());
  }
}

std::optional<std::string> ParamOf(const Sent& request, std::string_view name) {
  return request.params() == nullptr ? std::nullopt : request.params()->FindString(name);
}

// --- lists

struct List {
  std::string_view method;
  std::string_view member;
  std::string_view key;  // what tells the items apart
  const Duty& unique;
};
const List kLists[] = {
    {"tools/list", "tools", "name", kToolUnique},
    {"prompts/list", "prompts", "name", kPromptUnique},
    {"resources/list", "resources", "uri", kUriUnique},
};

void JudgeList(const Received& received, const Sent& request, const Json& items, const List& list,
               std::map<std::pair<std::string, std::string>, std::set<std::string>>& pages,
               const std::optional<std::string>& next, Findings& findings) {
  const std::string method(list.method);
  std::set<std::string> keys;
  for (const Json& item : items.items()) {
    const auto key = item.FindString(list.key);
    if (!key || keys.insert(*key).second) continue;
    findings.Report(list.unique, received,
                    method + " lists one " + std::string(list.key) + " twice",
                    {.actual = Json::String(*key)});
  }
  // Against the page that gave this one's cursor. The list may have changed in between.
  if (const auto cursor = ParamOf(request, "cursor")) {
    const auto before = pages.find({method, *cursor});
    if (before != pages.end()) {
      const auto repeated = std::find_if(keys.begin(), keys.end(), [&](const std::string& key) {
        return before->second.count(key) > 0;
      });
      if (repeated != keys.end()) {
        findings.Report(kPages, received, "A page of " + method + " repeats the page before",
                        {.actual = Json::String(*repeated), .at_most_warn = true});
      }
    }
  }
  if (next) pages[{method, *next}] = std::move(keys);
}

void JudgeLists(const Ledger& ledger, Findings& findings) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> pages;
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    for (const List& list : kLists) {
      if (list.method != request.method) continue;
      const Json* items = result.Find(list.member);
      if (items == nullptr || !items->is_array()) continue;
      JudgeList(received, request, *items, list, pages, result.FindString("nextCursor"), findings);
    }
  });
}

std::vector<std::string> NamesOf(const Json& tools) {
  std::vector<std::string> names;
  for (const Json& tool : tools.items()) names.push_back(tool.FindString("name").value_or(""));
  return names;
}

void JudgeOrder(const Ledger& ledger, Findings& findings) {
  std::unordered_map<const Session*, std::vector<std::string>> before;
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    const Json* tools = result.Find("tools");
    if (request.method != "tools/list" || received.era != Era::kModern || tools == nullptr ||
        ParamOf(request, "cursor")) {
      return;
    }
    std::vector<std::string> names = NamesOf(*tools);
    const auto last = before.find(received.session);
    if (last != before.end() && last->second != names &&
        std::is_permutation(names.begin(), names.end(), last->second.begin(), last->second.end())) {
      findings.Report(kListOrder, received, "tools/list gave the same tools in another order");
    }
    before[received.session] = std::move(names);
  });
}

// --- tools

bool InCharset(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

bool IsToken(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+.^_`|~-").find(c) != std::string_view::npos;
  });
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool HasControl(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; });
}

// Keywords of JSON Schema whose value is a schema or a list of them, or an object of them by name.
constexpr std::string_view kKeywordsOfSchemas[] = {"items",
                                                   "prefixItems",
                                                   "contains",
                                                   "additionalProperties",
                                                   "allOf",
                                                   "anyOf",
                                                   "oneOf",
                                                   "not",
                                                   "if",
                                                   "then",
                                                   "else",
                                                   "propertyNames",
                                                   "additionalItems",
                                                   "unevaluatedProperties",
                                                   "unevaluatedItems"};
constexpr std::string_view kKeywordsOfNamedSchemas[] = {"$defs", "definitions", "patternProperties",
                                                        "dependentSchemas"};

// x-mcp-header on the properties of a schema, down through properties alone.
void JudgeHeaders(const Received& received, const std::string& tool, const Json& schema,
                  std::set<std::string>& taken, Findings& findings, int depth = 0) {
  const Json* properties = schema.Find("properties");
  if (properties == nullptr || depth > 16) return;
  for (const JsonMember& property : properties->members()) {
    JudgeHeaders(received, tool, property.value, taken, findings, depth + 1);
    const Json* header = property.value.Find("x-mcp-header");
    if (header == nullptr) continue;
    const std::string of = "The x-mcp-header of " + property.key + " of tool " + tool;
    if (!header->is_string() || header->text().empty()) {
      findings.Report(kHeaderNames, received, of + " is empty", {.actual = *header});
      continue;
    }
    if (HasControl(header->text())) {
      findings.Report(kHeaderControl, received, of + " has control characters",
                      {.actual = *header});
    } else if (!IsToken(header->text())) {
      findings.Report(kHeaderToken, received, of + " is no token", {.actual = *header});
    } else if (!taken.insert(Lower(header->text())).second) {
      findings.Report(kHeaderUnique, received, of + " is taken", {.actual = *header});
    }
    const std::string type = property.value.FindString("type").value_or("");
    if (type != "string" && type != "integer" && type != "boolean") {
      findings.Report(kHeaderPrimitive, received, of + " is on no string, integer or boolean");
    }
    if (NamesASecret(property.key)) {
      // What a parameter of that name is for is the server's to say.
      findings.Report(kHeaderSensitive, received,
                      "Tool " + tool + " has what looks like a secret mirrored into a header",
                      {.actual = Json::String(property.key), .at_most_warn = true});
    }
  }
}

// Where in `schema` an x-mcp-header stands that no chain of `properties` alone leads to; "" when
// there is none. `mirrored`: whether it may stand in `schema` itself.
std::string FindUnreachableHeader(const Json& schema, const std::string& pointer, bool mirrored,
                                  bool chained, int depth = 0) {
  if (!schema.is_object() || depth > 16) return "";
  if (schema.Find("x-mcp-header") != nullptr && !mirrored) return pointer + "/x-mcp-header";
  const auto inner = [&](const Json& value, const std::string& where, bool on) {
    return FindUnreachableHeader(value, where, on, on, depth + 1);
  };
  for (const JsonMember& member : schema.members()) {
    const std::string where = pointer + "/" + member.key;
    const bool is_properties = member.key == "properties";
    const auto holds = [&](const auto& keywords) {
      return std::find(std::begin(keywords), std::end(keywords), member.key) != std::end(keywords);
    };
    if (is_properties || holds(kKeywordsOfNamedSchemas)) {
      for (const JsonMember& named : member.value.members()) {
        std::string found = inner(named.value, where + "/" + named.key, is_properties && chained);
        if (!found.empty()) return found;
      }
    } else if (holds(kKeywordsOfSchemas)) {
      std::string found = inner(member.value, where, false);
      if (!found.empty()) return found;
      for (const Json& item : member.value.items()) {
        found = inner(item, where, false);
        if (!found.empty()) return found;
      }
    }
  }
  return "";
}

void JudgeTool(const Received& received, const Json& tool, Findings& findings) {
  const std::string name = tool.FindString("name").value_or("");
  if (tool.Find("name") != nullptr && tool.Find("name")->is_string()) {
    const Json actual = Json::String(name);
    if (name.empty() || name.size() > 128) {
      findings.Report(kNameLength, received, "A tool's name is empty or longer than 128 characters",
                      {.actual = actual});
    } else if (!InCharset(name)) {
      findings.Report(kNameCharset, received,
                      "A tool's name has characters other than letters, digits, _, - and .",
                      {.actual = actual});
    }
  }
  const auto judge_schema = [&](std::string_view member, const Duty& duty) {
    const Json* schema = tool.Find(member);
    if (schema == nullptr || !schema->is_object()) return;  // the shape tells
    // What its shape already says of the root is not said twice.
    const Json* type = schema->Find("type");
    const Json* properties = schema->Find("properties");
    const bool shapely = type == nullptr || type->is_string();
    const bool told = received.era == Era::kLegacy &&
                      (!shapely || (properties != nullptr && !properties->is_object()));
    if (!told) {
      JudgeSchema(received, "The " + std::string(member) + " of tool " + name, *schema, duty,
                  findings);
    }
  };
  judge_schema("inputSchema", kInputSchema);
  judge_schema("outputSchema", kOutputSchema);
  if (const Json* schema = tool.Find("inputSchema"); schema && received.era == Era::kModern) {
    std::set<std::string> taken;
    JudgeHeaders(received, name, *schema, taken, findings);
    const std::string where = FindUnreachableHeader(*schema, "", false, true);
    if (!where.empty()) {
      findings.Report(kHeaderReachable, received,
                      "An x-mcp-header of tool " + name +
                          " is not on a property that `properties` "
                          "alone lead to: inputSchema" +
                          where);
    }
  }
}

void JudgeTools(const Ledger& ledger, Findings& findings) {
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    const Json* tools = result.Find("tools");
    if (request.method != "tools/list" || tools == nullptr) return;
    for (const Json& tool : tools->items()) JudgeTool(received, tool, findings);
  });
}

// --- structured output

bool HasTextCopy(const Json& content, const Json& structured) {
  return std::any_of(content.items().begin(), content.items().end(), [&](const Json& block) {
    const auto text = block.FindString("text");
    if (!text) return false;
    const JsonParse parse = ParseJson(*text);
    return parse.value && Equal(*parse.value, structured);
  });
}

void JudgeStructured(const Received& received, const std::string& tool, const Json* schema,
                     const Json& result, Findings& findings) {
  const Json* structured = result.Find("structuredContent");
  const Json* is_error = result.Find("isError");
  // An error result is not bound by the schema (legacy-notes 10, modern-notes A13).
  const bool failed = is_error != nullptr && is_error->is_boolean() && is_error->boolean();
  if (structured != nullptr && !failed) {
    const Json* content = result.Find("content");
    if (content != nullptr && content->is_array() && !HasTextCopy(*content, *structured)) {
      findings.Report(kStructuredText, received,
                      "No text block repeats the structuredContent of tool " + tool);
    }
  }
  if (schema == nullptr || failed) return;
  if (structured == nullptr) {
    findings.Report(kStructuredPresent, received,
                    "Tool " + tool + " has an outputSchema and gave no structuredContent");
    return;
  }
  const bool dialect_unstated = received.era == Era::kLegacy && received.revision < "2025-11-25";
  const SchemaAnswer answer = CheckInstance(
      *schema, *structured, dialect_unstated ? DefaultDialect::kUnstated : DefaultDialect::k2020);
  const std::string of = "The structuredContent of tool " + tool;
  if (answer.kind == SchemaAnswer::Kind::kInvalid) {
    findings.Report(kStructuredConforms, received, of + " breaks its outputSchema: " + answer.why,
                    {.actual = *structured});
  } else if (answer.kind == SchemaAnswer::Kind::kNotJudged) {
    findings.LeaveOpen(kStructuredConforms, received, of + ": " + answer.why);
  }
}

const Json* OutputSchemaOf(const Json& tool) {
  const Json* schema = tool.Find("outputSchema");
  return schema != nullptr && schema->is_object() ? schema : nullptr;
}

// Of the tool called `name`, as it was listed before the exchange; null where it has none.
const Json* KnownOutputSchema(const Transcript& transcript, Era era, const std::string& name) {
  const Json* tools = era == Era::kModern ? transcript.modern_tools : transcript.legacy_tools;
  if (tools == nullptr) return nullptr;
  for (const Json& tool : tools->items()) {
    if (tool.FindString("name") == name) return OutputSchemaOf(tool);
  }
  return nullptr;
}

void JudgeCalls(const Ledger& ledger, Findings& findings) {
  // By session and tool: the latest outputSchema, null where there is none.
  std::map<std::pair<const Session*, std::string>, const Json*> schemas;
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    if (request.method == "tools/list") {
      const Json* tools = result.Find("tools");
      if (tools == nullptr) return;
      for (const Json& tool : tools->items()) {
        schemas[{received.session, tool.FindString("name").value_or("")}] = OutputSchemaOf(tool);
      }
      return;
    }
    if (request.method != "tools/call") return;
    const std::string type = result.FindString("resultType").value_or("complete");
    const bool created_task = result.Find("content") == nullptr && result.Find("task") != nullptr;
    if (type != "complete" || created_task) return;
    const std::string tool = ParamOf(request, "name").value_or("");
    const auto listed = schemas.find({received.session, tool});
    const Json* schema = listed != schemas.end()
                             ? listed->second
                             : KnownOutputSchema(ledger.transcript(), received.era, tool);
    JudgeStructured(received, tool, schema, result, findings);
  });
}

// --- content

struct ContentDuties {
  const Duty& image;
  const Duty& audio;
  const Duty& embedded;
};

bool GoodUri(std::string_view uri) {
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const char c = uri[i];
    if (c <= ' ' || c == '\x7f' || static_cast<unsigned char>(c) >= 0x80 ||
        std::string_view("<>\"{}|\\^`").find(c) != std::string_view::npos) {
      return false;
    }
    const auto hex = [&](std::size_t at) {
      return at < uri.size() &&
             std::string_view("0123456789abcdefABCDEF").find(uri[at]) != std::string_view::npos;
    };
    if (c == '%' && (!hex(i + 1) || !hex(i + 2))) return false;
  }
  return true;
}

void JudgeUri(const Received& received, const Json& owner, Findings& findings) {
  const auto uri = owner.FindString("uri");
  if (!uri || GoodUri(*uri) || uri->find(':') == std::string::npos) return;  // shape: the scheme
  // The sentence speaks of schemes of one's own.
  const std::string scheme = uri->substr(0, uri->find(':'));
  const bool common = scheme == "http" || scheme == "https" || scheme == "file" || scheme == "git";
  findings.Report(kUri, received, "A resource's URI does not follow RFC 3986",
                  {.actual = Json::String(*uri), .at_most_warn = common});
}

void JudgeBase64(const Received& received, const Json& owner, std::string_view member,
                 const Duty& duty, Findings& findings) {
  const auto data = owner.FindString(member);
  if (!data || DecodeBase64(*data)) return;
  findings.Report(duty, received, "The " + std::string(member) + " of a content is not base64",
                  {.actual = Json::String(data->substr(0, 80))});
}

void JudgeBlock(const Received& received, const Json& block, const ContentDuties& duties,
                Findings& findings) {
  const std::string type = block.FindString("type").value_or("");
  if (type == "image") JudgeBase64(received, block, "data", duties.image, findings);
  if (type == "audio") JudgeBase64(received, block, "data", duties.audio, findings);
  if (type == "resource_link") JudgeUri(received, block, findings);
  if (type != "resource") return;
  const Json* resource = block.Find("resource");
  if (resource == nullptr) return;
  JudgeUri(received, *resource, findings);
  JudgeBase64(received, *resource, "blob", duties.embedded, findings);
}

bool Declares(const Session& session, Era era, std::string_view capability) {
  const Json* capabilities =
      era == Era::kModern ? session.modern_capabilities : session.legacy_capabilities;
  return capabilities == nullptr || capabilities->Find(capability) != nullptr;
}

void JudgeContent(const Ledger& ledger, Findings& findings) {
  const ContentDuties of_tools{kImage, kAudio, kEmbedded};
  const ContentDuties of_prompts{kPromptImage, kPromptAudio, kPromptEmbedded};
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    const auto items = [&](std::string_view member) -> const std::vector<Json>& {
      static const std::vector<Json> kNone;
      const Json* list = result.Find(member);
      return list == nullptr ? kNone : list->items();
    };
    if (request.method == "tools/call" || request.method == "tasks/result") {
      for (const Json& block : items("content")) {
        JudgeBlock(received, block, of_tools, findings);
        if (block.FindString("type") == "resource" &&
            !Declares(*received.session, received.era, "resources")) {
          findings.Report(kEmbeddedNeeds, received,
                          "A tool embeds a resource, but the server does not declare resources");
        }
      }
    } else if (request.method == "prompts/get") {
      for (const Json& message : items("messages")) {
        const Json* block = message.Find("content");
        if (block == nullptr) continue;
        JudgeBlock(received, *block, of_prompts, findings);
        const Json* resource = block->Find("resource");
        if (block->FindString("type") == "resource" && resource != nullptr &&
            !resource->FindString("mimeType")) {
          // The schema leaves it optional (modern-notes A15).
          findings.Report(kPromptEmbedded, received, "A resource in a prompt has no MIME type",
                          {.at_most_warn = true});
        }
      }
    } else if (request.method == "resources/read") {
      for (const Json& content : items("contents")) {
        JudgeUri(received, content, findings);
        JudgeBase64(received, content, "blob", kBlob, findings);
      }
    } else if (request.method == "resources/list") {
      for (const Json& resource : items("resources")) JudgeUri(received, resource, findings);
    }
  });
}

// --- small things

void JudgeCompletions(const Ledger& ledger, Findings& findings) {
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    const Json* values = result.Find("completion", "values");
    if (request.method == "completion/complete" && values != nullptr &&
        values->items().size() > 100) {
      findings.Report(kMax100, received, "completion.values has more than 100 entries",
                      {.expected = Json::Integer(100),
                       .actual = Json::Integer(static_cast<int>(values->items().size()))});
    }
  });
}

// The type of an empty result is open, so members are only worth a warning (legacy-notes 22).
void JudgeEmpty(const Ledger& ledger, Findings& findings) {
  ForEachResult(ledger, [&](const Received& received, const Sent& request, const Json& result) {
    if (received.era != Era::kLegacy) return;
    const Duty* duty = request.method == "ping"                    ? &kEmptyPing
                       : request.method == "logging/setLevel"      ? &kEmptySetLevel
                       : request.method == "resources/subscribe"   ? &kEmptySubscribe
                       : request.method == "resources/unsubscribe" ? &kEmptySubscribe
                                                                   : nullptr;
    if (duty == nullptr) return;
    for (const JsonMember& member : result.members()) {
      if (member.key == "_meta") continue;
      findings.Report(*duty, received, "The result of " + request.method + " is not empty",
                      {.actual = result, .at_most_warn = true});
      return;
    }
  });
}

}  // namespace

std::vector<Rule> FeatureRules() {
  return {
      {"lists", {kToolUnique, kPromptUnique, kUriUnique, kPages}, JudgeLists},
      {"list-order", {kListOrder}, JudgeOrder},
      {"tools",
       {kNameLength, kNameCharset, kInputSchema, kOutputSchema, kDefaultDialect, kHeaderNames,
        kHeaderToken, kHeaderUnique, kHeaderPrimitive, kHeaderControl, kHeaderReachable,
        kHeaderSensitive},
       JudgeTools},
      {"structured-output", {kStructuredPresent, kStructuredConforms, kStructuredText}, JudgeCalls},
      {"content",
       {kImage, kAudio, kPromptImage, kPromptAudio, kEmbedded, kPromptEmbedded, kBlob, kUri,
        kEmbeddedNeeds},
       JudgeContent},
      {"completions", {kMax100}, JudgeCompletions},
      {"empty-results", {kEmptyPing, kEmptySubscribe, kEmptySetLevel}, JudgeEmpty},
  };
}

}  // namespace assay::oracle
