#include "oracle/shape.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "case/builtin.h"
#include "case/place.h"

namespace assay {
namespace {

Json Parse(std::string_view text) {
  JsonParse parse = ParseJson(text);
  EXPECT_TRUE(parse.value.has_value()) << text << ": " << parse.error;
  return parse.value.value_or(Json());
}

// "pointer: reason" of each mismatch.
std::vector<std::string> Mismatches(const Shapes& shapes, std::string_view revision,
                                    std::string_view name, std::string_view json) {
  std::vector<std::string> lines;
  for (const ShapeMismatch& mismatch : shapes.Check(revision, name, Parse(json))) {
    lines.push_back(mismatch.pointer + ": " + mismatch.reason);
  }
  return lines;
}

using Lines = std::vector<std::string>;

// One revision "r" with the given shapes.
class ShapeNotationTest : public testing::Test {
 protected:
  void Load(const std::string& shapes) {
    shapes_.AddFile("s.yaml", "revision: \"r\"\nshapes:\n" + shapes);
  }
  // The mismatches of `json` with the shape called T.
  Lines Check(std::string_view json) const { return Mismatches(shapes_, "r", "T", json); }
  // Loads shapes which are wrong, and gives "line:column: message".
  static std::string Refusal(const std::string& file) {
    Shapes shapes;
    try {
      shapes.AddFile("s.yaml", file);
    } catch (const InputError& error) {
      return ToString(error.place()) + ": " + error.what();
    }
    return "accepted";
  }

  Shapes shapes_;
};

TEST_F(ShapeNotationTest, MembersAreRequiredUnlessMarkedAndOthersAreAllowed) {
  Load("  T:\n    a: string\n    b?: integer\n");
  EXPECT_EQ(Check(R"({"a":"","more":[]})"), Lines{});
  EXPECT_EQ(Check(R"({"b":1})"), Lines{": member `a` is missing"});
  EXPECT_EQ(Check(R"({"a":null,"b":"1"})"),
            (Lines{"/a: expected a string, got null", "/b: expected an integer, got a string"}));
  EXPECT_EQ(Check("[]"), Lines{": expected an object, got an array"});
}

TEST_F(ShapeNotationTest, NumbersAreJudgedByValue) {
  Load("  T: { i: integer, n: number, c: -32022, p: number(0..1), m: integer(0..) }\n");
  EXPECT_EQ(Check(R"({"i":1.0,"n":1.5,"c":-3.2022e4,"p":1.0,"m":0})"), Lines{});
  EXPECT_EQ(Check(R"({"i":1e400,"n":1e400,"c":-32022,"p":0,"m":9007199254740993})"), Lines{});
  EXPECT_EQ(Check(R"({"i":1.5,"n":"1","c":-32021,"p":1.01,"m":-1})"),
            (Lines{"/i: expected an integer, got 1.5", "/n: expected a number, got a string",
                   "/c: expected -32022, got -32021", "/p: expected a number from 0 to 1, got 1.01",
                   "/m: expected an integer of 0 or more, got -1"}));
}

TEST_F(ShapeNotationTest, ConstantsAndEnumerations) {
  Load("  T: { a: \"task\", b: enum(low | very-high) }\n");
  EXPECT_EQ(Check(R"({"a":"\u0074ask","b":"very-high"})"), Lines{});
  EXPECT_EQ(Check(R"({"a":"Task","b":"high"})"),
            (Lines{R"(/a: expected "task", got "Task")",
                   R"(/b: expected one of low, very-high; got "high")"}));
}

TEST_F(ShapeNotationTest, ArraysAndMembersOfOneType) {
  Load("  T: { a: [U], b: { $each: [string] } }\n  U: string | [integer]\n");
  EXPECT_EQ(Check(R"({"a":["x",[1,2]],"b":{"c/d":["x"],"":[]}})"), Lines{});
  EXPECT_EQ(Check(R"({"a":["x",[1,"2"]],"b":{"c/d":["x",7]}})"),
            (Lines{"/a/1/1: expected an integer, got a string",
                   "/b/c~1d/1: expected a string, got a number"}));
}

TEST_F(ShapeNotationTest, FormatsAreLenientWhereServersDiffer) {
  Load("  T: { uri: string(uri), template: string(uri-template), data: string(base64) }\n");
  EXPECT_EQ(Check(R"({"uri":"file:///a b","template":"test://{id}/{+x}","data":"AAECAw=="})"),
            Lines{});
  EXPECT_EQ(Check(R"({"uri":"x-y.z+1:","template":"","data":"AAEC\r\nAw"})"), Lines{});
  EXPECT_EQ(
      Check(R"({"uri":"/etc/passwd","template":"a{b","data":"AA=A"})"),
      (Lines{R"(/uri: expected a URI, which begins with a scheme, got "/etc/passwd")",
             R"(/template: expected a URI template, in which every brace is closed, got "a{b")",
             R"(/data: expected base64, got "AA=A")"}));
  EXPECT_EQ(Check(R"({"uri":"1a:b","template":"{{a}}","data":"A"})").size(), 3U);
  EXPECT_EQ(Check(R"({"uri":":b","template":"}{","data":"a-_b"})").size(), 3U);
}

TEST_F(ShapeNotationTest, AnObjectMayFitOtherShapesToo) {
  Load("  T: { $is: [A, B], c: integer }\n  A: { a: string }\n  B: { $is: [A], b: \"b\" }\n");
  EXPECT_EQ(Check(R"({"a":"a","b":"b","c":3})"), Lines{});
  // What two of them ask for is said once.
  EXPECT_EQ(Check(R"({"b":"b","c":3})"), Lines{": member `a` is missing"});
}

TEST_F(ShapeNotationTest, AMemberMaySayWhichShapeTheObjectHas) {
  Load(
      "  T:\n    $on: type\n    $cases: { text: { text: string }, number: { value: number } }\n"
      "  U:\n    $on: type\n    $cases: { text: { text: string } }\n    $other: { id: integer }\n");
  EXPECT_EQ(Check(R"({"type":"text","text":"x"})"), Lines{});
  EXPECT_EQ(Check(R"({"type":"number","text":"x"})"), Lines{": member `value` is missing"});
  EXPECT_EQ(Check(R"({"text":"x"})"), Lines{": member `type` is missing"});
  EXPECT_EQ(Check(R"({"type":"image"})"),
            Lines{R"(/type: expected one of text, number; got "image")"});
  EXPECT_EQ(Mismatches(shapes_, "r", "U", R"({"type":"image"})"),
            Lines{": member `id` is missing"});
  EXPECT_EQ(Mismatches(shapes_, "r", "U", R"({"type":"image","id":1})"), Lines{});
}

TEST_F(ShapeNotationTest, AUnionExplainsTheClosestOfItsBranches) {
  Load(
      "  T: Text | Blob | Link | null\n"
      "  Text: { uri: string, text: string }\n"
      "  Blob: { uri: string, blob: string }\n"
      "  Link: { type: \"link\", to: { a: string, b: string, c: string } }\n");
  EXPECT_EQ(Check("null"), Lines{});
  EXPECT_EQ(Check(R"({"uri":5,"blob":""})"), Lines{"/uri: expected a string, got a number"});
  // A member that only one branch has weighs more than what is wrong inside it.
  EXPECT_EQ(Check(R"({"type":"link","to":{}})").size(), 3U);
  EXPECT_EQ(Check("7"), Lines{": expected an object or null, got a number"});
}

TEST_F(ShapeNotationTest, AtMostEightMismatches) {
  Load("  T: [string]\n");
  EXPECT_EQ(Check("[1,2,3,4,5,6,7,8,9,10]").size(), 8U);
}

TEST_F(ShapeNotationTest, LongValuesAreCut) {
  Load("  T: \"x\"\n");
  const Lines lines = Check("\"" + std::string(5000, 'y') + "\"");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LT(lines.front().size(), 120U);
}

TEST_F(ShapeNotationTest, ANameMeansTheShapeOfTheRevisionAtHand) {
  Load("  T: [Item]\n  Item: { a: string }\n");
  shapes_.AddFile("t.yaml", "revision: \"s\"\nextends: \"r\"\nshapes:\n  Item: { b: string }\n");
  EXPECT_EQ(Check(R"([{"b":""}])"), Lines{"/0: member `a` is missing"});
  EXPECT_EQ(Mismatches(shapes_, "s", "T", R"([{"b":""}])"), Lines{});
  EXPECT_EQ(shapes_.Names("s"), (Lines{"Item", "T"}));
  EXPECT_FALSE(shapes_.Has("s", "Other"));
  EXPECT_FALSE(shapes_.Has("t", "T"));
}

TEST_F(ShapeNotationTest, MethodsHaveShapes) {
  shapes_.AddFile("s.yaml",
                  "revision: \"r\"\n"
                  "results: { a/get: T, a/put: T }\n"
                  "notifications: { n/a: T }\n"
                  "requests: { q/a: T }\n"
                  "shapes:\n  T: object\n");
  shapes_.AddFile("t.yaml",
                  "revision: \"s\"\nextends: \"r\"\nresults: { a/get: U, a/put: ~ }\n"
                  "shapes:\n  U: object\n");
  shapes_.AddFile("u.yaml", "adds_to: \"s\"\nrequests: { q/b: U }\n");
  EXPECT_EQ(shapes_.ResultShape("r", "a/get"), "T");
  EXPECT_EQ(shapes_.ResultShape("s", "a/get"), "U");
  EXPECT_EQ(shapes_.ResultShape("s", "a/put"), std::nullopt);
  EXPECT_EQ(shapes_.NotificationShape("s", "n/a"), "T");
  EXPECT_EQ(shapes_.NotificationShape("s", "a/get"), std::nullopt);
  EXPECT_EQ(shapes_.RequestShape("s", "q/a"), "T");
  EXPECT_EQ(shapes_.RequestShape("s", "q/b"), "U");
  EXPECT_EQ(shapes_.RequestShape("r", "q/b"), std::nullopt);
  EXPECT_EQ(shapes_.ResultShape("none", "a/get"), std::nullopt);
}

TEST_F(ShapeNotationTest, MistakesAreRefusedWithTheirPlace) {
  const std::string head = "revision: \"r\"\nshapes:\n";
  EXPECT_EQ(Refusal(head + "  T: { a: Nobody }\n"),
            "s.yaml:3:11: there is no shape called `Nobody`");
  EXPECT_EQ(Refusal(head + "  T: { a: strng }\n"),
            "s.yaml:3:11: `strng`: `strng` is neither a type nor the name of a shape");
  EXPECT_EQ(Refusal(head + "  T: { $some: string }\n"),
            "s.yaml:3:8: unknown key `$some`: expected $is, $each or $on");
  EXPECT_EQ(Refusal(head + "  T: string | \n"), "s.yaml:3:6: `string |`: expected a type");
  EXPECT_EQ(Refusal(head + "  T: string(date)\n"),
            "s.yaml:3:6: `string(date)`: `date` is not a format: expected uri, uri-template or "
            "base64");
  EXPECT_EQ(Refusal(head + "  T: number(0-1)\n"),
            "s.yaml:3:6: `number(0-1)`: `0-1` is not a number");
  EXPECT_EQ(Refusal(head + "  T: [string, integer]\n"),
            "s.yaml:3:6: expected one type: that of the array's items");
  EXPECT_EQ(Refusal(head + "  T: U\n  U: { $is: [T] }\n"),
            "s.yaml:4:14: the shape `T` is defined by itself");
  EXPECT_EQ(Refusal(head + "  t: string\n"), "s.yaml:3:3: `t` is no name for a shape");
  EXPECT_EQ(Refusal("revision: \"r\"\nresults: { a: T }\n"),
            "s.yaml:2:15: there is no shape called `T`");
  EXPECT_EQ(Refusal("revision: \"r\"\nextends: \"q\"\n"),
            "s.yaml:2:10: there are no shapes of revision q");
  EXPECT_EQ(Refusal("revision: \"r\"\nnames: {}\n"), "s.yaml:2:1: unknown key `names`");
  EXPECT_EQ(Refusal("revision: \"r\"\nresults: [T]\n"), "s.yaml:2:10: expected a mapping");
  EXPECT_EQ(Refusal("shapes: {}\n"), "s.yaml:1:1: expected `revision` or `adds_to`");
  // A shape may hold itself, one level down.
  EXPECT_EQ(Refusal(head + "  T: { children: [T] }\n"), "accepted");
}

// The files of cases/shapes.
class ShapesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shapes_ = new Shapes;
    for (const BuiltinFile& file : BuiltinFiles("shapes/")) {
      if (file.path.ends_with(".yaml")) shapes_->AddFile(std::string(file.path), file.text);
    }
  }
  static void TearDownTestSuite() {
    delete shapes_;
    shapes_ = nullptr;
  }
  static Lines Check(std::string_view revision, std::string_view name, std::string_view json) {
    return Mismatches(*shapes_, revision, name, json);
  }

  static Shapes* shapes_;
};
Shapes* ShapesTest::shapes_ = nullptr;

constexpr std::string_view kLegacy[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

TEST_F(ShapesTest, EveryRevisionKnowsItsMethods) {
  for (const std::string_view revision : kLegacy) {
    EXPECT_EQ(shapes_->ResultShape(revision, "initialize"), "InitializeResult") << revision;
    EXPECT_EQ(shapes_->RequestShape(revision, "sampling/createMessage"),
              "CreateMessageRequestParams");
    EXPECT_EQ(shapes_->ResultShape(revision, "server/discover"), std::nullopt);
  }
  EXPECT_EQ(shapes_->ResultShape("2025-11-25", "tasks/result"), "GetTaskPayloadResult");
  EXPECT_EQ(shapes_->ResultShape("2025-06-18", "tasks/result"), std::nullopt);
  EXPECT_EQ(shapes_->RequestShape("2025-03-26", "elicitation/create"), std::nullopt);
  EXPECT_EQ(shapes_->ResultShape("2026-07-28", "server/discover"), "DiscoverResult");
  EXPECT_EQ(shapes_->ResultShape("2026-07-28", "initialize"), std::nullopt);
  EXPECT_EQ(shapes_->ResultShape("2026-07-28", "tasks/get"), "GetTaskResult");
  EXPECT_EQ(shapes_->RequestShape("2026-07-28", "sampling/createMessage"), std::nullopt);
}

TEST_F(ShapesTest, ContentGrowsWithTheRevisions) {
  const std::string_view audio =
      R"({"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]})";
  EXPECT_EQ(Check("2024-11-05", "CallToolResult", audio),
            Lines{R"(/content/0/type: expected one of text, image, resource; got "audio")"});
  EXPECT_EQ(Check("2025-03-26", "CallToolResult", audio), Lines{});
  const std::string_view link = R"({"content":[{"type":"resource_link","uri":"a:b","name":"b"}]})";
  EXPECT_EQ(Check("2025-03-26", "CallToolResult", link).size(), 1U);
  EXPECT_EQ(Check("2025-06-18", "CallToolResult", link), Lines{});
  EXPECT_EQ(Check("2025-11-25", "CallToolResult", link), Lines{});
}

TEST_F(ShapesTest, StructuredContentIsAnObjectInTheLegacyEraAndAnythingInTheModernOne) {
  const std::string_view number = R"({"resultType":"complete","content":[],"structuredContent":7})";
  EXPECT_EQ(Check("2025-03-26", "CallToolResult", number), Lines{});
  EXPECT_EQ(Check("2025-11-25", "CallToolResult", number),
            Lines{"/structuredContent: expected an object, got a number"});
  EXPECT_EQ(Check("2026-07-28", "CallToolResult", number), Lines{});
}

TEST_F(ShapesTest, TheModernAnswerToACallIsWhatItsTypeSays) {
  EXPECT_EQ(Check("2026-07-28", "CallToolAnswer", R"({"resultType":"complete"})"),
            Lines{": member `content` is missing"});
  EXPECT_EQ(Check("2026-07-28", "CallToolAnswer", R"({"content":[]})"),
            Lines{": member `resultType` is missing"});
  EXPECT_EQ(Check("2026-07-28", "CallToolAnswer",
                  R"({"resultType":"input_required","inputRequests":{"a":{"method":"x"}}})"),
            Lines{"/inputRequests/a/method: expected one of sampling/createMessage, roots/list, "
                  "elicitation/create; got \"x\""});
  EXPECT_EQ(Check("2026-07-28", "CallToolAnswer",
                  R"({"resultType":"task","taskId":"1",)"
                  R"("status":"working","createdAt":"a",)"
                  R"("lastUpdatedAt":"a","ttlMs":null})"),
            Lines{});
  // What another extension adds is not judged here.
  EXPECT_EQ(Check("2026-07-28", "CallToolAnswer", R"({"resultType":"com.example/other"})"),
            Lines{});
}

TEST_F(ShapesTest, AFinishedTaskHasItsResult) {
  const std::string task = R"("resultType":"complete","taskId":"1","createdAt":"a",)"
                           R"("lastUpdatedAt":"a","ttlMs":1000)";
  EXPECT_EQ(Check("2026-07-28", "GetTaskResult", "{" + task + R"(,"status":"working"})"), Lines{});
  EXPECT_EQ(Check("2026-07-28", "GetTaskResult", "{" + task + R"(,"status":"completed"})"),
            Lines{": member `result` is missing"});
  EXPECT_EQ(Check("2026-07-28", "GetTaskResult",
                  "{" + task + R"(,"status":"failed","error":{"code":"x"}})"),
            (Lines{"/error/code: expected an integer, got a string",
                   "/error: member `message` is missing"}));
}

TEST_F(ShapesTest, ListsSayHowLongTheyKeepInTheModernEra) {
  EXPECT_EQ(Check("2025-11-25", "ListToolsResult", R"({"tools":[]})"), Lines{});
  EXPECT_EQ(Check("2026-07-28", "ListToolsResult",
                  R"({"resultType":"complete","tools":[],"ttlMs":-1,"cacheScope":"all"})"),
            (Lines{"/ttlMs: expected an integer of 0 or more, got -1",
                   R"(/cacheScope: expected one of public, private; got "all")"}));
}

TEST_F(ShapesTest, ErrorsWithPrescribedData) {
  EXPECT_EQ(Check("2026-07-28", "UnsupportedProtocolVersionError",
                  R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no",)"
                  R"("data":{"supported":["2026-07-28"]}}})"),
            Lines{"/error/data: member `requested` is missing"});
  EXPECT_EQ(Check("2026-07-28", "MissingRequiredClientCapabilityError",
                  R"({"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no",)"
                  R"("data":{"requiredCapabilities":{"elicitation":{}}}}})"),
            Lines{});
}

}  // namespace
}  // namespace assay
