// The texts of the messages a server sends.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/error.h"
#include "protocol/revision.h"

namespace assay::reference {

/// The JSON text of a result, complete for the revision it was made for.
struct ResultText {
  std::string json;
};

/// What became of a request.
using Outcome = std::variant<ResultText, ProtocolError>;

/// server/utilities/caching: how long and for whom a modern result may be kept.
struct CacheHints {
  int ttl_ms;
  bool is_public;
};

/// What this program is, as `initialize` or `_meta` shows it to the given revision.
boost::json::object ServerInfo(Revision revision);

/// Serialises a result and adds what its revision wants on every result: `resultType`, the caching
/// hints if the method is cacheable, and `serverInfo` in `_meta` (modern), or nothing (legacy).
/// A modern `body` must not have these members itself.
ResultText FinishResult(const boost::json::object& body, Revision revision,
                        std::optional<CacheHints> hints = std::nullopt);

/// The same for a modern result of any type, and with more in its `_meta`.
ResultText FinishModernResult(const boost::json::object& body, std::string_view result_type,
                              const boost::json::object& meta = {});

/// The error member of a response.
boost::json::object ErrorMember(const ProtocolError& error);

/// Messages without a line end. `id` is the id's JSON text; an empty one leaves the member out.
std::string ResultMessage(std::string_view id, const ResultText& result);
std::string ErrorMessage(std::string_view id, const ProtocolError& error);
std::string RequestMessage(std::string_view id, std::string_view method,
                           std::string_view params_json);
std::string NotificationMessage(std::string_view method, std::string_view params_json);

}  // namespace assay::reference
