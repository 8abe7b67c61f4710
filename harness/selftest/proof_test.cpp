// A case that cannot fail proves nothing. For every case, proofs/*.yaml has arguments of the
// reference server that make it fail for a requirement it names.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "case/yaml.h"
#include "selftest/reference_run.h"

namespace assay {
namespace {

std::string WithoutVariant(const std::string& id) { return id.substr(0, id.find('@')); }

struct Proof {
  std::string case_id;
  std::vector<std::string> arguments;
};

std::vector<Proof> LoadProofs() {
  std::vector<Proof> proofs;
  const std::string folder = std::string(ASSAY_SOURCE_DIR) + "/harness/selftest/proofs";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const YamlNode root = ParseYaml(file.path().string(), text);
    const YamlNode* list = root.Find("proofs");
    if (list == nullptr) throw InputError({file.path().string(), 1, 1}, "expected `proofs:`");
    for (std::size_t i = 0; i < list->keys.size(); ++i) {
      Proof proof{list->keys[i].text, {}};
      for (const YamlNode& argument : list->items[i].items)
        proof.arguments.push_back(argument.text);
      proofs.push_back(std::move(proof));
    }
  }
  std::sort(proofs.begin(), proofs.end(),
            [](const Proof& a, const Proof& b) { return a.case_id < b.case_id; });
  return proofs;
}

const std::vector<Proof>& Proofs() {
  static const std::vector<Proof> proofs = LoadProofs();
  return proofs;
}

TEST(Proofs, EveryCaseHasOneAndOnlyCasesDo) {
  std::set<std::string> cases;
  for (const Case& test_case : BuiltinLibrary().cases) cases.insert(WithoutVariant(test_case.id));
  std::set<std::string> proven;
  for (const Proof& proof : Proofs()) {
    EXPECT_TRUE(proven.insert(proof.case_id).second) << proof.case_id << " has two proofs";
    EXPECT_TRUE(cases.contains(proof.case_id)) << "no case is called " << proof.case_id;
    EXPECT_FALSE(proof.arguments.empty()) << proof.case_id;
  }
  for (const std::string& id : cases) EXPECT_TRUE(proven.contains(id)) << id << " has no proof";
}

// The proofs are tried in several parts, for the sake of those who have more than one core.
class ProofPart : public testing::TestWithParam<std::size_t> {};

// A case that is only about HTTP is proven there.
Over TransportOf(const std::string& case_id) {
  const auto& cases = BuiltinLibrary().cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& test_case) {
    return WithoutVariant(test_case.id) == case_id;
  });
  return found != cases.end() && found->transport == "http" ? Over::kHttp : Over::kStdio;
}

// One run for all cases that share arguments.
TEST_P(ProofPart, EachMakesItsCaseFailForWhatItRequires) {
  std::map<std::pair<Over, std::vector<std::string>>, std::vector<std::string>> by_arguments;
  for (const Proof& proof : Proofs()) {
    by_arguments[{TransportOf(proof.case_id), proof.arguments}].push_back(proof.case_id);
  }
  std::size_t number = 0;
  for (const auto& [run, ids] : by_arguments) {
    const auto& [transport, arguments] = run;
    if (number++ % kSelfTestParts != GetParam()) continue;
    std::vector<std::string> filters;
    for (const std::string& id : ids) {
      filters.push_back(id);
      filters.push_back(id + "@*");
    }
    const Report report = RunReference(filters, arguments, {"all"}, transport);
    std::set<std::string> failed;
    for (const Result& result : report.results) {
      for (const ReportedFinding& finding : result.findings) {
        const auto& required = result.requires_ids;
        if (std::find(required.begin(), required.end(), finding.requirement) != required.end()) {
          failed.insert(WithoutVariant(result.case_id));
        }
      }
    }
    std::string shown;
    for (const std::string& argument : arguments) shown += " " + argument;
    for (const std::string& id : ids) {
      EXPECT_TRUE(failed.contains(id)) << id << " does not fail with" << shown;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Proofs, ProofPart, testing::Range<std::size_t>(0, kSelfTestParts));

}  // namespace
}  // namespace assay
