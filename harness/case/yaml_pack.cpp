// A node is a byte with its kind, its place, and its text, items or members; numbers are seven bits
// a byte, the lowest first.

#include "case/yaml_pack.h"

#include <cstdint>
#include <utility>

namespace assay {
namespace {

constexpr unsigned kQuoted = 4;

void PutNumber(std::size_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(0x80 | (number & 0x7f));
  out += static_cast<char>(number);
}

void Put(const YamlNode& node, std::string& out) {
  out += static_cast<char>(static_cast<unsigned>(node.kind) | (node.quoted ? kQuoted : 0));
  PutNumber(static_cast<std::size_t>(node.line), out);
  PutNumber(static_cast<std::size_t>(node.column), out);
  if (node.is_scalar()) {
    PutNumber(node.text.size(), out);
    out += node.text;
    return;
  }
  PutNumber(node.items.size(), out);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.is_mapping()) Put(node.keys[i], out);
    Put(node.items[i], out);
  }
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view rest) : rest_(rest) {}

  YamlNode Take() {
    const auto head = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    YamlNode node;
    node.kind = static_cast<YamlNode::Kind>(head & (kQuoted - 1));
    node.quoted = (head & kQuoted) != 0;
    node.line = static_cast<int>(TakeNumber());
    node.column = static_cast<int>(TakeNumber());
    const std::size_t size = TakeNumber();
    if (node.is_scalar()) {
      node.text = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return node;
    }
    node.items.reserve(size);
    if (node.is_mapping()) node.keys.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (node.is_mapping()) node.keys.push_back(Take());
      node.items.push_back(Take());
    }
    return node;
  }

 private:
  std::size_t TakeNumber() {
    std::size_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      number |= static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }

  std::string_view rest_;
};

}  // namespace

std::string PackYaml(const YamlNode& root) {
  std::string packed;
  Put(root, packed);
  return packed;
}

YamlNode UnpackYaml(std::string_view packed) { return Unpacker(packed).Take(); }

}  // namespace assay
