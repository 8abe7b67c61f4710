#include "catalog/content.h"

#include <string>
#include <utility>

namespace assay::reference {

namespace json = boost::json;

const std::string_view kPngBase64 =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAA"
    "AElFTkSuQmCC";
const std::string_view kWavBase64 =
    "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

json::object TextBlock(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

json::object ImageBlock() {
  return {{"type", "image"}, {"data", kPngBase64}, {"mimeType", "image/png"}};
}

json::object AudioBlock() {
  return {{"type", "audio"}, {"data", kWavBase64}, {"mimeType", "audio/wav"}};
}

json::object EmbeddedText(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return {{"type", "resource"},
          {"resource", json::object{{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

json::object ShapeBlock(json::object block, Revision revision) {
  const std::string_view type = block.at("type").as_string();
  if (type == "audio" && revision < Revision::k2025_03_26) {
    return {{"type", "resource"},
            {"resource", json::object{{"uri", "test://audio"},
                                      {"mimeType", block.at("mimeType")},
                                      {"blob", block.at("data")}}}};
  }
  if (type == "resource_link" && revision < Revision::k2025_06_18) {
    return TextBlock(block.at("uri").as_string());
  }
  if (json::value* annotations = block.if_contains("annotations")) {
    if (revision < Revision::k2025_06_18) annotations->as_object().stable_erase("lastModified");
  }
  return block;
}

}  // namespace assay::reference
