// Questions travel as requests of the server (legacy), inside results and notifications (modern),
// and in the data of an error (legacy, URL mode). What they may say is the same everywhere.

#include "oracle/questions.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/json_schema.h"
#include "oracle/schema_rules.h"
#include "oracle/secrets.h"

namespace assay::oracle {
namespace {

constexpr Duty kSecrets{"M-ELICIT-NO-SENSITIVE-FORM", "L-ELICIT-form-no-sensitive", "2025-11-25"};
constexpr Duty kSecrets2025June{"", "L-ELICIT-no-sensitive-2025-06", "2025-06-18", "2025-06-18"};
constexpr Duty kSecretsByUrl{"M-ELICIT-SENSITIVE-VIA-URL", "L-ELICIT-url-for-sensitive",
                             "2025-11-25"};
constexpr Duty kClickable{"M-ELICIT-FORM-NO-CLICKABLE-URLS", "L-ELICIT-form-no-clickable-url",
                          "2025-11-25"};
constexpr Duty kHttps{"M-ELICIT-URL-HTTPS", "L-ELICIT-url-https", "2025-11-25"};
constexpr Duty kUserData{"M-ELICIT-URL-NO-USER-DATA", "L-ELICIT-url-no-user-data", "2025-11-25"};
constexpr Duty kElicitationId{"", "L-ELICIT-id-unique", "2025-11-25"};
constexpr Duty kCompletion{"", "L-ELICIT-complete-right-client", "2025-11-25"};
constexpr Duty kRequiredCode{"", "L-ELICIT-required-error-code", "2025-11-25"};

constexpr Duty kContext{"M-SAMPLING-AVOID-INCLUDECONTEXT", "L-SAMPLE-include-context-avoid",
                        "2025-11-25"};
constexpr Duty kResultsAlone{"M-SAMPLING-TOOL-RESULTS-ALONE", "L-SAMPLE-tool-result-alone",
                             "2025-11-25"};
constexpr Duty kBalance{"M-SAMPLING-TOOL-BALANCE", "L-SAMPLE-tool-balance", "2025-11-25"};
constexpr Duty kStructured{"M-SAMPLING-TOOL-RESULT-STRUCTURED", ""};
// Of tools for a model; what the schema of a form may be is narrower, and its shape tells.
constexpr Duty kSchema{"M-JSCHEMA-VALID", "L-BASE-schema-valid", "2025-11-25"};

bool HasAddress(const Json* text) {
  return text != nullptr && text->is_string() &&
         (text->text().find("http://") != std::string::npos ||
          text->text().find("https://") != std::string::npos);
}

void JudgeForm(const Received& received, const Json& params, Findings& findings) {
  const Json* properties = params.Find("requestedSchema", "properties");
  bool clickable = HasAddress(params.Find("message"));
  for (const JsonMember& member :
       properties == nullptr ? std::vector<JsonMember>() : properties->members()) {
    if (NamesASecret(member.key)) {
      // What a property of that name is for is the server's to say.
      findings.Report({kSecrets, kSecrets2025June}, received,
                      "A form asks the user for what looks like a secret",
                      {.actual = Json::String(member.key), .at_most_warn = true});
      findings.Report(kSecretsByUrl, received,
                      "What looks like a secret is asked for in a form and not at an address",
                      {.actual = Json::String(member.key), .at_most_warn = true});
    }
    clickable = clickable || HasAddress(member.value.Find("title")) ||
                HasAddress(member.value.Find("description"));
  }
  if (clickable) findings.Report(kClickable, received, "A form contains a web address");
}

void JudgeAddress(const Received& received, const Json& params, Findings& findings) {
  const std::string url = params.FindString("url").value_or("");
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) return;  // the shape tells
  const std::string_view rest = std::string_view(url).substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const auto at = authority.rfind('@');
  if (at != std::string_view::npos) {
    findings.Report(kUserData, received, "The address to open names a user",
                    {.actual = Json::String(url)});
  }
  const std::string_view host = authority.substr(at == std::string_view::npos ? 0 : at + 1);
  const bool development = host.starts_with("localhost") || host.starts_with("127.") ||
                           host.starts_with("[::1]") || host.find(".local") != std::string::npos;
  if (url.substr(0, scheme) == "http" && !development) {
    findings.Report(kHttps, received, "The address to open is not HTTPS",
                    {.actual = Json::String(url)});
  }
}

// --- conversations with a model

std::vector<const Json*> BlocksOf(const Json& message) {
  std::vector<const Json*> blocks;
  const Json* content = message.Find("content");
  if (content == nullptr) return blocks;
  if (content->is_object()) blocks.push_back(content);
  for (const Json& block : content->items()) blocks.push_back(&block);
  return blocks;
}

// The text `member` of each block of that type.
std::set<std::string> Ids(const Json& message, std::string_view type, std::string_view member) {
  std::set<std::string> ids;
  for (const Json* block : BlocksOf(message)) {
    if (block->FindString("type") == type) ids.insert(block->FindString(member).value_or(""));
  }
  return ids;
}

// Each use of a tool is answered at once and by nothing else.
void JudgeConversation(const Received& received, const Json& messages, Findings& findings) {
  std::set<std::string> owed;
  for (const Json& message : messages.items()) {
    const std::set<std::string> results = Ids(message, "tool_result", "toolUseId");
    if (!results.empty() && message.FindString("role") == "user" &&
        results.size() != BlocksOf(message).size()) {
      findings.Report(kResultsAlone, received,
                      "A message with results of tools has something else too",
                      {.actual = message});
    }
    if (results != owed) {
      findings.Report(kBalance, received, "Uses of tools and their results do not match",
                      {.actual = message});
      return;
    }
    owed = message.FindString("role") == "assistant" ? Ids(message, "tool_use", "id")
                                                     : std::set<std::string>();
  }
  if (!owed.empty()) {
    findings.Report(kBalance, received, "A use of a tool has no result",
                    {.actual = Json::String(*owed.begin())});
  }
}

const Json* FindNamed(const Json* list, const std::string& name) {
  if (list == nullptr) return nullptr;
  const auto found = std::find_if(list->items().begin(), list->items().end(),
                                  [&](const Json& it) { return it.FindString("name") == name; });
  return found == list->items().end() ? nullptr : &*found;
}

void JudgeStructured(const Received& received, const Json& params, const Json& messages,
                     Findings& findings) {
  std::map<std::string, const Json*> schema_of_use;
  for (const Json& message : messages.items()) {
    for (const Json* block : BlocksOf(message)) {
      if (block->FindString("type") == "tool_use") {
        const Json* tool = FindNamed(params.Find("tools"), block->FindString("name").value_or(""));
        schema_of_use[block->FindString("id").value_or("")] =
            tool == nullptr ? nullptr : tool->Find("outputSchema");
        continue;
      }
      const Json* structured = block->Find("structuredContent");
      if (block->FindString("type") != "tool_result" || structured == nullptr) continue;
      const auto schema = schema_of_use.find(block->FindString("toolUseId").value_or(""));
      if (schema == schema_of_use.end() || schema->second == nullptr) continue;
      const SchemaAnswer answer = CheckInstance(*schema->second, *structured);
      if (answer.kind == SchemaAnswer::Kind::kInvalid) {
        findings.Report(kStructured, received,
                        "The result of a tool does not fit its outputSchema: " + answer.why,
                        {.actual = *structured});
      } else if (answer.kind == SchemaAnswer::Kind::kNotJudged) {
        findings.LeaveOpen(kStructured, received, "The result of a tool: " + answer.why);
      }
    }
  }
}

void JudgeTools(const Received& received, const Json& tools, Findings& findings) {
  for (const Json& tool : tools.items()) {
    for (const std::string_view member : {"inputSchema", "outputSchema"}) {
      const Json* schema = tool.Find(member);
      if (schema == nullptr || !schema->is_object()) continue;  // the shape tells
      JudgeSchema(received,
                  "The " + std::string(member) + " of the tool " +
                      tool.FindString("name").value_or("") + " for a model",
                  *schema, kSchema, findings);
    }
  }
}

void JudgeSampling(const Received& received, const Json& params, const Json* declared,
                   Findings& findings) {
  if (const Json* tools = params.Find("tools")) JudgeTools(received, *tools, findings);
  const std::string context = params.FindString("includeContext").value_or("none");
  // Without the capability there is a sentence of its own for it.
  if (context != "none" && declared != nullptr &&
      declared->Find("sampling", "context") != nullptr) {
    findings.Report(kContext, received, "The server samples with the context of servers",
                    {.actual = Json::String(context)});
  }
  const Json* messages = params.Find("messages");
  if (messages == nullptr) return;
  JudgeConversation(received, *messages, findings);
  JudgeStructured(received, params, *messages, findings);
}

class QuestionWalk {
 public:
  explicit QuestionWalk(Findings& findings) : findings_(findings) {}

  void Look(const Received& received) {
    switch (received.kind) {
      case Received::Kind::kRequest:
        if (received.session->only_legacy()) {
          Question(received, received.method(), received.params(),
                   received.session->client_capabilities);
        }
        return;
      case Received::Kind::kNotification:
        Notification(received);
        return;
      case Received::Kind::kResult:
        if (received.era == Era::kModern && received.request != nullptr) {
          Questions(received, received.result()->Find("inputRequests"),
                    received.request->envelope.capabilities);
        }
        return;
      case Received::Kind::kError:
        Refusal(received);
        return;
      default:
        return;
    }
  }

 private:
  void Question(const Received& received, const std::string& method, const Json* params,
                const Json* declared) {
    if (params == nullptr) return;
    if (method == "sampling/createMessage") {
      JudgeSampling(received, *params, declared, findings_);
    } else if (method == "elicitation/create") {
      Elicitation(received, *params);
    }
  }

  void Questions(const Received& received, const Json* requests, const Json* declared) {
    if (requests == nullptr) return;
    for (const JsonMember& member : requests->members()) {
      Question(received, member.value.FindString("method").value_or(""),
               member.value.Find("params"), declared);
    }
  }

  void Elicitation(const Received& received, const Json& params) {
    if (params.FindString("mode").value_or("form") == "form") {
      return JudgeForm(received, params, findings_);
    }
    JudgeAddress(received, params, findings_);
    const auto id = params.FindString("elicitationId");
    if (!id || received.era != Era::kLegacy) return;
    const auto [known, fresh] = elicitations_.try_emplace({received.session, *id}, params);
    const Json* before = known->second.Find("url");
    const Json* url = params.Find("url");
    if (!fresh && before != nullptr && url != nullptr && !Equal(*before, *url)) {
      findings_.Report(kElicitationId, received, "Two elicitations have the same elicitationId",
                       {.actual = Json::String(*id)});
    }
  }

  void Notification(const Received& received) {
    const Json* params = received.params();
    if (params == nullptr) return;
    if (received.method() == "notifications/tasks") {
      Questions(received, params->Find("inputRequests"), nullptr);
    } else if (received.method() == "notifications/elicitation/complete" &&
               received.era == Era::kLegacy) {
      const auto id = params->FindString("elicitationId");
      if (!id || elicitations_.count({received.session, *id}) > 0) return;
      findings_.Report(kCompletion, received, "An elicitation is complete that nobody began here",
                       {.actual = Json::String(*id)});
    }
  }

  void Refusal(const Received& received) {
    const Json* wanted = received.error()->Find("data", "elicitations");
    if (wanted == nullptr || received.era != Era::kLegacy) return;
    const Json* code = received.error()->Find("code");
    if (code != nullptr && code->AsInteger() != -32042) {
      findings_.Report(kRequiredCode, received,
                       "An error that names elicitations to complete has another code",
                       {.expected = Json::Integer(-32042), .actual = *code});
    }
    for (const Json& params : wanted->items()) Elicitation(received, params);
  }

  Findings& findings_;
  std::map<std::pair<const Session*, std::string>, Json> elicitations_;  // by elicitationId
};

void JudgeQuestions(const Ledger& ledger, Findings& findings) {
  QuestionWalk walk(findings);
  for (const Moment& moment : ledger.moments()) {
    if (moment.received != nullptr && moment.received->body != nullptr &&
        moment.received->body->is_object()) {
      walk.Look(*moment.received);
    }
  }
}

}  // namespace

std::vector<Rule> QuestionRules() {
  return {{"questions",
           {kSecrets, kSecrets2025June, kSecretsByUrl, kClickable, kHttps, kUserData,
            kElicitationId, kCompletion, kRequiredCode, kContext, kResultsAlone, kBalance,
            kStructured, kSchema, kDefaultDialect},
           JudgeQuestions}};
}

}  // namespace assay::oracle
