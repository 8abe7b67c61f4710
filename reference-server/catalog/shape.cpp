#include "catalog/shape.h"

#include <utility>

#include "catalog/content.h"

namespace assay::reference {

namespace json = boost::json;

json::object ShapeDefinition(json::object definition, Revision revision) {
  if (revision < Revision::k2025_11_25) {
    definition.stable_erase("icons");
    definition.stable_erase("execution");
  }
  if (revision < Revision::k2025_06_18) {
    definition.stable_erase("title");
    definition.stable_erase("outputSchema");
    if (json::value* annotations = definition.if_contains("annotations")) {
      annotations->as_object().stable_erase("lastModified");
    }
    if (json::value* arguments = definition.if_contains("arguments")) {
      for (json::value& argument : arguments->as_array())
        argument.as_object().stable_erase("title");
    }
  }
  if (revision < Revision::k2025_03_26 && definition.contains("inputSchema")) {
    definition.stable_erase("annotations");
  }
  return definition;
}

json::object ShapeToolResult(ToolResult result, Revision revision) {
  json::array content = std::move(result.content);
  if (revision < Revision::k2025_06_18) {
    for (json::value& block : content) {
      block = ShapeBlock(std::move(block.as_object()), revision);
    }
  }
  json::object body{{"content", std::move(content)}};
  if (result.structured && revision >= Revision::k2025_06_18) {
    body["structuredContent"] = *std::move(result.structured);
  }
  if (result.is_error) body["isError"] = true;
  return body;
}

json::array ShapeMessages(json::array messages, Revision revision) {
  for (json::value& message : messages) {
    json::value& content = message.as_object().at("content");
    content = ShapeBlock(std::move(content.as_object()), revision);
  }
  return messages;
}

}  // namespace assay::reference
