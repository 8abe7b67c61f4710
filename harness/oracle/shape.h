// Shapes: what messages and their parts must look like, revision by revision, and the validator
// that says where and why a value does not fit. The notation of the files is described in
// cases/shapes/README.md.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/yaml.h"
#include "message/json.h"

namespace assay {

struct ShapeMismatch {
  std::string pointer;  // JSON Pointer into the value
  std::string reason;   // "expected a string, got a number"
};

// All shapes of all revisions. Once loaded it never changes, and may be read from any thread.
class Shapes {
 public:
  Shapes();
  ~Shapes();
  Shapes(Shapes&&) noexcept;
  Shapes& operator=(Shapes&&) noexcept;

  // Adds one file. What it builds upon (`extends`, `adds_to`) must have been added before: the
  // order of the file names does. Throws InputError (case/place.h), also for a name that leads
  // nowhere.
  void AddFile(const std::string& path, const YamlText& yaml);

  bool Has(std::string_view revision, std::string_view name) const;
  // The names of the shapes of `revision`, sorted.
  std::vector<std::string> Names(std::string_view revision) const;

  // The name of the shape of a method's result, of a notification's params, and of the params of a
  // request that the server sends (params that are absent are judged as an empty object); nothing
  // where the revision knows no such method. The methods of an extension are known whether or not
  // the server has the extension.
  std::optional<std::string> ResultShape(std::string_view revision, std::string_view method) const;
  std::optional<std::string> NotificationShape(std::string_view revision,
                                               std::string_view method) const;
  std::optional<std::string> RequestShape(std::string_view revision, std::string_view method) const;

  // Checks `value` against shape `name` of `revision`; nothing when it fits. At most 8 mismatches.
  // There must be such a shape (Has).
  std::vector<ShapeMismatch> Check(std::string_view revision, std::string_view name,
                                   const Json& value) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace assay
