// How the harness judges shapes. The first line says which, as `2025-11-25 result tools/list`,
// `... notification notifications/progress`, `... request roots/list` or `... shape Tool`, the
// second is the value. Two ways, one verdict: the shape validator (harness/oracle/shape), and the
// same shapes as JSON Schema (schema_of_shape.h), judged by the harness' JSON Schema validator
// (harness/oracle/json_schema).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/builtin.h"
#include "fuzz/expect.h"
#include "fuzz/harness_shape/schema_of_shape.h"
#include "fuzz/input.h"
#include "message/json.h"
#include "oracle/json_schema.h"
#include "oracle/shape.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

struct Both {
  Shapes shapes;
  ShapeSchemas schemas;

  Both() {
    for (const BuiltinFile& file : BuiltinFiles("shapes/")) {
      shapes.AddFile(std::string(file.path), file.text);
      schemas.AddFile(std::string(file.path), file.text);
    }
  }
};

std::string_view TakeWord(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

// The name of the shape that `kind` and `name` mean, if there is one.
std::optional<std::string> ShapeOf(const Shapes& shapes, std::string_view revision,
                                   std::string_view kind, std::string_view name) {
  if (kind == "result") return shapes.ResultShape(revision, name);
  if (kind == "notification") return shapes.NotificationShape(revision, name);
  if (kind == "request") return shapes.RequestShape(revision, name);
  if (kind == "shape" && shapes.Has(revision, name)) return std::string(name);
  return std::nullopt;
}

void Judge(std::string_view text) {
  static Both both;
  std::string_view rest = text;
  std::string_view line = TakeLine(rest);
  const std::string_view revision = TakeWord(line);
  const std::string_view kind = TakeWord(line);
  const auto name = ShapeOf(both.shapes, revision, kind, line);
  if (!name) return;
  const JsonParse parse = ParseJson(rest);
  if (!parse.value) return;

  const std::vector<ShapeMismatch> mismatches = both.shapes.Check(revision, *name, *parse.value);
  for (const ShapeMismatch& mismatch : mismatches) {
    Expect(At(*parse.value, mismatch.pointer) != nullptr && !mismatch.reason.empty(),
           "a mismatch has a reason and a place in the value", text);
  }
  // Of members with the same name the two may see another one.
  if (!parse.duplicate_keys.empty()) return;
  const oracle::SchemaAnswer answer =
      oracle::CheckInstance(both.schemas.SchemaOf(std::string(revision), *name), *parse.value);
  if (answer.kind == oracle::SchemaAnswer::Kind::kNotJudged) return;
  const bool fits = answer.kind == oracle::SchemaAnswer::Kind::kValid;
  if (fits == mismatches.empty()) return;
  Expect(false, "both ways give the same verdict",
         std::string(text) + "\n  " +
             (fits ? mismatches.front().pointer + ": " + mismatches.front().reason : answer.why));
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::Judge(assay::fuzz::Text(data, size));
  return 0;
}
