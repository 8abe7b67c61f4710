// Builds the tree from yaml-cpp's events. Its own node type would lose what a linter needs: which
// scalars are quoted, duplicate keys, and everything after the first document.

#include "case/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_set>

#include "case/yaml_pack.h"

namespace assay {
namespace {

constexpr std::size_t kMaxSize = std::size_t{4} << 20;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxNodes = 200'000;

// The text that is parsed, and where its bytes are for a person: lines and characters from 1.
class Source {
 public:
  Source(const std::string& path, std::string_view text) : path_(path), text_(text) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  std::string_view text() const { return text_; }

  Place At(std::size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    // Nodes come in order: counting on from the last one keeps long lines cheap.
    if (last_offset_ < *std::prev(next) || last_offset_ > offset) {
      last_offset_ = *std::prev(next);
      last_column_ = 1;
    }
    for (; last_offset_ < offset; ++last_offset_) {
      if ((static_cast<unsigned char>(text_[last_offset_]) & 0xC0U) != 0x80) ++last_column_;
    }
    return {path_, static_cast<int>(next - line_starts_.begin()), last_column_};
  }
  Place At(const YAML::Mark& mark) const {
    return At(mark.is_null() ? text_.size() : static_cast<std::size_t>(mark.pos));
  }

  [[noreturn]] void Fail(std::size_t offset, const std::string& message) const {
    throw InputError(At(offset), message);
  }
  [[noreturn]] void Fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(At(mark), message);
  }

  // The offset of the first tab in the indentation of the line that holds `offset`, before
  // `offset`.
  std::optional<std::size_t> TabBefore(std::size_t offset) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    for (std::size_t i = *std::prev(next); i < std::min(offset + 1, text_.size()); ++i) {
      if (text_[i] == '\t') return i;
      if (text_[i] != ' ') break;
    }
    return std::nullopt;
  }
  void RefuseTab(std::size_t offset) const {
    if (const auto tab = TabBefore(offset)) Fail(*tab, "a tab in the indentation; use spaces");
  }

 private:
  const std::string& path_;
  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  mutable std::size_t last_offset_ = 0;
  mutable int last_column_ = 1;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Source& source) : source_(source) {}

  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      source_.Fail(mark, "content after the end of the document; a file holds one document");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    RefuseAnchor(mark, anchor);
    YamlNode node = NodeAt(mark, YamlNode::Kind::kScalar);
    // yaml-cpp takes more spellings for null than JSON has; what was written decides.
    const std::string_view here = source_.text().substr(static_cast<std::size_t>(mark.pos));
    for (const std::string_view spelling : {"~", "null", "Null", "NULL"}) {
      if (here.starts_with(spelling)) node.text = spelling;
    }
    Add(std::move(node));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    source_.Fail(mark, "aliases are not allowed here; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseAnchor(mark, anchor);
    if (tag != "?" && tag != "!") RefuseTag(mark, tag);
    YamlNode node = NodeAt(mark, YamlNode::Kind::kScalar);
    node.quoted = tag == "!";
    node.text = value;
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, YamlNode::Kind::kSequence);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(mark, tag, anchor, YamlNode::Kind::kMapping);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    YamlNode node;
    std::unordered_set<std::string> keys;
  };

  YamlNode NodeAt(const YAML::Mark& mark, YamlNode::Kind kind) {
    source_.RefuseTab(static_cast<std::size_t>(mark.pos));
    if (++nodes_ > kMaxNodes) {
      source_.Fail(mark, "more than " + std::to_string(kMaxNodes) + " values in one file");
    }
    YamlNode node;
    node.kind = kind;
    const Place place = source_.At(mark);
    node.line = place.line;
    node.column = place.column;
    return node;
  }

  void RefuseAnchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) {
      source_.Fail(mark, "anchors are not allowed here; write the value out where it is needed");
    }
  }
  void RefuseTag(const YAML::Mark& mark, const std::string& tag) const {
    source_.Fail(mark, "tags (" + tag + ") are not allowed; quote a value to make it a string");
  }

  void Open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    RefuseAnchor(mark, anchor);
    if (tag != "?" && !tag.empty()) RefuseTag(mark, tag);
    if (ExpectsKey())
      source_.Fail(mark, "a list or mapping cannot be a key; is a bracket not closed?");
    if (stack_.size() >= kMaxDepth) {
      source_.Fail(mark, "nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    stack_.push_back({NodeAt(mark, kind), {}});
  }
  void Close() {
    YamlNode node = std::move(stack_.back().node);
    stack_.pop_back();
    Add(std::move(node));
  }

  bool ExpectsKey() const {
    if (stack_.empty()) return false;
    const YamlNode& parent = stack_.back().node;
    return parent.is_mapping() && parent.keys.size() == parent.items.size();
  }
  void Add(YamlNode node) {
    if (stack_.empty()) {
      root_ = std::move(node);
    } else if (ExpectsKey()) {
      AddKey(std::move(node));
    } else {
      stack_.back().node.items.push_back(std::move(node));
    }
  }
  void AddKey(YamlNode key) {
    Frame& frame = stack_.back();
    const auto fail = [&](const std::string& message) {
      throw InputError({source_.At(std::size_t{0}).file, key.line, key.column}, message);
    };
    if (!key.quoted && key.text.empty()) fail("expected a key before the colon");
    if (!frame.keys.insert(key.text).second) {
      const YamlNode& first = *std::find_if(frame.node.keys.begin(), frame.node.keys.end(),
                                            [&](const YamlNode& k) { return k.text == key.text; });
      fail("duplicate key '" + key.text + "'; the first one is on line " +
           std::to_string(first.line));
    }
    frame.node.keys.push_back(std::move(key));
  }

  const Source& source_;
  YamlNode root_;
  std::vector<Frame> stack_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

// yaml-cpp's words, where they would puzzle a reader.
std::string Explain(const std::string& message) {
  static const std::pair<std::string_view, std::string_view> kMeanings[] = {
      {YAML::ErrorMsg::END_OF_MAP, "expected a key of the mapping that is open here, or its end"},
      {YAML::ErrorMsg::END_OF_MAP_FLOW,
       "expected ',' or '}'; inside brackets a text with {}[], or \"${…}\" is quoted"},
      {YAML::ErrorMsg::END_OF_SEQ, "expected a '-' of the list that is open here, or its end"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW,
       "expected ',' or ']'; inside brackets a text with {}[], or \"${…}\" is quoted"},
      {YAML::ErrorMsg::MAP_VALUE, "a ':' that follows no key; quote a text that holds ': '"},
      {YAML::ErrorMsg::MAP_KEY, "a key is not possible here; is the indentation right?"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "a '-' is not possible here; is the indentation right?"},
      {YAML::ErrorMsg::FLOW_END, "a closing bracket that nothing opened"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "the file ends inside a quoted text"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "this character cannot begin a value; quote the text"},
      {YAML::ErrorMsg::UNKNOWN_ANCHOR, "aliases are not allowed here; write the value out"},
  };
  for (const auto& [words, meaning] : kMeanings) {
    if (message == words) return std::string(meaning);
  }
  return message;
}

void RefuseBadBytes(const Source& source) {
  const std::string_view text = source.text();
  if (const std::size_t bad = FindInvalidUtf8(text); bad != std::string_view::npos) {
    source.Fail(bad, "not UTF-8; case files are UTF-8 text");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')) {
      source.Fail(i, "a control character; write it as an escape in a double-quoted text");
    }
  }
}

}  // namespace

const YamlNode* YamlNode::Find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

YamlNode ParseYaml(const std::string& path, const YamlText& yaml) {
  if (yaml.packed) return UnpackYaml(yaml.text);
  std::string_view text = yaml.text;
  if (text.size() > kMaxSize) {
    throw InputError({path, 0, 0},
                     "larger than " + std::to_string(kMaxSize >> 20) + " MiB, too large to load");
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const Source source(path, text);
  RefuseBadBytes(source);
  TreeBuilder builder(source);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      YamlNode nothing;
      nothing.line = nothing.column = 1;
      return nothing;
    }
    // It stops where the first document seems to end; what is left must be nothing.
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (!error.mark.is_null()) source.RefuseTab(static_cast<std::size_t>(error.mark.pos));
    source.Fail(error.mark, "not valid YAML: " + Explain(error.msg));
  }
  return builder.TakeRoot();
}

Json ToJson(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      if (node.is_null()) return {};
      if (!node.quoted && (node.text == "true" || node.text == "false")) {
        return Json::Boolean(node.text == "true");
      }
      if (!node.quoted && IsJsonNumber(node.text)) return Json::Number(node.text);
      return Json::String(node.text);
    case YamlNode::Kind::kSequence: {
      Json array = Json::Array();
      array.items().reserve(node.items.size());
      for (const YamlNode& item : node.items) array.items().push_back(ToJson(item));
      return array;
    }
    case YamlNode::Kind::kMapping: {
      if (node.keys.size() == 1 && node.keys.front().text == "$json" &&
          node.items.front().is_scalar()) {
        return Json::Raw(node.items.front().text);
      }
      Json object = Json::Object();
      object.members().reserve(node.keys.size());
      for (std::size_t i = 0; i < node.keys.size(); ++i) {
        object.members().push_back({node.keys[i].text, ToJson(node.items[i])});
      }
      return object;
    }
  }
  return {};
}

}  // namespace assay
