// How a server is configured, as far as messages show it.
#pragma once

#include <cstddef>
#include <optional>

namespace assay::reference {

enum class EraSupport : unsigned char { kDual, kLegacyOnly, kModernOnly };

struct Settings {
  EraSupport eras = EraSupport::kDual;
  /// Whether a connection opened by the handshake refuses enveloped requests from then on.
  bool lock_legacy = true;
  /// Whether a connection opened by an envelope refuses the handshake from then on.
  bool lock_modern = true;
  /// Lists are cut into pages of that many items, or not at all.
  std::optional<std::size_t> page_size = std::nullopt;
};

}  // namespace assay::reference
