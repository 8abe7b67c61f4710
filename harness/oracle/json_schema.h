// JSON Schema, as far as a judge of MCP servers needs it: the dialects 2020-12 (MCP's default) and
// draft-07. Each answer has a third value: what is not implemented, what lies elsewhere on the net
// and what would take too long is not judged, and says so.
//
// Debian 12's own library for it, valijson, knows no 2020-12, no annotations (unevaluated*) and no
// third value, and reads numbers as doubles; hence this one, on the view that keeps the wire exact.
//
//   json_schema_document    which dialect, where the subschemas are, what a reference means
//   json_schema_syntax      is it a schema?
//   json_schema_evaluation  does a value conform to it?

#pragma once

#include <cstdint>
#include <string>

#include "message/json.h"

namespace assay::oracle {

struct SchemaAnswer {
  enum class Kind : std::uint8_t {
    kValid,
    kInvalid,
    kDoubtful,  // only of a schema: breaks no rule of its dialect, and yet nobody can use it
    kNotJudged,
  };
  Kind kind = Kind::kValid;
  std::string why;  // of all but kValid: where, and what
};

// Which dialect a schema without `$schema` has: 2020-12 since MCP 2025-11-25; before, no page says.
// Then an answer is given only where draft-07 and 2020-12 agree.
enum class DefaultDialect : std::uint8_t { k2020, kUnstated };

// Is `schema` valid by the meta-schema of its dialect? Doubtful are a reference to nothing within
// the schema and a pattern that is no regular expression.
SchemaAnswer CheckSchema(const Json& schema);

// Does `instance` conform to `schema`? Not judged where that is no valid schema. `format` and the
// keywords of content are annotations.
SchemaAnswer CheckInstance(const Json& schema, const Json& instance,
                           DefaultDialect dialect = DefaultDialect::k2020);

}  // namespace assay::oracle
