// The modern era: every request stands alone and says in its envelope how it wants to be served.
// The only state is the subscriptions that are open.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "era/calls.h"
#include "era/outbox.h"
#include "era/services.h"
#include "era/settings.h"
#include "protocol/envelope.h"
#include "protocol/message.h"
#include "tasks/task_store.h"

namespace assay::reference {

class ModernService : private CatalogListener, private TaskListener {
 public:
  ModernService(const Services& services, const Settings& settings, Calls& calls, Outbox& outbox);
  ~ModernService() override;
  ModernService(const ModernService&) = delete;
  ModernService& operator=(const ModernService&) = delete;

  void Handle(const Request& request, const ReplyTo& to);

  bool IsListening(const std::string& id_key) const { return subscriptions_.contains(id_key); }

  /// The client ended a subscription: nothing more is sent for it. False if there is none.
  bool Cancel(const std::string& id_key);

  /// The server ends every subscription: each gets notifications/cancelled
  /// (basic/patterns/cancellation) and then its result (subscriptions#graceful-closure).
  void EndSubscriptions();

 private:
  struct Subscription {
    ReplyTo to;
    std::string id;  // JSON text
    bool tools = false;
    bool prompts = false;
    bool resources = false;
    std::set<std::string, std::less<>> uris;
    std::set<std::string, std::less<>> tasks;
  };

  void Dispatch(const Request& request, const Envelope& envelope, const ReplyTo& to);
  Outcome Discover(Revision revision) const;
  std::optional<Outcome> AnswerTasks(const Request& request, const Envelope& envelope);
  /// A prompt may have questions too; `answers` gets what the client brings along.
  std::optional<Outcome> AskForPrompt(const Request& request, const Envelope& envelope,
                                      boost::json::object& answers) const;
  void Listen(const Request& request, const Envelope& envelope, const ReplyTo& to);
  void Notify(const Subscription& subscription, std::string_view method,
              const boost::json::object& params);
  void Announce(bool Subscription::*wanted, std::string_view method);

  void ToolsChanged() override;
  void PromptsChanged() override;
  void ResourcesChanged() override;
  void ResourceUpdated(std::string_view uri) override;
  void TaskChanged(const Task& task) override;

  const Services services_;
  const Settings& settings_;
  Catalog& catalog_;
  Calls& calls_;
  Outbox& outbox_;
  std::map<std::string, Subscription, std::less<>> subscriptions_;  // by RequestId::key
};

}  // namespace assay::reference
