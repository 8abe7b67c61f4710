// JSON by the grammar of RFC 8259, as plainly as it can be read: the other of the two ways in which
// harness_message reads a text.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::fuzz {

struct PlainJson {
  bool valid = false;
  std::size_t depth = 0;  // of nesting
  bool lone_surrogate = false;
  // The text without white space and with every string unescaped and in quotes: equal for texts
  // that differ in nothing but their spelling of strings. Numbers stay as they are.
  std::string canonical;
};

PlainJson ReadPlainly(std::string_view text);

// Whether the bytes are UTF-8 (RFC 3629 §4).
bool IsUtf8(std::string_view bytes);

}  // namespace assay::fuzz
