// From the answer about a schema to a finding.

#include "oracle/schema_rules.h"

#include "oracle/json_schema.h"

namespace assay::oracle {

namespace {

// Valid as draft-07, which it does not declare.
bool IsOldAndUndeclared(const Json& schema) {
  if (schema.Find("$schema") != nullptr) return false;
  Json declared = schema;
  declared.Set("$schema", Json::String("http://json-schema.org/draft-07/schema#"));
  return CheckSchema(declared).kind == SchemaAnswer::Kind::kValid;
}

}  // namespace

void JudgeSchema(const Received& received, const std::string& what, const Json& schema,
                 const Duty& duty, Findings& findings) {
  const SchemaAnswer answer = CheckSchema(schema);
  switch (answer.kind) {
    case SchemaAnswer::Kind::kValid:
      return;
    case SchemaAnswer::Kind::kInvalid:
      if (IsOldAndUndeclared(schema)) {
        findings.Report(kDefaultDialect, received,
                        what + " is meant as draft-07, and does not say so with $schema");
      }
      return findings.Report(duty, received, what + " is no valid JSON Schema: " + answer.why);
    case SchemaAnswer::Kind::kDoubtful:
      return findings.Report(duty, received, what + " cannot be used as it is: " + answer.why,
                             {.at_most_warn = true});
    case SchemaAnswer::Kind::kNotJudged:
      return findings.LeaveOpen(duty, received, what + ": " + answer.why);
  }
}

}  // namespace assay::oracle
