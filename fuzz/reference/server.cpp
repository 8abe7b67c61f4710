#include "fuzz/reference/server.h"

#include <array>
#include <utility>

#include "fuzz/reference/counted_random.h"
#include "random/random.h"

namespace assay::fuzz {
namespace {

using reference::EraSupport;
using reference::Settings;
using reference::TaskDialect;

Settings SettingsFor(std::size_t choice) {
  switch (choice) {
    case 1:
      return {.lock_legacy = false, .lock_modern = false};
    case 2:
      return {.eras = EraSupport::kLegacyOnly};
    case 3:
      return {.eras = EraSupport::kModernOnly};
    case 4:
      return {.tasks = TaskDialect::kHandle};
    case 5:
      return {.page_size = 3};
    case 6:
      return {.tasks = TaskDialect::kOff};
    default:
      return {};
  }
}

}  // namespace

Server::Server(Settings settings)
    : settings_(std::move(settings)), signer_(reference::NewSecretKey(), settings_.state_lifetime) {
  Reset();
}

Server::~Server() { catalog_->RemoveListener(this); }

void Server::Reset() {
  tasks_.reset();
  scheduler_.emplace();
  if (std::exchange(changed_, false)) {
    catalog_.emplace(settings_.page_size);
    catalog_->AddListener(this);
  } else {
    catalog_->carts() = reference::Carts();
  }
  tasks_.emplace(*catalog_, *scheduler_);
  ResetRandom();
}

Server& ServerWith(std::size_t choice) {
  static std::array<std::unique_ptr<Server>, kSettings> servers;
  std::unique_ptr<Server>& server = servers.at(choice);
  if (server == nullptr) server = std::make_unique<Server>(SettingsFor(choice));
  return *server;
}

}  // namespace assay::fuzz
