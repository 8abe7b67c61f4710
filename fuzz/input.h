// Reads what the fuzzer wrote, piece by piece.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::fuzz {

inline std::string_view Text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Takes everything up to the next line end off the front of `text`, and drops the line end.
inline std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Takes the first character off `text`: a choice below `count`, 0 where nothing is left. Digits
// and then letters choose what they say, so that seeds can be read.
inline std::size_t TakeChoice(std::string_view& text, std::size_t count) {
  if (text.empty()) return 0;
  const auto c = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  return (c >= 'a' ? c - std::size_t{'a'} + 10 : c + std::size_t{256} - '0') % 256 % count;
}

}  // namespace assay::fuzz
