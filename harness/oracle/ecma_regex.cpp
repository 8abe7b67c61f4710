// ECMA-262 §22.2.1 (and Annex B.1.2 where it adds to it), read into a pattern for Boost.Regex.

// What a search may cost, in states of Boost's machine: milliseconds.
#define BOOST_REGEX_MAX_STATE_COUNT 1000000

#include "oracle/ecma_regex.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "message/json.h"

namespace assay::oracle {
namespace {

constexpr std::size_t kLongestPattern = 2'000;
constexpr std::size_t kLongestText = 20'000;
constexpr int kDeepest = 50;
constexpr char32_t kLastCodePoint = 0x10FFFF;

std::u32string ToCodePoints(std::string_view utf8) {
  std::u32string points;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k) {
      point = (point << 6U) | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
    }
    points.push_back(point);
    i += length;
  }
  return points;
}

std::wstring ToWide(std::string_view utf8) {
  static_assert(sizeof(wchar_t) == sizeof(char32_t));
  const std::u32string points = ToCodePoints(utf8);
  return {points.begin(), points.end()};
}

// --- sets of characters

struct Range {
  char32_t first;
  char32_t last;
};
using Ranges = std::vector<Range>;

const Ranges kDigits = {{'0', '9'}};
const Ranges kWord = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const Ranges kSpace = {{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                       {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                       {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
const Ranges kLineEnds = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

// `sorted` ranges must not overlap.
Ranges Complement(const Ranges& sorted) {
  Ranges rest;
  char32_t next = 0;
  for (const Range& range : sorted) {
    if (range.first > next) rest.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  rest.push_back({next, kLastCodePoint});
  return rest;
}

std::wstring Character(char32_t point) {
  static constexpr wchar_t kHex[] = L"0123456789ABCDEF";
  std::wstring digits;
  do {
    digits.insert(digits.begin(), kHex[point % 16]);
    point /= 16;
  } while (point > 0);
  return L"\\x{" + digits + L"}";
}

std::wstring Set(const Ranges& ranges, bool negated) {
  if (ranges.empty()) return Set({{0, kLastCodePoint}}, !negated);
  std::wstring set = negated ? L"[^" : L"[";
  for (const Range& range : ranges) {
    set += Character(range.first);
    if (range.last != range.first) set += L"-" + Character(range.last);
  }
  return set + L"]";
}

// --- the grammar

struct NotTold {};  // the pattern may mean this or that
struct Fault {
  std::string why;
};

// What one escape or one character of a class stands for.
struct Atom {
  Ranges ranges;
  bool single = false;  // one character, which may begin or end a range
};

class Reader {
 public:
  explicit Reader(std::string_view pattern) : text_(ToCodePoints(pattern)) {}

  // The pattern for Boost. Throws Fault or NotTold.
  std::wstring Read() {
    Disjunction(0);
    if (More()) throw Fault{"a ) closes no group"};
    return std::move(out_);
  }

 private:
  bool More() const { return at_ < text_.size(); }
  char32_t Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
  }
  bool Take(std::u32string_view wanted) {
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }

  void Disjunction(int depth) {
    if (depth > kDeepest) throw NotTold{};
    while (More() && Peek() != U')') {
      if (Take(U"|")) {
        out_ += L"|";
      } else {
        Term(depth);
      }
    }
  }

  // Without back references nothing depends on what a group captured.
  void Term(int depth) {
    const std::size_t start = out_.size();
    bool repeatable = true;
    bool assertion = false;
    if (Take(U"^")) {
      out_ += L"\\A";
      repeatable = false;
    } else if (Take(U"$")) {
      out_ += L"\\z";
      repeatable = false;
    } else if (Take(U"\\b")) {
      out_ += WordBoundary(true);
      repeatable = false;
    } else if (Take(U"\\B")) {
      out_ += WordBoundary(false);
      repeatable = false;
    } else if (Take(U"(")) {
      assertion = Group(depth);
    } else if (Take(U"[")) {
      out_ += Class();
    } else if (Take(U".")) {
      out_ += Set(kLineEnds, true);
    } else if (Peek() == U'\\') {
      out_ += Set(Escape().ranges, false);
    } else if (Peek() == U'*' || Peek() == U'+' || Peek() == U'?' || IsBraces()) {
      throw Fault{"a quantifier has nothing to repeat"};
    } else {
      out_ += Character(Peek());
      ++at_;
    }
    Quantifier(start, repeatable, assertion);
  }

  static std::wstring WordBoundary(bool there) {
    const std::wstring word = Set(kWord, false);
    const std::wstring in = L"(?<=" + word + L")";
    const std::wstring out = L"(?<!" + word + L")";
    const std::wstring then_in = L"(?=" + word + L")";
    const std::wstring then_out = L"(?!" + word + L")";
    return there ? L"(?:" + in + then_out + L"|" + out + then_in + L")"
                 : L"(?:" + in + then_in + L"|" + out + then_out + L")";
  }

  // Behind its `(`. Whether it is an assertion, which cannot be repeated in every grammar.
  bool Group(int depth) {
    bool assertion = false;
    std::wstring opening = L"(?:";
    if (Take(U"?:")) {
    } else if (Take(U"?=")) {
      opening = L"(?=";
      assertion = true;
    } else if (Take(U"?!")) {
      opening = L"(?!";
      assertion = true;
    } else if (Take(U"?<=")) {
      opening = L"(?<=";
      assertion = true;
    } else if (Take(U"?<!")) {
      opening = L"(?<!";
      assertion = true;
    } else if (Take(U"?<")) {
      const std::size_t end = text_.find(U'>', at_);
      if (end == std::u32string::npos) throw Fault{"the name of a group does not end"};
      at_ = end + 1;
    } else if (Peek() == U'?') {
      throw NotTold{};  // a newer ECMA-262 may know it: (?i:...)
    }
    out_ += opening;
    Disjunction(depth + 1);
    if (!Take(U")")) throw Fault{"a group does not end"};
    out_ += L")";
    return assertion;
  }

  // Whether a quantifier in braces stands here.
  bool IsBraces() const {
    if (Peek() != U'{') return false;
    std::size_t i = 1;
    const auto digits = [&] {
      const std::size_t start = i;
      while (Peek(i) >= U'0' && Peek(i) <= U'9') ++i;
      return i > start;
    };
    if (!digits()) return false;
    if (Peek(i) == U',') {
      ++i;
      digits();
    }
    return Peek(i) == U'}';
  }

  int Count() {
    constexpr int kMost = 1'000;
    int count = 0;
    for (; Peek() >= U'0' && Peek() <= U'9'; ++at_) {
      count = std::min(count * 10 + static_cast<int>(Peek() - U'0'), kMost + 1);
    }
    if (count > kMost) throw NotTold{};
    return count;
  }

  // What repeats what was written from `start` on.
  void Quantifier(std::size_t start, bool repeatable, bool assertion) {
    std::wstring quantifier;
    if (Take(U"*")) {
      quantifier = L"*";
    } else if (Take(U"+")) {
      quantifier = L"+";
    } else if (Take(U"?")) {
      quantifier = L"?";
    } else if (IsBraces()) {
      ++at_;
      const int least = Count();
      quantifier = L"{" + std::to_wstring(least);
      if (Take(U",")) {
        quantifier += L",";
        if (Peek() != U'}') {
          const int most = Count();
          if (most < least) throw Fault{"a quantifier's bounds are out of order"};
          quantifier += std::to_wstring(most);
        }
      }
      ++at_;
      quantifier += L"}";
    } else {
      return;
    }
    Take(U"?");  // lazy or not, the same texts match
    if (!repeatable) throw Fault{"a quantifier has nothing to repeat"};
    if (assertion) throw NotTold{};
    out_.insert(start, L"(?:");
    out_ += L")" + quantifier;
  }

  // Behind its `[`.
  std::wstring Class() {
    const bool negated = Take(U"^");
    Ranges ranges;
    while (!Take(U"]")) {
      if (!More()) throw Fault{"a class of characters does not end"};
      const Atom first = ClassAtom();
      if (Peek() != U'-' || Peek(1) == U']' || at_ + 1 >= text_.size()) {
        ranges.insert(ranges.end(), first.ranges.begin(), first.ranges.end());
        continue;
      }
      ++at_;
      const Atom last = ClassAtom();
      if (first.single && last.single) {
        if (last.ranges[0].first < first.ranges[0].first) {
          throw Fault{"a range of characters is out of order"};
        }
        ranges.push_back({first.ranges[0].first, last.ranges[0].first});
      } else {  // Annex B: the hyphen is one
        ranges.push_back({'-', '-'});
        ranges.insert(ranges.end(), first.ranges.begin(), first.ranges.end());
        ranges.insert(ranges.end(), last.ranges.begin(), last.ranges.end());
      }
    }
    return Set(ranges, negated);
  }

  Atom ClassAtom() {
    if (Peek() == U'\\') return Escape();
    const char32_t point = Peek();
    ++at_;
    return {{{point, point}}, true};
  }

  static bool IsLetter(char32_t point) {
    return (point >= U'A' && point <= U'Z') || (point >= U'a' && point <= U'z');
  }
  static Atom One(char32_t point) { return {{{point, point}}, true}; }

  Atom Escape() {
    ++at_;
    if (!More()) throw Fault{"it ends in a backslash"};
    const char32_t point = Peek();
    ++at_;
    switch (point) {
      case U'd':
        return {kDigits, false};
      case U'D':
        return {Complement(kDigits), false};
      case U'w':
        return {kWord, false};
      case U'W':
        return {Complement(kWord), false};
      case U's':
        return {kSpace, false};
      case U'S':
        return {Complement(kSpace), false};
      case U't':
        return One('\t');
      case U'n':
        return One('\n');
      case U'v':
        return One('\v');
      case U'f':
        return One('\f');
      case U'r':
        return One('\r');
      case U'b':
        return One('\b');  // in a class only; elsewhere Term takes it
      case U'0':
        if (Peek() >= U'0' && Peek() <= U'9') throw NotTold{};
        return One(0);
      case U'c':
        if (!IsLetter(Peek())) throw NotTold{};
        return One(text_[at_++] % 32);
      case U'x':
        return Hex(2);
      case U'u':
        return Hex(4);
      default: {
        const bool punctuation =
            point > U' ' && point < 0x7F && !IsLetter(point) && !(point >= U'0' && point <= U'9');
        if (!punctuation) throw NotTold{};
        return One(point);
      }
    }
  }

  Atom Hex(int digits) {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      const char32_t c = Peek();
      if (c >= U'0' && c <= U'9') {
        value = value * 16 + (c - U'0');
      } else if ((c >= U'a' && c <= U'f') || (c >= U'A' && c <= U'F')) {
        value = value * 16 + ((c | 0x20U) - U'a') + 10;
      } else {
        throw NotTold{};
      }
    }
    // Half of a pair: a character of its own only without the Unicode flag.
    if (value >= 0xD800 && value <= 0xDFFF) throw NotTold{};
    return One(value);
  }

  std::u32string text_;
  std::size_t at_ = 0;
  std::wstring out_;
};

}  // namespace

struct EcmaRegex::Compiled {
  boost::wregex regex;
};

EcmaRegex::EcmaRegex(std::string_view pattern) {
  if (pattern.size() > kLongestPattern || FindInvalidUtf8(pattern) != std::string_view::npos) {
    return;
  }
  try {
    const std::wstring read = Reader(pattern).Read();
    compiled_ = std::make_unique<Compiled>(Compiled{boost::wregex(read, boost::wregex::perl)});
  } catch (const Fault& fault) {
    fault_ = fault.why;
  } catch (const NotTold&) {
  } catch (const std::runtime_error&) {  // Boost's: a look-behind of no fixed width, too large
  }
}
EcmaRegex::EcmaRegex(EcmaRegex&&) noexcept = default;
EcmaRegex& EcmaRegex::operator=(EcmaRegex&&) noexcept = default;
EcmaRegex::~EcmaRegex() = default;

std::optional<bool> EcmaRegex::FoundIn(std::string_view text) const {
  if (compiled_ == nullptr || text.size() > kLongestText) return std::nullopt;
  try {
    return boost::regex_search(ToWide(text), compiled_->regex);
  } catch (const std::runtime_error&) {  // too many steps
    return std::nullopt;
  }
}

}  // namespace assay::oracle
