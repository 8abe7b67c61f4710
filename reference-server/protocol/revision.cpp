#include "protocol/revision.h"

namespace assay::reference {

std::string_view Name(Revision revision) {
  switch (revision) {
    case Revision::k2024_11_05:
      return "2024-11-05";
    case Revision::k2025_03_26:
      return "2025-03-26";
    case Revision::k2025_06_18:
      return "2025-06-18";
    case Revision::k2025_11_25:
      return "2025-11-25";
    case Revision::k2026_07_28:
      return "2026-07-28";
  }
  return {};
}

std::optional<Revision> ParseRevision(std::string_view name) {
  for (const Revision revision : kAllRevisions) {
    if (Name(revision) == name) return revision;
  }
  return std::nullopt;
}

}  // namespace assay::reference
