// Makes what a server wrote comparable with what another one wrote.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::reference {

/// The first string member of that name, at whatever depth; empty if there is none.
inline std::string StringMember(std::string_view text, std::string_view name) {
  const std::string start = "\"" + std::string(name) + "\":\"";
  const std::size_t begin = text.find(start);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + start.size());
  return std::string(text.substr(0, text.find('"')));
}

/// Random ids, which have 32 hexadecimal digits, and signed states are replaced by what they are.
inline std::string WithoutChance(std::string text) {
  const std::string state = StringMember(text, "requestState");
  if (!state.empty()) text.replace(text.find(state), state.size(), "STATE");
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    const std::size_t end = text.find_first_not_of("0123456789abcdef", begin);
    const std::size_t size = (end == std::string::npos ? text.size() : end) - begin;
    if (size == 32) text.replace(begin, size, "ID");
    begin += size == 32 ? 2 : size;
  }
  return text;
}

}  // namespace assay::reference
