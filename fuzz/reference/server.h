// A server for the targets: all that connections share, made once, and clean again for each input.

#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/manual_scheduler_for_test.h"
#include "era/services.h"
#include "era/settings.h"
#include "era/state_signer.h"
#include "tasks/task_store.h"

namespace assay::fuzz {

class Server : private reference::CatalogListener {
 public:
  explicit Server(reference::Settings settings);
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Becomes what it was at first. No connection may be left. To be called after an input rather
  // than before the next, lest a sanitizer takes for lost what is kept meanwhile.
  void Reset();

  const reference::Settings& settings() const { return settings_; }
  reference::Catalog& catalog() { return *catalog_; }
  reference::Scheduler& scheduler() { return *scheduler_; }
  reference::Services services() { return {*catalog_, *scheduler_, *tasks_, signer_}; }

  void Advance(std::chrono::milliseconds time) { scheduler_->Advance(time); }

 private:
  void ToolsChanged() override { changed_ = true; }
  void PromptsChanged() override { changed_ = true; }
  void ResourcesChanged() override { changed_ = true; }
  void ResourceUpdated(std::string_view /*uri*/) override { changed_ = true; }

  const reference::Settings settings_;
  const reference::StateSigner signer_;
  bool changed_ = true;  // the catalogue, which is costly to make
  std::optional<reference::Catalog> catalog_;
  std::optional<reference::ManualScheduler> scheduler_;
  std::optional<reference::TaskStore> tasks_;
};

// One for each choice of settings, below kSettings; clean if it was left clean.
inline constexpr std::size_t kSettings = 7;
Server& ServerWith(std::size_t choice);

}  // namespace assay::fuzz
