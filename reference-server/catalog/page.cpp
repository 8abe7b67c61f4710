#include "catalog/page.h"

#include <charconv>
#include <cstdint>

namespace assay::reference {
namespace {

/// FNV-1a: enough to notice a cursor that was cut, changed, or taken from another list.
std::uint32_t Checksum(std::string_view list, std::string_view position) {
  std::uint32_t hash = 2166136261U;
  for (const std::string_view part : {list, std::string_view("\n"), position}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  return hash;
}

std::string Hex(std::uint32_t number) {
  std::string text(8, '0');
  for (std::size_t i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[(number >> (28 - 4 * i)) & 15U];
  return text;
}

}  // namespace

std::string MakeCursor(std::string_view list, std::size_t offset) {
  const std::string position = std::to_string(offset);
  return Hex(Checksum(list, position)) + position;
}

std::optional<std::size_t> ReadCursor(std::string_view list, std::string_view cursor) {
  if (cursor.size() < 9) return std::nullopt;
  std::size_t offset = 0;
  const char* end = cursor.data() + cursor.size();
  const auto [rest, failed] = std::from_chars(cursor.data() + 8, end, offset);
  if (failed != std::errc() || rest != end || MakeCursor(list, offset) != cursor) {
    return std::nullopt;
  }
  return offset;
}

}  // namespace assay::reference
