// What goes wrong only with certain values, which no scripted case sends: `assay fuzz` finds it.
#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "faults/fault_list.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

const json::object* MetaOf(const json::object* message) {
  const json::value* params = message == nullptr ? nullptr : message->if_contains("params");
  if (params == nullptr || !params->is_object()) return nullptr;
  const json::value* meta = params->get_object().if_contains("_meta");
  return meta == nullptr ? nullptr : meta->if_object();
}

std::size_t DepthOf(const json::value& value) {
  std::size_t deepest = 0;
  if (const json::array* array = value.if_array()) {
    for (const json::value& item : *array) deepest = std::max(deepest, DepthOf(item));
  } else if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) deepest = std::max(deepest, DepthOf(member.value()));
  } else {
    return 0;
  }
  return deepest + 1;
}

/// The id goes through a variable of 32 bits.
Script IdIn32Bits() {
  return {.answer = [](FaultyMessage& answer) {
    json::value* id = answer.message.if_contains("id");
    if (id == nullptr || !id->is_int64()) return;
    constexpr std::int64_t kAbove31Bits = std::int64_t{1} << 31U;
    constexpr std::int64_t kAbove32Bits = std::int64_t{1} << 32U;
    if (id->get_int64() < kAbove31Bits || id->get_int64() >= kAbove32Bits) return;
    *id = static_cast<std::int32_t>(static_cast<std::uint32_t>(id->get_int64()));
    answer.changed = true;
  }};
}

/// The reader splits lines where Unicode does: at U+2029 too, which JSON allows inside of a string.
Script ParagraphEndsLine() {
  return {.line = [](FaultyLine& line) {
    if (line.text.find("\xE2\x80\xA9") == std::string_view::npos || !line.is_request) return;
    line.drop = true;
  }};
}

/// A validator that follows _meta by recursion, with a guard that ends the process.
Script DeepMetaEndsServer() {
  return {.line = [](FaultyLine& line) {
    constexpr std::size_t kTooDeep = 24;
    const json::object* meta = MetaOf(line.message);
    if (meta == nullptr || DepthOf(*meta) <= kTooDeep) return;
    line.drop = true;
    line.fault.Exit(70);
  }};
}

/// A check of keys, a pattern with a repetition inside another, that never comes back for some.
Script MetaKeyHangs() {
  return {.line = [stuck = false](FaultyLine& line) mutable {
    const json::object* meta = MetaOf(line.message);
    if (meta != nullptr) {
      stuck = stuck || std::any_of(meta->begin(), meta->end(), [](const auto& member) {
                return std::string_view(member.key()).starts_with("a.b-c.d/");
              });
    }
    line.drop = stuck;
  }};
}

/// A log of what clients say beside the protocol, that nobody ever empties.
Script KeepsOddMeta() {
  return {.line = [kept = std::vector<std::string>()](FaultyLine& line) mutable {
    const json::object* meta = MetaOf(line.message);
    if (meta == nullptr) return;
    const bool odd = std::any_of(meta->begin(), meta->end(), [](const auto& member) {
      const std::string_view key = member.key();
      return key != "progressToken" && !key.starts_with("io.modelcontextprotocol/");
    });
    constexpr std::size_t kRecord = std::size_t{64} << 10U;
    if (odd) kept.emplace_back(kRecord, '.');
  }};
}

}  // namespace

std::vector<NamedFault> ValueFaults() {
  return {
      {"value-id-32-bits", "M-RPC-RESULT-ID-ECHO", "BUG-036",
       "echoes an id between 2^31 and 2^32 as a negative number", IdIn32Bits},
      {"value-paragraph-separator", "M-BASE-MANDATORY-COMPONENTS", "-",
       "loses requests with U+2029 in a string", ParagraphEndsLine},
      {"value-deep-meta", "M-BASE-MANDATORY-COMPONENTS", "BUG-051",
       "ends when _meta is nested more than 24 deep", DeepMetaEndsServer},
      {"value-meta-key-hangs", "M-BASE-MANDATORY-COMPONENTS", "-",
       "stops answering at a key of _meta that begins with a.b-c.d/", MetaKeyHangs},
      {"value-odd-meta-kept", "C-MEMORY-SETTLES", "-",
       "keeps 64 KiB for each message that has a key of nobody's in _meta", KeepsOddMeta},
  };
}

}  // namespace assay::reference
