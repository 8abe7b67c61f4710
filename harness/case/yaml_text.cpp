// Tree -> text.

#include "case/yaml_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t kWidth = 100;
// Readers refuse deeper ones (yaml.cpp), and what stands around a value is deep already.
constexpr std::size_t kMaxDepth = 40;
// Longer keys are no simple keys to YAML.
constexpr std::size_t kMaxKey = 500;

bool IsLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether a string may go without quotes, everywhere.
bool IsPlain(const std::string& text) {
  static const std::set<std::string_view> kWords = {"true", "false", "null", "Null", "NULL"};
  if (text.empty() || kWords.contains(text) || text.back() == ' ') return false;
  const char first = text.front();
  if (std::isdigit(static_cast<unsigned char>(first)) != 0 ||
      !(IsLetter(first) || first == '$' || first == '_')) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsLetter(c) || std::string_view("$_./@+- ").find(c) != std::string_view::npos;
  });
}

void AppendEscape(std::string& out, const char* form, std::uint32_t code, int digits) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += form;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kHex[(code >> shift) & 0xFU];
}

// The code point that begins at `at`, and its length in bytes, where it is one that readers take
// for a line's end, a mark or nothing at all; else 0.
std::pair<std::uint32_t, std::size_t> Unprintable(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : std::uint32_t{0};
  };
  if (byte(at) == 0xC2 && byte(at + 1) < 0xA0) return {byte(at + 1), 2};
  const bool separator = byte(at) == 0xE2 && byte(at + 1) == 0x80;
  if (separator && (byte(at + 2) == 0xA8 || byte(at + 2) == 0xA9)) {
    return {0x2028U + (byte(at + 2) - 0xA8U), 3};
  }
  if (byte(at) == 0xEF && byte(at + 1) == 0xBB && byte(at + 2) == 0xBF) return {0xFEFF, 3};
  return {0, 0};
}

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (const auto [code, length] = Unprintable(text, i); length > 0) {
      AppendEscape(out, "\\u", code, 4);
      i += length;
      continue;
    }
    ++i;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
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
        if (byte < 0x20 || byte == 0x7F) {
          AppendEscape(out, "\\x", byte, 2);
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

std::string Scalar(const YamlNode& node) {
  if (!node.quoted) return node.text;
  return IsPlain(node.text) ? node.text : Quote(node.text);
}

// On one line.
std::string Flow(const YamlNode& node) {
  if (node.is_scalar()) return Scalar(node);
  std::string out = node.is_mapping() ? "{" : "[";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (node.is_mapping()) out += (i == 0 ? " " : "") + Scalar(node.keys[i]) + ": ";
    out += Flow(node.items[i]);
  }
  if (!node.is_mapping()) return out + "]";
  return out + (node.items.empty() ? "}" : " }");
}

bool IsListOfParts(const std::string& key) { return key == "cases" || key == "steps"; }

class Writer {
 public:
  // The mapping or list at `indent`, one element after another. The first line has its indentation
  // already. `spread`: every element begins a line of its own, and its keys too.
  void Block(const YamlNode& node, std::size_t indent, bool spread) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out_ += "\n" + std::string(indent, ' ');
      const YamlNode& item = node.items[i];
      if (node.is_mapping()) {
        const std::string key = Scalar(node.keys[i]);
        out_ += key + ":";
        Value(item, indent + 2, indent + key.size() + 2, IsListOfParts(key));
      } else {
        out_ += "- ";
        Element(item, indent + 2, spread);
      }
    }
  }
  std::string Take() { return std::move(out_) + "\n"; }

 private:
  static bool Fits(const YamlNode& node, const std::string& flow, std::size_t column) {
    return node.is_scalar() || node.items.empty() || column + flow.size() <= kWidth;
  }

  void Value(const YamlNode& node, std::size_t indent, std::size_t column, bool spread) {
    const std::string flow = Flow(node);
    if (!spread && Fits(node, flow, column)) {
      out_ += " " + flow;
      return;
    }
    out_ += "\n" + std::string(indent, ' ');
    Block(node, indent, spread);
  }

  void Element(const YamlNode& node, std::size_t indent, bool spread) {
    const std::string flow = Flow(node);
    if (Fits(node, flow, indent) && (!spread || !node.is_mapping())) {
      out_ += flow;
    } else {
      Block(node, indent, false);
    }
  }

  std::string out_;
};

std::size_t DepthOf(const Json& value) {
  std::size_t depth = 0;
  for (const Json& item : value.items()) depth = std::max(depth, DepthOf(item));
  for (const JsonMember& member : value.members()) depth = std::max(depth, DepthOf(member.value));
  return depth + 1;
}

bool HasUnwritableKeys(const Json& object) {
  std::set<std::string_view> keys;
  return std::any_of(object.members().begin(), object.members().end(), [&](const auto& member) {
    return member.key.size() > kMaxKey || !keys.insert(member.key).second;
  });
}

YamlNode ExactText(std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::kMapping;
  node.keys.push_back(PlainScalar("$json"));
  node.items.push_back(QuotedScalar(std::move(text)));
  return node;
}

YamlNode NodeOf(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::kNull:
      return PlainScalar("~");
    case Json::Kind::kBoolean:
      return PlainScalar(value.boolean() ? "true" : "false");
    case Json::Kind::kNumber:
      return PlainScalar(value.text());
    case Json::Kind::kString:
      return QuotedScalar(value.text());
    case Json::Kind::kRaw:
      return ExactText(value.text());
    case Json::Kind::kArray: {
      YamlNode node;
      node.kind = YamlNode::Kind::kSequence;
      for (const Json& item : value.items()) node.items.push_back(NodeOf(item));
      return node;
    }
    case Json::Kind::kObject: {
      if (HasUnwritableKeys(value)) return ExactText(value.Dump());
      YamlNode node;
      node.kind = YamlNode::Kind::kMapping;
      for (const JsonMember& member : value.members()) {
        node.keys.push_back(QuotedScalar(member.key));
        node.items.push_back(NodeOf(member.value));
      }
      return node;
    }
  }
  return {};
}

}  // namespace

std::string WriteYaml(const YamlNode& root) {
  if (root.is_scalar() || root.items.empty()) return Flow(root) + "\n";
  Writer writer;
  writer.Block(root, 0, false);
  return writer.Take();
}

YamlNode FromJson(const Json& value) {
  return DepthOf(value) > kMaxDepth ? ExactText(value.Dump()) : NodeOf(value);
}

YamlNode QuotedScalar(std::string text) {
  YamlNode node;
  node.quoted = true;
  node.text = std::move(text);
  return node;
}

YamlNode PlainScalar(std::string text) {
  YamlNode node;
  node.text = std::move(text);
  return node;
}

}  // namespace assay
