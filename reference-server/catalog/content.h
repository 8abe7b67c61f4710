// Content blocks, as tools and prompts return them.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "protocol/revision.h"

namespace assay::reference {

/// A PNG of one red pixel, and 8 samples of silence as WAV, in base64.
extern const std::string_view kPngBase64;
extern const std::string_view kWavBase64;

boost::json::object TextBlock(std::string_view text);
boost::json::object ImageBlock();
boost::json::object AudioBlock();
boost::json::object EmbeddedText(std::string_view uri, std::string_view mime_type,
                                 std::string_view text);

/// Replaces what the revision does not know yet by something it knows: audio (2025-03-26) by an
/// embedded blob, a resource link (2025-06-18) by text; drops lastModified (2025-06-18).
boost::json::object ShapeBlock(boost::json::object block, Revision revision);

}  // namespace assay::reference
