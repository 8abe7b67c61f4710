// Wrong error codes, and errors that are no errors.
#include <boost/json.hpp>
#include <string>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

bool HasError(const FaultyMessage& answer, int code) {
  const json::value* error = answer.message.if_contains("error");
  return error != nullptr && error->at("code") == json::value(code);
}

bool HasErrorText(const FaultyMessage& answer, std::string_view start) {
  const json::value* error = answer.message.if_contains("error");
  return error != nullptr && std::string_view(error->at("message").as_string()).starts_with(start);
}

void Recode(FaultyMessage& answer, int code) { (*answer.error())["code"] = code; }

void BecomeToolError(FaultyMessage& answer, std::string_view text) {
  answer.message.stable_erase("error");
  json::object result{{"content", json::array{json::object{{"type", "text"}, {"text", text}}}},
                      {"isError", true}};
  if (answer.is_modern) result["resultType"] = "complete";
  answer.message["result"] = std::move(result);
  answer.changed = true;
}

Script MethodNotFoundIsInvalidParams() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasError(answer, -32601)) Recode(answer, -32602);
  }};
}

Script MethodNotFoundIsInternalError() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasError(answer, -32601)) Recode(answer, -32603);
  }};
}

Script UnknownToolIsResult() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasErrorText(answer, "Unknown tool")) BecomeToolError(answer, "Unknown tool");
  }};
}

Script UnknownToolIsResultInLegacy() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.is_modern || !HasErrorText(answer, "Unknown tool")) return;
    BecomeToolError(answer, "Unknown tool");
  }};
}

Script UnknownToolIsMethodNotFound() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasErrorText(answer, "Unknown tool")) Recode(answer, -32601);
  }};
}

Script ToolFailureIsErrorZero() {
  return {.answer = [](FaultyMessage& answer) {
    const json::object* result = answer.method == "tools/call" ? answer.result() : nullptr;
    if (result != nullptr && result->contains("isError")) answer.Fail(0, "RuntimeError: failed");
  }};
}

Script MissingPromptArgumentIsZero() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method == "prompts/get" && HasErrorText(answer, "Invalid params: missing")) {
      Recode(answer, 0);
    }
  }};
}

Script BadParamsAreZero() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasErrorText(answer, "Invalid params") && !HasErrorText(answer, "Invalid params: _meta")) {
      Recode(answer, 0);
    }
  }};
}

Script BadListParamsAreInternal() {
  return {.answer = [](FaultyMessage& answer) {
    const bool concerned = answer.method.ends_with("/list") || answer.method == "logging/setLevel";
    if (concerned && HasError(answer, -32602)) Recode(answer, -32603);
  }};
}

Script RetiredNotFoundCode() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasErrorText(answer, "Resource not found")) Recode(answer, -32002);
  }};
}

Script MissingResourceIsInternalError() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasErrorText(answer, "Resource not found")) Recode(answer, -32603);
  }};
}

Script MissingResourceIsEmpty() {
  return {.answer = [](FaultyMessage& answer) {
    if (!HasErrorText(answer, "Resource not found")) return;
    answer.message.stable_erase("error");
    json::object result{{"contents", json::array()}};
    if (answer.is_modern) {
      result["resultType"] = "complete";
      result["ttlMs"] = 0;
      result["cacheScope"] = "public";
    }
    answer.message["result"] = std::move(result);
    answer.changed = true;
  }};
}

Script UnknownPromptIsInternalError() {
  return {.answer = [](FaultyMessage& answer) {
    if (answer.method == "prompts/get" && HasErrorText(answer, "Unknown prompt")) {
      Recode(answer, -32603);
    }
  }};
}

Script CodesAreStrings() {
  return {.answer = [](FaultyMessage& answer) {
    if (json::object* error = answer.error()) {
      (*error)["code"] = json::serialize(error->at("code"));
    }
  }};
}

Script ParseErrorIsInternalError() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasError(answer, -32700)) Recode(answer, -32603);
  }};
}

Script InvalidRequestIsInternalError() {
  return {.answer = [](FaultyMessage& answer) {
    if (HasErrorText(answer, "Invalid request: ")) Recode(answer, -32603);
  }};
}

}  // namespace

std::vector<NamedFault> ErrorCodeFaults() {
  return {
      {"unknown-method-invalid-params", "L-BASE-method-not-found", "BUG-057",
       "answers methods it does not serve with -32602", MethodNotFoundIsInvalidParams},
      {"unknown-method-internal-error", "M-ERR-METHOD-NOT-FOUND", "BUG-058",
       "answers methods it does not know with -32603", MethodNotFoundIsInternalError},
      {"unknown-tool-is-result", "M-TOOLS-UNKNOWN-TOOL", "BUG-059",
       "answers a call of an unknown tool with an isError result", UnknownToolIsResult},
      {"unknown-tool-is-result-legacy", "L-TOOLS-unknown-tool", "BUG-060",
       "answers a call of an unknown tool with an isError result in the legacy era",
       UnknownToolIsResultInLegacy},
      {"unknown-tool-method-not-found", "L-TOOLS-unknown-tool", "BUG-061",
       "answers a call of an unknown tool with -32601", UnknownToolIsMethodNotFound},
      {"tool-failure-code-zero", "L-TOOLS-tool-error-iserror", "BUG-062",
       "answers a failing tool with an error of code 0", ToolFailureIsErrorZero},
      {"missing-prompt-argument-code-zero", "L-PROMPT-missing-argument", "BUG-063",
       "answers a missing prompt argument with code 0", MissingPromptArgumentIsZero},
      {"bad-params-code-zero", "M-ERR-INVALID-PARAMS", "BUG-065",
       "answers params that do not fit with code 0", BadParamsAreZero},
      {"bad-list-params-internal-error", "L-PAGE-invalid-cursor-error", "BUG-067",
       "answers a bad cursor or log level with -32603", BadListParamsAreInternal},
      {"retired-not-found-code", "M-ERR-NO-32002", "BUG-070",
       "answers a missing resource with -32002 in the modern era", RetiredNotFoundCode},
      {"missing-resource-internal-error", "L-RES-not-found", "BUG-070",
       "answers a missing resource with -32603", MissingResourceIsInternalError},
      {"missing-resource-is-empty", "M-RES-NOT-FOUND-NOT-EMPTY", "BUG-071",
       "answers a missing resource with empty contents", MissingResourceIsEmpty},
      {"unknown-prompt-internal-error", "M-PROMPTS-UNKNOWN", "BUG-067",
       "answers an unknown prompt with -32603", UnknownPromptIsInternalError},
      {"codes-are-strings", "L-BASE-error-code-integer", "BUG-062", "writes error codes as strings",
       CodesAreStrings},
      {"parse-error-internal-error", "M-ERR-PARSE", "BUG-024",
       "answers a line that is not JSON with -32603", ParseErrorIsInternalError},
      {"invalid-request-internal-error", "M-ERR-INVALID-REQUEST", "BUG-026",
       "answers a message that is no request with -32603", InvalidRequestIsInternalError},
  };
}

}  // namespace assay::reference
