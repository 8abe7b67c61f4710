// Our answers against the official JSON Schema test suite, where ASSAY_JSON_SCHEMA_SUITE names a
// checkout of it. Not judged is no disagreement; that most is judged is checked.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "oracle/json_schema.h"

namespace assay::oracle {
namespace {

using Kind = SchemaAnswer::Kind;

// The suite's folder `name`, by the dialect `uri`.
void Compare(const std::string& name, const std::string& uri) {
  const char* suite = std::getenv("ASSAY_JSON_SCHEMA_SUITE");
  if (suite == nullptr) GTEST_SKIP() << "ASSAY_JSON_SCHEMA_SUITE is not set";
  int judged = 0;
  int open = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(suite) / "tests" / name)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream in(file.path());
    const JsonParse parse = ParseJson(std::string(std::istreambuf_iterator<char>(in), {}));
    ASSERT_TRUE(parse.value) << file.path() << parse.error;
    for (const Json& group : parse.value->items()) {
      Json schema = *group.Find("schema");
      if (schema.is_object() && schema.Find("$schema") == nullptr) {
        schema.Set("$schema", Json::String(uri));
      }
      const std::string place =
          file.path().filename().string() + ": " + group.FindString("description").value_or("");
      const SchemaAnswer syntax = CheckSchema(schema);
      EXPECT_TRUE(syntax.kind == Kind::kValid || syntax.kind == Kind::kNotJudged)
          << place << ": " << syntax.why;
      for (const Json& test : group.Find("tests")->items()) {
        const SchemaAnswer answer = CheckInstance(schema, *test.Find("data"));
        if (answer.kind == Kind::kNotJudged) {
          ++open;
          continue;
        }
        ++judged;
        EXPECT_EQ(answer.kind == Kind::kValid, test.Find("valid")->boolean())
            << place << ": " << test.FindString("description").value_or("") << ": " << answer.why;
      }
    }
  }
  EXPECT_GT(judged, 20 * open) << open << " of the suite's tests are not judged";
}

TEST(JsonSchemaSuiteTest, Draft2020) {
  Compare("draft2020-12", "https://json-schema.org/draft/2020-12/schema");
}
TEST(JsonSchemaSuiteTest, Draft07) { Compare("draft7", "http://json-schema.org/draft-07/schema#"); }

}  // namespace
}  // namespace assay::oracle
