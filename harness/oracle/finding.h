// One broken requirement at one place of one transcript.

#pragma once

#include <optional>
#include <string>

#include "message/json.h"

namespace assay {

struct Finding {
  std::string requirement;  // id in the catalogue
  std::string message;      // one sentence for people: what is wrong
  std::string step;         // e.g. steps/2, or "" when no step owns it
  std::optional<Json> expected;
  std::optional<Json> actual;
  // Set where the specification, or what was sent, leaves room: the finding is at most a warning.
  bool at_most_warn = false;
};

// What a rule looked at and could not judge: then its requirement must not count as passed.
struct Unjudged {
  std::string requirement;
  std::string why;  // one sentence for people
};

}  // namespace assay
