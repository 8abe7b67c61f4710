// Matchers: patterns that say what a message must look like (the case format's `expect`).
//
// A pattern is JSON in which a string that starts with `$` is a matcher (`$any`, `$string`, ...),
// and so is a member whose key does (`{$regex: …}`); where a mapping has several, all must hold. A
// literal `$` at the start of a string or key is doubled.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message/json.h"

namespace assay {

struct Mismatch {
  std::string pointer;  // where in the value, as a JSON Pointer
  std::string reason;   // "expected -32602, got -32601"
};

struct MatchContext {
  // `$sameAs: name`: the saved value, or null.
  std::function<const Json*(std::string_view name)> saved;
  // `$shape: Name`: the first reason why the value does not have that shape, or nothing.
  std::function<std::optional<Mismatch>(std::string_view name, const Json& value)> shape;
};

// The first mismatch of `value` with `pattern`, or nothing when it matches. A mapping is a subset
// match, a sequence matches element by element, scalars are equal by value. `value` null = absent.
std::optional<Mismatch> Match(const Json& pattern, const Json* value, const MatchContext& context);

// The pattern in which nothing of `value` is a matcher. Raw text is taken as the JSON it spells.
Json LiteralPattern(const Json& value);

// A matcher as people write it, and what it matches.
struct MatcherText {
  std::string written;
  std::string_view matches;
};
// All of them.
std::vector<MatcherText> MatcherTexts();

// Why `pattern` is not a valid pattern (an unknown `$word`, a bad regular expression, ...), or
// nothing. Text that still has `${variables}` in it is not judged.
std::optional<std::string> CheckPattern(const Json& pattern);

}  // namespace assay
