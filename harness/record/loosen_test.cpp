#include "record/loosen.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

std::string Loose(const char* json) { return Loosened(*ParseJson(json).value).Dump(); }

TEST(LoosenTest, WhatDoesNotChangeKeepsItsValue) {
  EXPECT_EQ(Loose(R"({"a":"hello","b":true,"c":null,"d":5,"e":[1,"x"]})"),
            R"({"a":"hello","b":true,"c":null,"d":5,"e":[1,"x"]})");
}

TEST(LoosenTest, TimesIdsAndCountersAreToldByTheirKind) {
  EXPECT_EQ(Loose(R"({"at":"2026-07-28T10:00:00Z","taskId":"t","count":12345,"part":0.5})"),
            R"({"at":"$timestamp","taskId":"$string","count":"$integer","part":"$number"})");
  EXPECT_EQ(Loose(R"(["7b1e0c52-59c5-4b1c-8a6e-0d0f4e6f3c11","order 20391","42 apples"])"),
            R"(["$string","$string","42 apples"])");
}

TEST(LoosenTest, LongTextsAreTexts) {
  EXPECT_EQ(Loose(("\"" + std::string(500, 'x') + "\"").c_str()), "\"$string\"");
}

TEST(LoosenTest, ListsAreToldByTheNamesInThem) {
  EXPECT_EQ(Loose(R"({"tools":[{"name":"echo","inputSchema":{}},{"name":"add"}]})"),
            R"({"tools":[{"name":"echo"},{"name":"add"}]})");
  EXPECT_EQ(Loose(R"({"contents":[{"uri":"test://a","text":"b"}]})"),
            R"({"contents":[{"uri":"test://a"}]})");
}

TEST(LoosenTest, MetaIsLeftOut) { EXPECT_EQ(Loose(R"({"a":1,"_meta":{"b":2}})"), R"({"a":1})"); }

TEST(LoosenTest, NothingRecordedIsAMatcherOrAVariable) {
  EXPECT_EQ(Loose(R"({"$any":"$string"})"), R"({"$$any":"$$string"})");
  EXPECT_EQ(Literally(*ParseJson(R"({"$a":["${b}"]})").value).Dump(), R"({"$$a":["$${b}"]})");
}

}  // namespace
}  // namespace assay
