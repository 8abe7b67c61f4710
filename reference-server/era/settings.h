// How a server is configured, as far as messages show it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace assay::reference {

enum class EraSupport : unsigned char { kDual, kLegacyOnly, kModernOnly };

/// How tasks are spoken of in the modern era; the legacy one has its own way unless they are off.
enum class TaskDialect : unsigned char { kOff, kExtension, kHandle };

struct Settings {
  EraSupport eras = EraSupport::kDual;
  /// Whether a connection opened by the handshake refuses enveloped requests from then on.
  bool lock_legacy = true;
  /// Whether a connection opened by an envelope refuses the handshake from then on.
  bool lock_modern = true;
  /// Lists are cut into pages of that many items, or not at all.
  std::optional<std::size_t> page_size = std::nullopt;
  TaskDialect tasks = TaskDialect::kExtension;
  /// Whom the transport knows the client to be; empty without authorization.
  std::string principal = {};

  /// What this server is called among those that are given one store.
  std::string instance = "reference";
  /// Whether the others know the carts of the modern era, and the key that signs requestState.
  bool shares_carts = true;
  bool shares_key = true;
  /// For how long a requestState is taken back.
  std::chrono::milliseconds state_lifetime = std::chrono::minutes(10);
};

}  // namespace assay::reference
