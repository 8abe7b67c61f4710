// The eight severities of RFC 5424, as MCP logging names them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::reference {

/// In rising severity, so that levels compare.
enum class LogLevel : unsigned char {
  kDebug,
  kInfo,
  kNotice,
  kWarning,
  kError,
  kCritical,
  kAlert,
  kEmergency,
};

inline constexpr std::array<std::string_view, 8> kLogLevelNames{
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

constexpr std::string_view Name(LogLevel level) {
  return kLogLevelNames[static_cast<std::size_t>(level)];
}

constexpr std::optional<LogLevel> ParseLogLevel(std::string_view name) {
  for (std::size_t i = 0; i < kLogLevelNames.size(); ++i) {
    if (kLogLevelNames[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

}  // namespace assay::reference
