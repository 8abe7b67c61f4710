#include "case/yaml_pack.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

bool Same(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.quoted != b.quoted || a.text != b.text || a.line != b.line ||
      a.column != b.column || a.items.size() != b.items.size() || a.keys.size() != b.keys.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!Same(a.items[i], b.items[i])) return false;
    if (a.is_mapping() && !Same(a.keys[i], b.keys[i])) return false;
  }
  return true;
}

TEST(PackYaml, KeepsTextsKindsAndPlaces) {
  const std::string text = "a: [1, \"2\", ~, {}]\n\"b c\":\n  - d: |\n      " +
                           std::string(300, 'x') + "\n    e: \"ключ\"\n  - []\n";
  const YamlNode root = ParseYaml("t.yaml", text);
  const std::string packed = PackYaml(root);
  EXPECT_TRUE(Same(UnpackYaml(packed), root));
  EXPECT_TRUE(Same(ParseYaml("t.yaml", YamlText(packed, YamlText::kPacked)), root));
  EXPECT_FALSE(Same(ParseYaml("t.yaml", "a: [1]\n"), root));
}

TEST(PackYaml, WhatPeopleWriteIsNeverTakenForPacked) {
  const std::string packed = PackYaml(ParseYaml("t.yaml", "a: 1\n"));
  EXPECT_THROW(ParseYaml("t.yaml", packed), InputError);
}

}  // namespace
}  // namespace assay
