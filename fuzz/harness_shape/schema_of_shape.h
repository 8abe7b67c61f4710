// The notation of cases/shapes/README.md in JSON Schema: the other of the two ways in which
// harness_shape judges a value. It reads the files itself.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "case/yaml.h"
#include "message/json.h"

namespace assay::fuzz {

class ShapeSchemas {
 public:
  // Adds one file; what it builds upon must have been added before.
  void AddFile(const std::string& path, const YamlText& yaml);

  // The schema of that shape, with all that it refers to.
  const Json& SchemaOf(const std::string& revision, const std::string& name);

 private:
  using Definitions = std::map<std::string, Json, std::less<>>;

  std::map<std::string, Definitions, std::less<>> revisions_;
  std::map<std::string, Json> made_;
};

}  // namespace assay::fuzz
