// Requirement files -> Catalogue.

#include "case/catalogue_loader.h"

#include <utility>

#include "case/format.h"
#include "case/yaml.h"

namespace assay {
namespace {

std::string TextAt(const YamlNode& node, std::string_view key) {
  const YamlNode* text = node.Find(key);
  return text == nullptr ? "" : text->text;
}

Basis BasisOf(std::string_view word) {
  for (const Basis basis : {Basis::kKeyword, Basis::kSchema, Basis::kJsonRpc, Basis::kHttp,
                            Basis::kProse, Basis::kExample, Basis::kDerived}) {
    if (ToString(basis) == word) return basis;
  }
  return Basis::kNone;
}

Requirement Read(const std::string& path, const YamlNode& node) {
  Requirement requirement;
  requirement.id = TextAt(node, "id");
  requirement.level = LevelOf(TextAt(node, "level"));
  requirement.basis = BasisOf(TextAt(node, "basis"));
  requirement.since = TextAt(node, "since");
  requirement.until = TextAt(node, "until");
  requirement.where = TextAt(node, "where");
  requirement.link = TextAt(node, "link");
  requirement.transport = TextAt(node, "transport");
  requirement.observable = TextAt(node, "observable");
  requirement.text = TextAt(node, "text");
  requirement.why_not = TextAt(node, "why_not");
  requirement.place = {path, node.line, node.column};
  // A contract item is ours; everything else is the specification's and says where.
  const bool contract = requirement.level == Level::kContract;
  for (const std::string_view key : {"basis", "since", "where"}) {
    if (!contract && node.Find(key) == nullptr) {
      throw InputError(requirement.place, "missing key '" + std::string(key) + "'");
    }
  }
  if (contract && requirement.basis != Basis::kNone) {
    throw InputError(requirement.place, "a contract item has no basis in the specification");
  }
  if (!requirement.until.empty() && requirement.until < requirement.since) {
    throw InputError(requirement.place, "'until' is before 'since'");
  }
  return requirement;
}

void Load(const std::string& path, const YamlText& text, Catalogue* catalogue,
          std::vector<InputError>* problems) {
  YamlNode root = ParseYaml(path, text);
  // Checked one by one, so that each good one counts.
  std::vector<YamlNode> requirements;
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    if (root.keys[i].text == "requirements") requirements = std::exchange(root.items[i].items, {});
  }
  if (!text.packed) CheckPart(path, root, RequirementFilePart(), problems);
  for (const YamlNode& node : requirements) {
    const std::size_t before = problems->size();
    if (!text.packed) CheckPart(path, node, RequirementPart(), problems);
    if (problems->size() > before) continue;
    try {
      catalogue->Add(Read(path, node));
    } catch (const InputError& error) {
      problems->push_back(error);
    }
  }
}

}  // namespace

Level LevelOf(std::string_view word) {
  for (const Level level :
       {Level::kMust, Level::kMustNot, Level::kShould, Level::kShouldNot, Level::kMay}) {
    if (ToString(level) == word) return level;
  }
  return Level::kContract;
}

void LoadCatalogueFile(const std::string& path, const YamlText& text, Catalogue* catalogue,
                       std::vector<InputError>* problems) {
  std::vector<InputError> found;
  try {
    Load(path, text, catalogue, &found);
  } catch (const InputError& error) {
    found.push_back(error);
  }
  AppendInOrder(std::move(found), problems);
}

}  // namespace assay
