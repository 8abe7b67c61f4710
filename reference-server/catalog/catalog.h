// Everything the server offers, and the few things that can change about it while it runs. One
// catalogue serves all connections of a process. It knows nothing of messages or eras.
#pragma once

#include <boost/json.hpp>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "catalog/carts.h"
#include "catalog/prompts.h"
#include "catalog/resources.h"
#include "catalog/tool.h"
#include "protocol/answer.h"
#include "protocol/revision.h"

namespace assay::reference {

/// Hears of changes, at the moment they happen.
class CatalogListener {
 public:
  virtual ~CatalogListener() = default;
  virtual void ToolsChanged() = 0;
  virtual void PromptsChanged() = 0;
  virtual void ResourcesChanged() = 0;
  virtual void ResourceUpdated(std::string_view uri) = 0;
};

enum class ListKind : unsigned char { kTools, kPrompts, kResources, kTemplates };

class Catalog {
 public:
  /// Lists are cut into pages of that many items, or not at all.
  explicit Catalog(std::optional<std::size_t> page_size = std::nullopt, Carts carts = Carts());

  /// The complete result of a list request, made once for each revision and page, so that repeated
  /// lists are identical byte for byte. Nothing if the cursor is not one of this list.
  std::optional<ResultText> List(ListKind kind, Revision revision,
                                 std::optional<std::string_view> cursor);

  const Tool* FindTool(std::string_view name) const;
  const Prompt* FindPrompt(std::string_view name) const;
  const std::vector<boost::json::object>& resources() const { return resources_; }
  const std::vector<boost::json::object>& templates() const { return templates_; }
  /// Whether `uri` can be read: a listed resource, or one that a template gives.
  bool HasResource(std::string_view uri) const;
  std::variant<boost::json::array, UnknownResource, FailedResource> Read(
      std::string_view uri) const;

  void TouchWatchedResource();
  void ToggleDynamicTool();
  void ToggleDynamicPrompt();
  void ToggleDynamicResource();

  Carts& carts() { return carts_; }

  /// Counts one piece of slow work for as long as the returned pointer lives.
  std::shared_ptr<void> CountSlowWork();
  int SlowWork() const { return slow_work_; }

  /// The listener is not owned and must take itself off before it goes.
  void AddListener(CatalogListener* listener) { listeners_.push_back(listener); }
  void RemoveListener(CatalogListener* listener);

 private:
  std::vector<boost::json::object> Definitions(ListKind kind) const;
  void Announce(void (CatalogListener::*change)());

  std::optional<std::size_t> page_size_;
  Carts carts_;
  std::deque<Tool> tools_;
  std::vector<Prompt> prompts_;
  std::vector<boost::json::object> resources_;
  std::vector<boost::json::object> templates_;
  int touches_ = 0;
  int slow_work_ = 0;
  std::vector<CatalogListener*> listeners_;
  /// By kind, revision and offset; emptied by every change.
  std::map<std::tuple<ListKind, Revision, std::size_t>, ResultText> pages_;
};

}  // namespace assay::reference
