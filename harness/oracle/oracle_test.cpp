#include "oracle/oracle.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "case/builtin.h"
#include "case/catalogue_loader.h"
#include "oracle/envelope.h"
#include "oracle/errors.h"
#include "oracle/features.h"
#include "oracle/framing.h"
#include "oracle/http.h"
#include "oracle/jsonrpc.h"
#include "oracle/legacy.h"
#include "oracle/memory.h"
#include "oracle/meta.h"
#include "oracle/notifications.h"
#include "oracle/process.h"
#include "oracle/progress.h"
#include "oracle/questions.h"
#include "oracle/responses.h"
#include "oracle/results.h"
#include "oracle/shape_rules.h"
#include "oracle/subscriptions.h"
#include "oracle/tasks.h"
#include "testing/transcript_text.h"

namespace assay::oracle {
namespace {

Catalogue BuiltinCatalogue() {
  Catalogue catalogue;
  std::vector<InputError> problems;
  for (const BuiltinFile& file : BuiltinFiles("requirements/")) {
    LoadCatalogueFile(std::string(file.path), file.text, &catalogue, &problems);
  }
  EXPECT_TRUE(problems.empty());
  return catalogue;
}

TEST(OracleTest, EveryIdIsInTheCatalogue) {
  const Catalogue catalogue = BuiltinCatalogue();
  std::set<std::string_view> names;
  for (const OracleRule& rule : OracleRules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_FALSE(rule.requirements.empty()) << rule.name;
    for (const std::string_view id : rule.requirements) {
      EXPECT_NE(catalogue.Find(id), nullptr) << rule.name << ": " << id;
    }
  }
}

TEST(OracleTest, DutiesHoldOnlyWhereTheCatalogueSaysSo) {
  const Catalogue catalogue = BuiltinCatalogue();
  std::vector<Rule> rules;
  for (const auto& group :
       {FramingRules(), JsonRpcRules(), ResponseRules(), ProcessRules(), ErrorRules(),
        EnvelopeRules(), ShapeRules(), ResultRules(), NotificationRules(), SubscriptionRules(),
        ProgressRules(), LegacyRules(), MetaRules(), FeatureRules(), TaskRules(), HttpRules(),
        QuestionRules(), MemoryRules()}) {
    rules.insert(rules.end(), group.begin(), group.end());
  }
  ASSERT_EQ(rules.size(), OracleRules().size());
  for (const Rule& rule : rules) {
    for (const Duty& duty : rule.duties) {
      for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
        const std::string_view id = duty.IdFor(Era::kLegacy, revision);
        if (id.empty()) continue;
        const Requirement* requirement = catalogue.Find(id);
        ASSERT_NE(requirement, nullptr) << id;
        EXPECT_TRUE(requirement->InForceAt(revision))
            << rule.name << ": " << id << " at " << revision;
        EXPECT_TRUE(id.front() == 'L' || requirement->level == Level::kContract) << id;
      }
      if (!duty.modern.empty()) {
        EXPECT_NE(duty.modern.front(), 'L') << duty.modern;
      }
    }
  }
}

}  // namespace
}  // namespace assay::oracle
