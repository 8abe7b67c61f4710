// How the harness reads case files. Two ways, one verdict: the loader (harness/case/loader), and
// the JSON Schema that `assay schema` prints, judged by the harness' own validator
// (harness/oracle/json_schema): a file that the loader takes the schema must take, too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/case.h"
#include "case/loader.h"
#include "case/schema.h"
#include "case/yaml.h"
#include "case/yaml_pack.h"
#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "message/json.h"
#include "oracle/json_schema.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

const Catalogue& Requirements() {
  static const Catalogue catalogue = [] {
    Catalogue built;
    const std::pair<const char*, Level> kAll[] = {{"R-MUST", Level::kMust},
                                                  {"R-SHOULD", Level::kShould},
                                                  {"R-MAY", Level::kMay},
                                                  {"C-OURS", Level::kContract}};
    for (const auto& [id, level] : kAll) {
      Requirement requirement;
      requirement.id = id;
      requirement.level = level;
      built.Add(std::move(requirement));
    }
    return built;
  }();
  return catalogue;
}

void JudgePlaces(const std::vector<InputError>& problems, std::string_view text) {
  const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const InputError& problem : problems) {
    const Place& place = problem.place();
    Expect(place.file == "f.yaml" && place.line >= 0 && place.line <= lines && place.column >= 0,
           "a problem has its place in the file", ToString(problem));
  }
}

void JudgeNodes(const YamlNode& a, const YamlNode& b, std::string_view text) {
  Expect(a.kind == b.kind && a.quoted == b.quoted && a.text == b.text && a.line == b.line &&
             a.column == b.column && a.items.size() == b.items.size() &&
             a.keys.size() == b.keys.size(),
         "a packed file is the file", text);
  for (std::size_t i = 0; i < a.items.size(); ++i) JudgeNodes(a.items[i], b.items[i], text);
  for (std::size_t i = 0; i < a.keys.size(); ++i) JudgeNodes(a.keys[i], b.keys[i], text);
}

void Judge(std::string_view text) {
  std::vector<InputError> problems;
  const std::vector<Case> cases = LoadCaseFile("f.yaml", text, Requirements(), &problems);
  JudgePlaces(problems, text);
  YamlNode root;
  try {
    root = ParseYaml("f.yaml", text);
  } catch (const InputError& problem) {
    Expect(!problems.empty(), "what is no YAML is no case file", text);
    return;
  }
  const std::string packed = PackYaml(root);
  JudgeNodes(root, UnpackYaml(packed), text);
  if (!problems.empty()) return;
  // Only good files are packed.
  const std::vector<Case> again =
      LoadCaseFile("f.yaml", YamlText(packed, YamlText::kPacked), Requirements(), &problems);
  Expect(problems.empty() && again.size() == cases.size(),
         "a packed file has the cases of the file", text);
  Expect(!cases.empty(), "a good file has cases", text);
  static const Json schema = CaseFileSchema();
  const oracle::SchemaAnswer answer = oracle::CheckInstance(schema, ToJson(root));
  Expect(answer.kind != oracle::SchemaAnswer::Kind::kInvalid,
         "the schema takes what the loader takes", answer.why);
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::Judge(assay::fuzz::Text(data, size));
  return 0;
}
