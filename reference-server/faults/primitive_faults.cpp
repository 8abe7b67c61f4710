// What goes wrong with prompts, resources, completion, logging levels and pages.
#include <boost/json.hpp>
#include <string>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

json::object* ResultOf(FaultyMessage& answer, std::string_view method) {
  return answer.method == method ? answer.result() : nullptr;
}

/// The method is not there, although its capability is declared.
Script Unknown(std::string_view method) {
  return {.answer = [method](FaultyMessage& answer) {
    if (ResultOf(answer, method) != nullptr) answer.Fail(-32601, "Method not found");
  }};
}

Script PromptsListUnknown() { return Unknown("prompts/list"); }
Script ResourcesListUnknown() { return Unknown("resources/list"); }
Script SubscribeUnknown() { return Unknown("resources/subscribe"); }

Script PromptsNotDeclared() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "initialize" && answer.method != "server/discover") return;
    if (json::object* result = answer.result()) {
      result->at("capabilities").as_object().stable_erase("prompts");
    }
  }};
}

Script TooManyCompletions() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "completion/complete");
    if (result == nullptr) return;
    json::object& completion = result->at("completion").as_object();
    json::array& values = completion.at("values").as_array();
    const auto total = completion.at("total").to_number<std::size_t>();
    while (values.size() < total) values.emplace_back("more-" + std::to_string(values.size()));
    completion["hasMore"] = false;
  }};
}

Script CompletionValuesAreObjects() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "completion/complete");
    if (result == nullptr) return;
    for (json::value& value : result->at("completion").at("values").as_array()) {
      value = json::object{{"value", value}};
    }
  }};
}

Script CompletionFlat() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "completion/complete");
    if (result == nullptr) return;
    const json::object completion = result->at("completion").as_object();
    result->stable_erase("completion");
    for (const auto& member : completion) (*result)[member.key()] = member.value();
  }};
}

Script UnknownReferenceIsEmpty() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "completion/complete" || answer.error() == nullptr) return;
    answer.message.stable_erase("error");
    json::object result{{"completion", json::object{{"values", json::array()}}}};
    if (answer.is_modern) result["resultType"] = "complete";
    answer.message["result"] = std::move(result);
  }};
}

Script AnyLogLevelAccepted() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method != "logging/setLevel" || answer.error() == nullptr) return;
    answer.message.stable_erase("error");
    answer.message["result"] = json::object();
  }};
}

Script BinaryAsText() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "resources/read");
    if (result == nullptr) return;
    for (json::value& content : result->at("contents").as_array()) {
      json::object& object = content.as_object();
      if (object.contains("blob")) object.at("blob") = "\x89PNG not encoded";
    }
  }};
}

Script ContentsIsObject() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "resources/read");
    if (result != nullptr) result->at("contents") = json::value(result->at("contents").at(0));
  }};
}

Script ContentsLackUri() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "resources/read");
    if (result == nullptr) return;
    for (json::value& content : result->at("contents").as_array()) {
      content.as_object().stable_erase("uri");
    }
  }};
}

Script ResourcesLackName() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "resources/list");
    if (result == nullptr) return;
    for (json::value& resource : result->at("resources").as_array()) {
      resource.as_object().stable_erase("name");
    }
  }};
}

Script TemplatesLackUri() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = ResultOf(answer, "resources/templates/list");
    if (result == nullptr) return;
    for (json::value& one : result->at("resourceTemplates").as_array()) {
      one.as_object().stable_erase("uriTemplate");
    }
  }};
}

/// Null as well if the prompt asks for input first.
json::array* PromptMessages(FaultyMessage& answer) {
  json::object* result = ResultOf(answer, "prompts/get");
  json::value* messages = result == nullptr ? nullptr : result->if_contains("messages");
  return messages == nullptr ? nullptr : messages->if_array();
}

Script MessageContentIsArray() {
  return {.answer = [](FaultyMessage& answer) {
    json::array* messages = PromptMessages(answer);
    if (messages == nullptr) return;
    for (json::value& message : *messages) {
      json::value& content = message.as_object().at("content");
      content = json::array{content};
    }
  }};
}

Script SystemRoleInPrompt() {
  return {.answer = [](FaultyMessage& answer) {
    json::array* messages = PromptMessages(answer);
    if (messages == nullptr) return;
    for (json::value& message : *messages) {
      message.as_object().at("role") = "system";
    }
  }};
}

Script EmptyCursorOnLastPage() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.method.ends_with("/list") ? answer.result() : nullptr;
    if (result != nullptr && !result->contains("nextCursor")) (*result)["nextCursor"] = "";
  }};
}

Script NullCursorOnLastPage() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.method.ends_with("/list") ? answer.result() : nullptr;
    if (result != nullptr && !result->contains("nextCursor")) (*result)["nextCursor"] = nullptr;
  }};
}

Script BadCursorIgnored() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || !line.method.ends_with("/list")) return;
    json::value* params = line.message->if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    line.changed = params->get_object().erase("cursor") != 0;
  }};
}

/// Every page begins with what the page before it ended with.
Script PagesOverlap() {
  return {.answer =
              [last = json::value()](FaultyMessage& answer) mutable {
                json::object* result = answer.method == "tools/list" ? answer.result() : nullptr;
                if (result == nullptr) return;
                json::array& tools = result->at("tools").as_array();
                const json::value own_last = tools.back();
                if (!last.is_null() && !answer.param("cursor").empty()) {
                  tools.insert(tools.begin(), last);
                }
                last = own_last;
              },
          .configure =
              [](Settings& settings, StdioSettings&) {
                if (!settings.page_size) settings.page_size = 5;
              }};
}

}  // namespace

std::vector<NamedFault> PrimitiveFaults() {
  return {
      {"prompts-list-unknown", "M-PROMPTS-LIST-ANSWERED", "BUG-152",
       "declares prompts but does not know prompts/list", PromptsListUnknown},
      {"resources-list-unknown", "L-RES-list-works", "BUG-152",
       "declares resources but does not know resources/list", ResourcesListUnknown},
      {"prompts-not-declared", "L-PROMPT-declare", "BUG-152",
       "serves prompts without declaring the capability", PromptsNotDeclared},
      {"subscribe-unknown", "L-RES-subscribe-empty-result", "BUG-154",
       "declares subscribe but does not know resources/subscribe", SubscribeUnknown},
      {"too-many-completions", "M-COMPL-MAX-100", "BUG-159",
       "returns more than 100 completion values", TooManyCompletions},
      {"completion-values-are-objects", "M-COMPL-SHAPE", "BUG-157",
       "returns completion values as objects", CompletionValuesAreObjects},
      {"completion-flat", "L-COMPLETE-shape-result", "BUG-157",
       "returns completion values without the completion member", CompletionFlat},
      {"unknown-reference-is-empty", "L-COMPLETE-unknown-prompt", "BUG-159",
       "returns no completions instead of an error", UnknownReferenceIsEmpty},
      {"any-log-level-accepted", "L-LOG-invalid-level", "BUG-160",
       "accepts log levels that do not exist", AnyLogLevelAccepted},
      {"binary-not-encoded", "M-TRANS-UTF8", "BUG-166", "returns binary resources without base64",
       BinaryAsText},
      {"contents-is-object", "L-RES-shape-read-result", "BUG-166",
       "returns the contents of a resource as one object", ContentsIsObject},
      {"contents-lack-uri", "M-RES-CONTENTS-SHAPE", "BUG-166",
       "leaves the uri out of resource contents", ContentsLackUri},
      {"resources-lack-name", "L-RES-shape-resource", "BUG-166",
       "lists resources without their names", ResourcesLackName},
      {"templates-lack-uri", "M-RES-TEMPLATE-SHAPE", "BUG-153",
       "lists templates without uriTemplate", TemplatesLackUri},
      {"message-content-is-array", "L-PROMPT-shape-get-result", "BUG-166",
       "returns the content of prompt messages as an array", MessageContentIsArray},
      {"system-role-in-prompt", "M-PROMPTS-MESSAGE-SHAPE", "BUG-166",
       "returns prompt messages of the role system", SystemRoleInPrompt},
      {"empty-cursor-on-last-page", "M-PAGE-NEXT-CURSOR-USABLE", "BUG-128",
       "ends lists with nextCursor \"\"", EmptyCursorOnLastPage},
      {"null-cursor-on-last-page", "L-PAGE-cursor-string", "BUG-128",
       "ends lists with nextCursor null", NullCursorOnLastPage},
      {"bad-cursor-ignored", "M-PAGE-INVALID-CURSOR-ERROR", "BUG-129",
       "answers any cursor with the first page", BadCursorIgnored},
      {"pages-overlap", "M-PAGE-CONTINUES-AFTER-CURSOR", "BUG-130",
       "cuts lists into pages that overlap", PagesOverlap},
  };
}

}  // namespace assay::reference
