// Cuts what the newest revisions show down to what an older one knows: throughout a session a
// server sends nothing that the negotiated revision does not define (basic/lifecycle#operation).
#pragma once

#include <boost/json.hpp>

#include "catalog/tool_call.h"
#include "protocol/revision.h"

namespace assay::reference {

/// A tool, prompt, resource or template as the revision knows it: no `annotations` on tools before
/// 2025-03-26, no `title`, `outputSchema` and `lastModified` before 2025-06-18, no `icons` and
/// `execution` before 2025-11-25. The modern era keeps `execution`: its schema is open.
boost::json::object ShapeDefinition(boost::json::object definition, Revision revision);

/// The body of a tools/call result: no structuredContent before 2025-06-18.
boost::json::object ShapeToolResult(ToolResult result, Revision revision);

/// The content of each prompt message.
boost::json::array ShapeMessages(boost::json::array messages, Revision revision);

}  // namespace assay::reference
