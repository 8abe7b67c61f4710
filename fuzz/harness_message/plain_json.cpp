#include "fuzz/harness_message/plain_json.h"

#include <algorithm>
#include <cstdint>

namespace assay::fuzz {
namespace {

void AppendUtf8(std::uint32_t point, std::string& out) {
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  if (point < 0x80) return byte(point);
  if (point < 0x800) {
    byte(0xC0U | point >> 6U);
    return byte(0x80U | (point & 0x3FU));
  }
  if (point < 0x10000) {
    byte(0xE0U | point >> 12U);
  } else {
    byte(0xF0U | point >> 18U);
    byte(0x80U | (point >> 12U & 0x3FU));
  }
  byte(0x80U | (point >> 6U & 0x3FU));
  byte(0x80U | (point & 0x3FU));
}

// Each function takes what it is called after off the front of the text, or says that it is not
// there.
class Grammar {
 public:
  explicit Grammar(std::string_view text) : rest_(text) {}

  PlainJson Read() {
    Space();
    read_.valid = Value(0);
    Space();
    read_.valid = read_.valid && rest_.empty();
    return std::move(read_);
  }

 private:
  bool Take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool Word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    read_.canonical += word;
    return true;
  }
  void Space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size())); }

  bool Value(std::size_t depth) {
    read_.depth = std::max(read_.depth, depth);
    if (rest_.starts_with('{')) return Object(depth + 1);
    if (rest_.starts_with('[')) return Array(depth + 1);
    if (rest_.starts_with('"')) return String();
    return Word("true") || Word("false") || Word("null") || Number();
  }

  bool Object(std::size_t depth) {
    read_.depth = std::max(read_.depth, depth);
    const auto member = [&] {
      if (!String()) return false;
      Space();
      if (!Take(':')) return false;
      read_.canonical += ':';
      Space();
      return Value(depth);
    };
    return Sequence('{', '}', member);
  }

  bool Array(std::size_t depth) {
    read_.depth = std::max(read_.depth, depth);
    return Sequence('[', ']', [&] { return Value(depth); });
  }

  template <class Element>
  bool Sequence(char begin, char end, Element element) {
    Take(begin);
    read_.canonical += begin;
    Space();
    if (!Take(end)) {
      while (true) {
        Space();
        if (!element()) return false;
        Space();
        if (Take(end)) break;
        if (!Take(',')) return false;
        read_.canonical += ',';
      }
    }
    read_.canonical += end;
    return true;
  }

  bool String() {
    if (!Take('"')) return false;
    std::string text;
    while (!Take('"')) {
      if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < 0x20) return false;
      if (Take('\\')) {
        if (!Escape(text)) return false;
      } else {
        text += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    read_.canonical += '"' + text + '"';
    return true;
  }

  bool Escape(std::string& text) {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    const std::size_t known = kEscapes.find(rest_.front());
    if (known != std::string_view::npos) {
      rest_.remove_prefix(1);
      text += kMeanings[known];
      return true;
    }
    std::uint32_t unit = 0;
    if (!Take('u') || !Unit(unit)) return false;
    if (unit < 0xD800 || unit > 0xDFFF) {
      AppendUtf8(unit, text);
      return true;
    }
    std::uint32_t low = 0;
    Grammar ahead(rest_);
    if (unit < 0xDC00 && ahead.Take('\\') && ahead.Take('u') && ahead.Unit(low) && low >= 0xDC00 &&
        low <= 0xDFFF) {
      rest_ = ahead.rest_;
      AppendUtf8(0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00), text);
      return true;
    }
    read_.lone_surrogate = true;
    AppendUtf8(0xFFFD, text);
    return true;
  }

  bool Unit(std::uint32_t& unit) {
    constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
    if (rest_.size() < 4) return false;
    for (const char c : rest_.substr(0, 4)) {
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos) return false;
      unit = unit * 16 + static_cast<std::uint32_t>(digit < 16 ? digit : digit - 6);
    }
    rest_.remove_prefix(4);
    return true;
  }

  bool Number() {
    const std::string_view whole = rest_;
    Take('-');
    if (!Take('0') && !Digits()) return false;
    if (Take('.') && !Digits()) return false;
    if (Take('e') || Take('E')) {
      if (!Take('+')) Take('-');
      if (!Digits()) return false;
    }
    read_.canonical += whole.substr(0, whole.size() - rest_.size());
    return true;
  }

  bool Digits() {
    const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(count);
    return count > 0;
  }

  std::string_view rest_;
  PlainJson read_;
};

}  // namespace

PlainJson ReadPlainly(std::string_view text) {
  if (!IsUtf8(text)) return {};
  return Grammar(text).Read();
}

bool IsUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto at = [&](std::size_t i) {
      return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return at(i) >= 0x80 && at(i) <= 0xBF; };
    const unsigned first = at(0);
    std::size_t size = 0;
    if (first <= 0x7F) {
      size = 1;
    } else if (first >= 0xC2 && first <= 0xDF && tail(1)) {
      size = 2;
    } else if (first >= 0xE0 && first <= 0xEF && tail(1) && tail(2) &&
               !(first == 0xE0 && at(1) < 0xA0) && !(first == 0xED && at(1) > 0x9F)) {
      size = 3;
    } else if (first >= 0xF0 && first <= 0xF4 && tail(1) && tail(2) && tail(3) &&
               !(first == 0xF0 && at(1) < 0x90) && !(first == 0xF4 && at(1) > 0x8F)) {
      size = 4;
    }
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

}  // namespace assay::fuzz
