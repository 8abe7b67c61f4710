#include "faults/json_patch.h"

#include <gtest/gtest.h>

namespace assay::reference {
namespace {

namespace json = boost::json;

struct Example {
  const char* document;
  const char* patch;
  const char* patched;  // null: does not fit
};

TEST(JsonPatch, DoesWhatRfc6902Says) {
  const Example examples[] = {
      {R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
      {R"({"a":[1,3]})", R"([{"op":"add","path":"/a/1","value":2}])", R"({"a":[1,2,3]})"},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/-","value":2}])", R"({"a":[1,2]})"},
      {R"({"a":1})", R"([{"op":"add","path":"","value":[]}])", "[]"},
      {R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])", R"({"b":2})"},
      {R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/0"}])", R"({"a":[2]})"},
      {R"({"a":1})", R"([{"op":"replace","path":"/a","value":null}])", R"({"a":null})"},
      {R"({"a":{"b":1}})", R"([{"op":"move","from":"/a/b","path":"/c"}])", R"({"a":{},"c":1})"},
      {R"({"a":1})", R"([{"op":"copy","from":"/a","path":"/b"}])", R"({"a":1,"b":1})"},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":1},{"op":"remove","path":"/a"}])", "{}"},
      {R"({"x/y":{"~":1}})", R"([{"op":"remove","path":"/x~1y/~0"}])", R"({"x/y":{}})"},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":2},{"op":"remove","path":"/a"}])",
       nullptr},
      {R"({"a":1})", R"([{"op":"remove","path":"/b"}])", nullptr},
      {R"({"a":1})", R"([{"op":"replace","path":"/b","value":1}])", nullptr},
      {R"({"a":[1]})", R"([{"op":"add","path":"/a/2","value":1}])", nullptr},
      {R"({"a":[1]})", R"([{"op":"remove","path":"/a/00"}])", nullptr},
      {R"({"a":1})", R"([{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}])", nullptr},
  };
  for (const Example& example : examples) {
    const json::value patch = json::parse(example.patch);
    EXPECT_FALSE(PatchProblem(patch)) << example.patch;
    json::value document = json::parse(example.document);
    EXPECT_EQ(ApplyPatch(patch, document), example.patched != nullptr) << example.patch;
    const char* wanted = example.patched == nullptr ? example.document : example.patched;
    EXPECT_EQ(document, json::parse(wanted)) << example.patch;
  }
}

TEST(JsonPatch, KnowsWhatIsNoPatch) {
  for (const char* text : {"{}", "[1]", R"([{"op":"fix","path":"/a"}])", R"([{"op":"remove"}])",
                           R"([{"op":"remove","path":"a"}])", R"([{"op":"remove","path":"/~2"}])",
                           R"([{"op":"add","path":"/a"}])", R"([{"op":"move","path":"/a"}])"}) {
    EXPECT_TRUE(PatchProblem(json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace assay::reference
