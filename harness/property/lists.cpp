// 2026-07-28 and 2025-11-25, server § Tools, Prompts, Resources.

#include "property/lists.h"

#include <map>
#include <utility>

namespace assay {

std::vector<ListKind> ListsOf(const EraFacts& era) {
  static const std::vector<ListKind> kAll = {
      {"tools", "tools/list", "tools", "tools", "name", "M-TOOLS-LIST-ANSWERED",
       "L-TOOLS-list-works", "M-TOOLS-LIST-NO-SIDE-EFFECT"},
      {"prompts", "prompts/list", "prompts", "prompts", "name", "M-PROMPTS-LIST-ANSWERED",
       "L-PROMPT-list-works", "M-PROMPTS-LIST-NO-SIDE-EFFECT"},
      {"resources", "resources/list", "resources", "resources", "uri", "M-RES-LIST-ANSWERED",
       "L-RES-list-works", "M-RES-LIST-NO-SIDE-EFFECT"},
      {"templates", "resources/templates/list", "resources", "resourceTemplates", "uriTemplate",
       "M-RES-TEMPLATES-SHAPE", "L-PAGE-operations", ""},
  };
  const std::map<std::string, const Json*> seen = {{"tools", &era.tools},
                                                   {"prompts", &era.prompts},
                                                   {"resources", &era.resources},
                                                   {"templates", &era.resource_templates}};
  std::vector<ListKind> declared;
  for (ListKind kind : kAll) {
    if (era.capabilities.Find(kind.capability) == nullptr) continue;
    kind.has_items = !seen.at(kind.name)->items().empty();
    // Templates are a part of resources that a server may do without.
    if (kind.name == "templates" && !kind.has_items) continue;
    declared.push_back(std::move(kind));
  }
  return declared;
}

}  // namespace assay
