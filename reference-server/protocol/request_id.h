// A request's id, and a progress token, which follows the same rules: a string or an integer that
// goes back exactly as it came.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::reference {

class RequestId {
 public:
  /// `text` is the JSON text of the value. Nothing if it is not a string or an integer: null,
  /// fractions, booleans, arrays and objects are no ids. 1.0 and 1e2 are integers.
  static std::optional<RequestId> Parse(std::string_view text);

  /// As it stood on the wire; what an answer repeats.
  const std::string& text() const { return text_; }

  /// Equal for equal ids, however they are spelled: 100 and 1e2, "a" and "\u0061". Never equal for
  /// a string and a number.
  const std::string& key() const { return key_.empty() ? text_ : key_; }

 private:
  RequestId(std::string text, std::string key) : text_(std::move(text)), key_(std::move(key)) {}

  std::string text_;
  std::string key_;  // empty when the same as text_
};

/// basic/patterns/progress: unique over the client's active requests, a string or an integer.
using ProgressToken = RequestId;

}  // namespace assay::reference
