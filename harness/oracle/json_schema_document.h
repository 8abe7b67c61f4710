// A schema as a document: its dialect, its subschemas, and what its references mean (JSON Schema
// Core 2020-12 §8 and §9; draft-07 §8).

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message/json.h"

namespace assay::oracle {

enum class Dialect : std::uint8_t { kDraft07, k2020 };

// What `schema` names as its `$schema`: `fallback` where it names none; nothing where it names
// another dialect than these.
std::optional<Dialect> DialectOf(const Json& schema, Dialect fallback);

// What the value of a keyword has to be.
enum class KeywordForm : std::uint8_t {
  kSchema,
  kSchemas,          // a non-empty array of schemas
  kSchemaOrSchemas,  // draft-07's `items`
  kSchemaMap,
  kPatternMap,    // a map of schemas by regular expression
  kDependencies,  // a map of schemas or arrays of names
  kType,
  kNames,    // an array of different strings
  kNameMap,  // a map of such arrays
  kArray,
  kString,
  kPattern,
  kReference,
  kIdentifier,
  kAnchor,
  kBoolean,
  kNumber,
  kPositive,
  kCount,  // an integer, not negative
  kBooleanMap,
};
// Nothing for what the dialect does not know, and for what takes any value (`const`, `default`).
std::optional<KeywordForm> FormOf(std::string_view keyword, Dialect dialect);

// Where a subschema stands in its schema: under a keyword, in a map or a list or alone.
struct SubschemaPlace {
  std::string_view keyword;
  std::optional<std::string_view> key = std::nullopt;
  std::optional<std::size_t> index = std::nullopt;

  std::string Pointer() const;  // "/properties/a"
};
// Calls `visit` with each schema directly within `schema`.
using VisitSubschema = std::function<void(const Json& subschema, const SubschemaPlace& place)>;
void ForEachSubschema(const Json& schema, Dialect dialect, const VisitSubschema& visit);

// A part of the document that has an identifier of its own; the first is the document itself.
struct SchemaResource {
  const Json* root = nullptr;
  std::string uri;  // "" where the document has none
};

// Where a reference leads.
struct SchemaTarget {
  enum class Kind : std::uint8_t {
    kFound,
    kNowhere,    // within the document, but nothing is there
    kElsewhere,  // not in the document
  };
  Kind kind = Kind::kElsewhere;
  const Json* schema = nullptr;
  const SchemaResource* resource = nullptr;  // the one that `schema` is in
  std::string dynamic_anchor;                // the `$dynamicAnchor` that it was found by, or ""
};

// Of one schema, which must outlive it.
class SchemaDocument {
 public:
  SchemaDocument(const Json& schema, Dialect dialect);

  const Json& root() const { return *resources_.front().root; }
  Dialect dialect() const { return dialect_; }
  const SchemaResource& document() const { return resources_.front(); }

  // The resource that `schema`, found within `around`, belongs to.
  const SchemaResource& ResourceOf(const Json& schema, const SchemaResource& around) const;

  // Whether `schema` names another dialect than the document has.
  bool ChangesDialect(const Json& schema) const;
  // Whether nothing but its `$ref` counts (draft-07).
  bool IsOnlyReference(const Json& schema) const;

  // What `reference` in a schema of `from` means.
  SchemaTarget Resolve(std::string_view reference, const SchemaResource& from) const;
  // The schema of `resource` with that `$dynamicAnchor`, or null.
  const Json* FindDynamic(const SchemaResource& resource, std::string_view anchor) const;

 private:
  struct Anchor {
    const SchemaResource* resource;
    std::string name;
    const Json* schema;
    bool dynamic;
  };

  void Index(const Json& schema, const SchemaResource& around);
  SchemaTarget Locate(std::string_view pointer, const SchemaResource& from) const;

  Dialect dialect_;
  std::deque<SchemaResource> resources_;
  std::vector<Anchor> anchors_;
};

}  // namespace assay::oracle
