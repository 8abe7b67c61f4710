#include "catalog/tool_definition.h"

#include <string>
#include <utility>

#include "catalog/content.h"

namespace assay::reference {

namespace json = boost::json;

ToolResult Text(std::string_view text) { return {{TextBlock(text)}}; }

ToolResult Failure(std::string_view text) { return {{TextBlock(text)}, std::nullopt, true}; }

ToolResult Structured(json::value value) {
  json::array content{TextBlock(json::serialize(value))};
  return {std::move(content), std::move(value)};
}

Tool Define(std::string_view text,
            std::function<void(const json::object& arguments, ToolCall& call)> run) {
  json::object definition = json::parse(text).as_object();
  std::string name(definition.at("name").as_string());
  return {std::move(name), std::move(definition), std::move(run)};
}

}  // namespace assay::reference
