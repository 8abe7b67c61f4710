#include "catalog/catalog.h"

#include <algorithm>
#include <utility>

#include "catalog/page.h"
#include "catalog/shape.h"
#include "catalog/uri.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// Lists may be kept for a minute; their changes are announced anyway.
constexpr CacheHints kListHints{60'000, true};

/// The member of the result that holds the list, which also names it in cursors.
std::string_view MemberName(ListKind kind) {
  switch (kind) {
    case ListKind::kTools:
      return "tools";
    case ListKind::kPrompts:
      return "prompts";
    case ListKind::kResources:
      return "resources";
    case ListKind::kTemplates:
      return "resourceTemplates";
  }
  return {};
}

/// Adds the item if none of that name is there, removes it otherwise.
template <typename Items, typename SameItem>
void Toggle(Items& items, typename Items::value_type item, SameItem same) {
  const auto found = std::find_if(items.begin(), items.end(), same);
  if (found == items.end()) {
    items.push_back(std::move(item));
  } else {
    items.erase(found);
  }
}

}  // namespace

Catalog::Catalog(std::optional<std::size_t> page_size, Carts carts)
    : page_size_(page_size),
      carts_(std::move(carts)),
      tools_(BuildTools()),
      prompts_(BuildPrompts()),
      resources_(BuildResources()),
      templates_(BuildTemplates()) {}

std::optional<ResultText> Catalog::List(ListKind kind, Revision revision,
                                        std::optional<std::string_view> cursor) {
  const std::string_view name = MemberName(kind);
  std::size_t offset = 0;
  if (cursor) {
    const std::optional<std::size_t> position = ReadCursor(name, *cursor);
    // Without pages no cursor was ever given out.
    if (!position || !page_size_ || *position % *page_size_ != 0) return std::nullopt;
    offset = *position;
  }
  const auto key = std::make_tuple(kind, revision, offset);
  if (const auto known = pages_.find(key); known != pages_.end()) return known->second;

  const std::vector<json::object> all = Definitions(kind);
  if (cursor && offset >= all.size()) return std::nullopt;
  const std::size_t end = page_size_ ? std::min(all.size(), offset + *page_size_) : all.size();
  json::array items;
  for (std::size_t i = offset; i < end; ++i) items.push_back(ShapeDefinition(all[i], revision));
  json::object body{{name, std::move(items)}};
  if (end < all.size()) body["nextCursor"] = MakeCursor(name, end);
  return pages_.emplace(key, FinishResult(body, revision, kListHints)).first->second;
}

std::vector<json::object> Catalog::Definitions(ListKind kind) const {
  std::vector<json::object> definitions;
  switch (kind) {
    case ListKind::kTools:
      for (const Tool& tool : tools_) definitions.push_back(tool.definition);
      break;
    case ListKind::kPrompts:
      for (const Prompt& prompt : prompts_) definitions.push_back(prompt.definition);
      break;
    case ListKind::kResources:
      definitions = resources_;
      break;
    case ListKind::kTemplates:
      definitions = templates_;
      break;
  }
  return definitions;
}

const Tool* Catalog::FindTool(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(),
                                  [name](const Tool& tool) { return tool.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

const Prompt* Catalog::FindPrompt(std::string_view name) const {
  const auto found = std::find_if(prompts_.begin(), prompts_.end(),
                                  [name](const Prompt& prompt) { return prompt.name() == name; });
  return found == prompts_.end() ? nullptr : &*found;
}

bool Catalog::HasResource(std::string_view uri) const {
  return !std::holds_alternative<UnknownResource>(Read(uri));
}

std::variant<json::array, UnknownResource, FailedResource> Catalog::Read(
    std::string_view uri) const {
  static const std::size_t fixed = BuildResources().size();
  return ReadContents(uri, touches_, resources_.size() > fixed);
}

void Catalog::TouchWatchedResource() {
  ++touches_;
  for (CatalogListener* listener : listeners_) listener->ResourceUpdated(kWatchedResource);
}

void Catalog::ToggleDynamicTool() {
  Tool tool = BuildDynamicTool();
  const std::string name = tool.name;
  Toggle(tools_, std::move(tool), [&name](const Tool& one) { return one.name == name; });
  Announce(&CatalogListener::ToolsChanged);
}

void Catalog::ToggleDynamicPrompt() {
  Prompt prompt = BuildDynamicPrompt();
  const std::string name(prompt.name());
  Toggle(prompts_, std::move(prompt), [&name](const Prompt& one) { return one.name() == name; });
  Announce(&CatalogListener::PromptsChanged);
}

void Catalog::ToggleDynamicResource() {
  json::object resource = BuildDynamicResource();
  const json::value uri = resource.at("uri");
  Toggle(resources_, std::move(resource),
         [&uri](const json::object& one) { return one.at("uri") == uri; });
  Announce(&CatalogListener::ResourcesChanged);
}

std::shared_ptr<void> Catalog::CountSlowWork() {
  ++slow_work_;
  return {nullptr, [this](void*) { --slow_work_; }};
}

void Catalog::RemoveListener(CatalogListener* listener) { std::erase(listeners_, listener); }

void Catalog::Announce(void (CatalogListener::*change)()) {
  pages_.clear();
  for (CatalogListener* listener : listeners_) (listener->*change)();
}

}  // namespace assay::reference
