#include "catalog/resources.h"

#include <optional>
#include <string>

#include "catalog/content.h"
#include "catalog/uri.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::string_view kStaticText = "test://static-text";
constexpr std::string_view kStaticBinary = "test://static-binary";
constexpr std::string_view kDynamic = "test://dynamic-resource";
constexpr std::string_view kStaticTextContent = "This is the content of the static text resource.";
constexpr int kPngSize = 69;

json::object Text(std::string_view uri, std::string_view text) {
  return {{"uri", uri}, {"mimeType", "text/plain"}, {"text", text}};
}

json::object Define(std::string_view uri, std::string_view name, std::string_view title,
                    std::string_view description, std::string_view mime_type) {
  return {{"uri", uri},
          {"name", name},
          {"title", title},
          {"description", description},
          {"mimeType", mime_type}};
}

json::object DefineTemplate(std::string_view uri_template, std::string_view name,
                            std::string_view title, std::string_view description) {
  return {{"uriTemplate", uri_template},
          {"name", name},
          {"title", title},
          {"description", description},
          {"mimeType", "text/plain"}};
}

}  // namespace

std::vector<json::object> BuildResources() {
  json::object text =
      Define(kStaticText, "static-text", "Static text", "A text that never changes.", "text/plain");
  text["size"] = kStaticTextContent.size();
  text["annotations"] = json::object{{"audience", json::array{"user", "assistant"}},
                                     {"priority", 0.5},
                                     {"lastModified", "2026-07-28T00:00:00Z"}};
  json::object binary =
      Define(kStaticBinary, "static-binary", "Static image", "An image of one pixel.", "image/png");
  binary["size"] = kPngSize;
  return {std::move(text), std::move(binary),
          Define(kWatchedResource, "watched-resource", "Watched text",
                 "A text that test_touch_watched_resource changes.", "text/plain")};
}

json::object BuildDynamicResource() {
  return Define(kDynamic, "dynamic-resource", "Dynamic text",
                "Exists only between two calls of test_trigger_resource_change.", "text/plain");
}

std::vector<json::object> BuildTemplates() {
  return {DefineTemplate(kTemplate, "template", "Data by id", "A text that names its id."),
          DefineTemplate(kFailingTemplate, "failing", "Failing resource",
                         "Cannot be read: the server fails on every one of them.")};
}

std::variant<json::array, UnknownResource, FailedResource> ReadContents(std::string_view uri,
                                                                        int changes,
                                                                        bool dynamic_exists) {
  if (uri == kStaticText) return json::array{Text(uri, kStaticTextContent)};
  if (uri == kStaticBinary) {
    return json::array{json::object{{"uri", uri}, {"mimeType", "image/png"}, {"blob", kPngBase64}}};
  }
  if (uri == kWatchedResource) {
    return json::array{Text(uri, "Changed " + std::to_string(changes) + " times.")};
  }
  if (uri == kDynamic && dynamic_exists) return json::array{Text(uri, "Here today.")};
  if (const std::optional<std::string> id = MatchTemplate(kTemplate, uri)) {
    return json::array{Text(uri, "Data of id " + *id)};
  }
  if (MatchTemplate(kFailingTemplate, uri)) return FailedResource{};
  return UnknownResource{};
}

}  // namespace assay::reference
