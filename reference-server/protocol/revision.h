// The protocol revisions this server speaks.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::reference {

/// Ordered by age, so that `revision >= Revision::k2025_06_18` asks "does it know this feature
/// yet?".
enum class Revision : unsigned char {
  k2024_11_05,
  k2025_03_26,
  k2025_06_18,
  k2025_11_25,
  k2026_07_28,
};

inline constexpr std::array kAllRevisions{Revision::k2024_11_05, Revision::k2025_03_26,
                                          Revision::k2025_06_18, Revision::k2025_11_25,
                                          Revision::k2026_07_28};
inline constexpr Revision kNewestLegacy = Revision::k2025_11_25;
inline constexpr Revision kNewestModern = Revision::k2026_07_28;

/// Modern revisions have no handshake: every request carries the `_meta` envelope.
constexpr bool IsModern(Revision revision) { return revision >= Revision::k2026_07_28; }

/// "2025-11-25".
std::string_view Name(Revision revision);

/// Nothing if the text names no revision of ours.
std::optional<Revision> ParseRevision(std::string_view name);

}  // namespace assay::reference
