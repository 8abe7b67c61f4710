#include "protocol/json_text.h"

#include <boost/json.hpp>
#include <cstddef>
#include <string>

namespace assay::reference {
namespace {

namespace json = boost::json;

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool Take(char wanted) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  bool Sees(char wanted) {
    SkipSpace();
    return at_ < text_.size() && text_[at_] == wanted;
  }

  /// Steps over one value and gives its text; empty at a syntax error.
  std::string_view TakeValue() {
    SkipSpace();
    const std::size_t begin = at_;
    if (at_ >= text_.size()) return {};
    switch (text_[at_]) {
      case '"':
        SkipString();
        break;
      case '{':
      case '[':
        SkipNested();
        break;
      default:
        while (at_ < text_.size() && !EndsScalar(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool EndsScalar(char c) {
    return c == ',' || c == '}' || c == ']' || c == ':' || IsSpace(c);
  }

  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }

  void SkipString() {
    const std::size_t begin = at_ + 1;
    std::size_t quote = text_.find('"', begin);
    while (quote != std::string_view::npos && IsEscaped(quote, begin)) {
      quote = text_.find('"', quote + 1);
    }
    at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
  }

  /// Whether the backslashes before a quote of the string that starts at `begin` are odd in number.
  bool IsEscaped(std::size_t quote, std::size_t begin) const {
    std::size_t first = quote;
    while (first > begin && text_[first - 1] == '\\') --first;
    return (quote - first) % 2 == 1;
  }

  void SkipNested() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        SkipString();
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool Names(std::string_view quoted, std::string_view name) {
  if (quoted.size() < 2) return false;
  if (quoted.find('\\') == std::string_view::npos) {
    return quoted.substr(1, quoted.size() - 2) == name;
  }
  boost::system::error_code failed;
  const json::value parsed = json::parse(quoted, failed);
  return !failed && parsed.is_string() && std::string_view(parsed.get_string()) == name;
}

}  // namespace

std::optional<std::string_view> MemberText(std::string_view object, std::string_view name) {
  std::optional<std::string_view> found;
  Scanner scanner(object);
  if (!scanner.Take('{')) return found;
  while (scanner.Sees('"')) {
    const std::string_view key = scanner.TakeValue();
    if (!scanner.Take(':')) break;
    const std::string_view value = scanner.TakeValue();
    if (value.empty()) break;
    if (Names(key, name)) found = value;
    if (!scanner.Take(',')) break;
  }
  return found;
}

std::vector<std::string_view> ElementTexts(std::string_view array) {
  std::vector<std::string_view> elements;
  Scanner scanner(array);
  if (!scanner.Take('[')) return elements;
  while (!scanner.Sees(']')) {
    const std::string_view value = scanner.TakeValue();
    if (value.empty()) break;
    elements.push_back(value);
    if (!scanner.Take(',')) break;
  }
  return elements;
}

}  // namespace assay::reference
