// Changes messages that are already text, and keeps the exact text of ids while doing so.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "era/wire.h"

namespace assay::reference {

/// Parses the message, lets `edit` change it, and writes it again. False, and nothing changed, if
/// it is not JSON or `edit` says so.
bool EditMessage(OutgoingMessage& message, const std::function<bool(boost::json::value&)>& edit);

/// The text of an object whose `id`, if it still is what the text `original` had, is written as it
/// was there.
std::string SerializeLike(const boost::json::value& edited, std::string_view original);

/// Nothing if the line is not an object.
std::optional<boost::json::object> ParseObject(std::string_view line);

}  // namespace assay::reference
