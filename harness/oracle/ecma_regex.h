// Regular expressions of ECMA-262, as JSON Schema's `pattern` has them: searched for anywhere in a
// text, over code points. Boost.Regex does the search; its own dialect differs in many small ways,
// so a pattern is read here by ECMA-262's grammar and handed on in the few constructs that mean the
// same in both.
//
// JSON Schema leaves open whether the Unicode flag is set. What only one of both grammars has
// (`\@`,
// `[\w-.]`, a literal `{`) means what it means there; what differs between them (`\u{1F600}`,
// `\p{L}`), back references, and what a look-behind of no fixed width sees are not told.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace assay::oracle {

class EcmaRegex {
 public:
  explicit EcmaRegex(std::string_view pattern);
  EcmaRegex(EcmaRegex&&) noexcept;
  EcmaRegex& operator=(EcmaRegex&&) noexcept;
  ~EcmaRegex();

  // Why the pattern surely is no regular expression, or "".
  const std::string& fault() const { return fault_; }

  // Whether something in `text` (UTF-8) matches. Nothing where the pattern has a fault, says what
  // is not told, or would take too long: a search takes a bounded number of steps.
  std::optional<bool> FoundIn(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;  // null where nothing can be told
  std::string fault_;
};

}  // namespace assay::oracle
