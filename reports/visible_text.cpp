#include "reports/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "message/json.h"

namespace assay {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

void AppendByte(unsigned char byte, std::string& out) {
  out += "\\x";
  out.push_back(kHexDigits[byte >> 4]);
  out.push_back(kHexDigits[byte & 15]);
}

void AppendCodePoint(char32_t code_point, std::string& out) {
  std::string digits;
  for (char32_t rest = code_point; rest != 0; rest >>= 4) {
    digits.insert(digits.begin(), kHexDigits[rest & 15]);
  }
  out += "\\u{" + digits + "}";
}

// What shows nothing, shows elsewhere, or is allowed in no text format. Joiners (U+200C, U+200D)
// stay: scripts and emoji need them.
bool IsTreacherous(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 11> kRanges{{
      {0x80, 0x9f},        // C1 controls; U+009B starts an escape sequence
      {0xad, 0xad},        // soft hyphen
      {0x61c, 0x61c},      // bidirectional mark
      {0x200b, 0x200b},    // zero-width space
      {0x200e, 0x200f},    // bidirectional marks
      {0x2028, 0x202e},    // separators, bidirectional embeddings and overrides
      {0x2060, 0x206f},    // invisible operators, bidirectional isolates
      {0xfdd0, 0xfdef},    // noncharacters
      {0xfeff, 0xfeff},    // byte order mark
      {0xfff0, 0xfffb},    // unassigned specials, annotations
      {0xe0000, 0xe0fff},  // tags
  }};
  if ((c & 0xfffe) == 0xfffe) return true;  // the last two of each plane are noncharacters
  return std::any_of(kRanges.begin(), kRanges.end(),
                     [c](const auto& range) { return c >= range.first && c <= range.second; });
}

void AppendAscii(char c, std::string& out) {
  switch (c) {
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        AppendByte(static_cast<unsigned char>(c), out);
      } else {
        out.push_back(c);
      }
  }
}

void AppendValidRun(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      AppendAscii(text[i], out);
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    char32_t code_point = lead & (0xffU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      code_point = code_point << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    if (IsTreacherous(code_point)) {
      AppendCodePoint(code_point, out);
    } else {
      out += text.substr(i, length);
    }
    i += length;
  }
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string Visible(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t valid = std::min(FindInvalidUtf8(bytes), bytes.size());
    AppendValidRun(bytes.substr(0, valid), out);
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    AppendByte(static_cast<unsigned char>(bytes.front()), out);
    bytes.remove_prefix(1);
  }
  return out;
}

std::string Excerpt(std::string_view bytes, std::size_t limit) {
  if (bytes.size() <= limit) return Visible(bytes);
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(bytes[at]) & 0xc0) == 0x80;
  };
  std::size_t end = limit;
  while (end > 0 && limit - end < 3 && continues(end)) --end;
  return Visible(bytes.substr(0, end)) + "… (" + std::to_string(bytes.size() - end) +
         " more bytes)";
}

std::string ValidUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t valid = std::min(FindInvalidUtf8(bytes), bytes.size());
    out += bytes.substr(0, valid);
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    out += "\xef\xbf\xbd";
    bytes.remove_prefix(1);
  }
  return out;
}

std::string Unwrapped(std::string_view prose) {
  std::string out;
  for (const char c : prose) {
    if (!IsBlank(c)) {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string ShellWord(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  const bool spelled_out = Visible(word) != word;
  std::string out = spelled_out ? "$'" : "'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (!spelled_out) {
      if (c == '\'') {
        out += "'\\''";
      } else {
        out.push_back(c);
      }
    } else if (byte < 0x20 || byte >= 0x7f) {
      AppendByte(byte, out);
    } else {
      if (c == '\'' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
  out.push_back('\'');
  return out;
}

}  // namespace assay
