// YAML as it stands in the file: a tree with the place of every node and the exact text of every
// scalar. Refuses what hides mistakes: duplicate keys, aliases, tags, further documents, tabs,
// text that is not UTF-8, and files that bomb (depth, size, node count).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/place.h"
#include "message/json.h"

namespace assay {

struct YamlNode {
  enum class Kind : std::uint8_t { kScalar, kSequence, kMapping };
  Kind kind = Kind::kScalar;
  bool quoted = false;  // scalar: quoted or block text, hence a string whatever it looks like
  std::string text;     // scalar: its text
  int line = 0;         // 1-based
  int column = 0;
  std::vector<YamlNode> items;  // sequence: the items; mapping: the values
  std::vector<YamlNode> keys;   // mapping: the keys, scalars, one for each value

  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_sequence() const { return kind == Kind::kSequence; }
  bool is_mapping() const { return kind == Kind::kMapping; }
  bool is_null() const {
    return is_scalar() && !quoted && (text == "~" || text == "null" || text.empty());
  }
  const YamlNode* Find(std::string_view key) const;
};

// The text of a YAML file: as people write it, or, of a file that travels inside the executable, as
// PackYaml wrote it (case/yaml_pack.h).
struct YamlText {
  YamlText(std::string_view written) : text(written) {}    // NOLINT(google-explicit-constructor)
  YamlText(const char* written) : text(written) {}         // NOLINT(google-explicit-constructor)
  YamlText(const std::string& written) : text(written) {}  // NOLINT(google-explicit-constructor)
  static constexpr struct Packed {
  } kPacked{};
  YamlText(std::string_view bytes, Packed) : text(bytes), packed(true) {}

  std::string_view text;
  bool packed = false;
};

// Parses one document. `path` is only for messages. Throws InputError.
YamlNode ParseYaml(const std::string& path, const YamlText& yaml);

// The value a node stands for in a message: plain scalars that are JSON numbers or `true false null
// ~` are those, every other scalar is a string; `{$json: '…'}` is that exact text.
Json ToJson(const YamlNode& node);

}  // namespace assay
