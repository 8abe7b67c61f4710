// A session of the legacy era: opened by `initialize`, served by the revision negotiated there.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "era/calls.h"
#include "era/client_requests.h"
#include "era/legacy_tasks.h"
#include "era/outbox.h"
#include "era/services.h"
#include "era/settings.h"
#include "protocol/log_level.h"
#include "protocol/message.h"
#include "protocol/revision.h"

namespace assay::reference {

class LegacySession : private CatalogListener {
 public:
  LegacySession(const Services& services, const Settings& settings, Calls& calls, Outbox& outbox,
                ClientRequests& client_requests);
  ~LegacySession() override;
  LegacySession(const LegacySession&) = delete;
  LegacySession& operator=(const LegacySession&) = delete;

  /// Before `initialize` is answered everything but `initialize` and `ping` is refused; from then
  /// on everything is served, whether or not notifications/initialized came.
  void Handle(const Request& request, const ReplyTo& to);

  /// Whether the request waits for a task to end.
  bool IsWaiting(const std::string& id_key) const { return tasks_.IsWaiting(id_key); }
  /// The client cancelled a request that waits; false if there is none.
  bool Cancel(const std::string& id_key) { return tasks_.Cancel(id_key); }

  bool initialized() const { return revision_.has_value(); }
  /// Batches exist in 2025-03-26 only.
  bool accepts_batches() const { return revision_ == Revision::k2025_03_26; }

 private:
  Outcome Initialize(const Request& request);
  bool HasTasks() const;
  Outcome SetLevel(const Request& request);
  Outcome Subscribe(const Request& request, bool subscribe);

  void ToolsChanged() override;
  void PromptsChanged() override;
  void ResourcesChanged() override;
  void ResourceUpdated(std::string_view uri) override;

  Catalog& catalog_;
  const Settings& settings_;
  Calls& calls_;
  Outbox& outbox_;
  /// Its own name, which nobody else can guess.
  const std::string name_;
  LegacyTasks tasks_;
  std::optional<Revision> revision_;
  boost::json::object client_capabilities_;
  /// Until the client sets a level the choice is the server's (server/utilities/logging).
  LogLevel log_level_ = LogLevel::kInfo;
  std::set<std::string, std::less<>> subscribed_;
};

}  // namespace assay::reference
