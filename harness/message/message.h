// One JSON-RPC message as it stood on the wire, and what kind of message it is.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "message/json.h"

namespace assay {

struct Message {
  enum class Kind {
    kRequest,       // method and id
    kNotification,  // method, no id
    kResult,        // result, no method
    kError,         // error, no method (result too: `error` wins, the oracle tells)
    kBatch,         // an array
    kOther,         // JSON, but none of the above
    kNotJson,
  };

  Kind kind = Kind::kNotJson;
  Json body;                                // null when kNotJson
  std::string parse_error;                  // why kNotJson
  std::size_t parse_error_offset = 0;       // in bytes
  std::vector<std::string> duplicate_keys;  // member names that occur twice in one object
  bool lone_surrogate = false;              // an escaped surrogate without its other half

  bool is_response() const { return kind == Kind::kResult || kind == Kind::kError; }
  // The id, or null when there is none (an id that is JSON null is not null here).
  const Json* id() const { return body.Find("id"); }
  // The method, or "" when it is absent or no string.
  std::string method() const { return body.FindString("method").value_or(""); }
  const Json* params() const { return body.Find("params"); }
  const Json* result() const { return body.Find("result"); }
  const Json* error() const { return body.Find("error"); }
};

Message ParseMessage(std::string_view text);

// Whether two ids are the same id: same JSON type, numbers by value, strings after unescaping.
bool SameId(const Json& a, const Json& b);

}  // namespace assay
