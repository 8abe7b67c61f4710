// Modern subscriptions: acknowledged first, tagged always, nothing that was not asked for.

#include "oracle/subscriptions.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "oracle/conduct.h"

namespace assay::oracle {
namespace {

constexpr std::string_view kAcknowledged = "notifications/subscriptions/acknowledged";

constexpr Duty kAckSent{"M-SUB-ACK-SENT", ""};
constexpr Duty kAckFirst{"M-SUB-NOTHING-BEFORE-ACK", ""};
constexpr Duty kAckOnce{"M-SUB-ACK-ONCE", ""};
constexpr Duty kAckSubset{"M-SUB-ACK-SUBSET", ""};
constexpr Duty kAckUnsupported{"M-SUB-ACK-OMITS-UNSUPPORTED", ""};
constexpr Duty kAckTasks{"T-NOTIF-ACK-TASKIDS", ""};
constexpr Duty kOptIn{"M-SUB-OPT-IN-ONLY", ""};
constexpr Duty kUriOptIn{"M-SUB-URI-OPT-IN-ONLY", ""};
constexpr Duty kTaskOptIn{"T-NOTIF-ONLY-SUBSCRIBED", ""};
constexpr Duty kOnlyViaListen{"M-SUB-ONLY-VIA-LISTEN", ""};
constexpr Duty kTagged{"M-SUB-ID-ON-EVERY-NOTIFICATION", ""};
constexpr Duty kTaskTagged{"T-NOTIF-SUBSCRIPTION-ID", ""};
constexpr Duty kTagValue{"M-SUB-ID-VALUE", ""};
constexpr Duty kTagElsewhere{"M-SUB-ID-NOT-ELSEWHERE", ""};
constexpr Duty kNoLogs{"M-LOG-NOT-ON-LISTEN", ""};
constexpr Duty kOnlyTaskNews{"T-NOTIF-NO-PROGRESS-ON-LISTEN", ""};
constexpr Duty kAfterCancel{"M-SUB-CLIENT-CANCEL", ""};
constexpr Duty kAfterResult{"M-SUB-CLOSE-AFTER-RESULT", ""};
constexpr Duty kResultShape{"M-SUB-GRACEFUL-SHAPE", ""};

// The members of a filter that are flags, with the notification each lets through and the server
// capability behind it.
struct Flag {
  std::string_view member;
  std::string_view method;
  std::string_view capability;
};
constexpr Flag kFlags[] = {
    {"toolsListChanged", "notifications/tools/list_changed", "tools"},
    {"promptsListChanged", "notifications/prompts/list_changed", "prompts"},
    {"resourcesListChanged", "notifications/resources/list_changed", "resources"},
};

struct Subscription {
  const Sent* listen = nullptr;
  bool acknowledged = false;
};

struct Watch {
  std::unordered_map<std::string, Subscription> by_id;
  std::size_t newest_answered = 0;
};

bool True(const Json* filter, std::string_view member) {
  const Json* value = filter == nullptr ? nullptr : filter->Find(member);
  return value != nullptr && value->is_boolean() && value->boolean();
}

const Json* FilterOf(const Sent& listen) {
  return listen.params() == nullptr ? nullptr : listen.params()->Find("notifications");
}

// Whether `uri` is in the list `member` of the filter, or lies below one that is.
bool Lists(const Json* filter, std::string_view member, const std::string& uri) {
  const Json* list = filter == nullptr ? nullptr : filter->Find(member);
  if (list == nullptr) return false;
  return std::any_of(list->items().begin(), list->items().end(), [&](const Json& item) {
    return item.is_string() && uri.rfind(item.text(), 0) == 0;
  });
}

bool IsChange(const std::string& method) {
  return method == "notifications/resources/updated" || method == "notifications/tasks" ||
         std::any_of(std::begin(kFlags), std::end(kFlags),
                     [&](const Flag& flag) { return flag.method == method; });
}

bool Active(const Subscription& subscription, std::size_t at) {
  return subscription.listen->in_flight_at(at) && subscription.listen->cancelled_at > at;
}

class SubscriptionWalk {
 public:
  explicit SubscriptionWalk(Findings& findings) : findings_(findings) {}

  void Look(const Moment& moment) {
    Watch& watch = watches_[moment.session];
    if (moment.sent != nullptr) {
      if (moment.sent->id != nullptr && moment.sent->method == "subscriptions/listen") {
        watch.by_id[IdKey(*moment.sent->id)] = {moment.sent};
      }
      return;
    }
    if (moment.received == nullptr) return;
    const Received& received = *moment.received;
    if (received.is_response()) {
      if (received.request != nullptr) {
        watch.newest_answered = std::max(watch.newest_answered, received.request->at);
      }
      if (received.kind == Received::Kind::kResult) JudgeResult(received, watch);
    } else if (received.kind == Received::Kind::kNotification && received.session->only_modern()) {
      JudgeNotification(received, watch);
    }
  }

 private:
  void JudgeResult(const Received& received, const Watch& watch) {
    const Sent* listen = received.request;
    if (listen == nullptr || listen->method != "subscriptions/listen" ||
        listen->answer != &received || listen->reused_id || received.era != Era::kModern) {
      return;
    }
    // Elsewhere notifications are not looked at.
    if (!watch.by_id.at(IdKey(*listen->id)).acknowledged && received.session->only_modern()) {
      findings_.Report(kAckSent, received, "A subscription was ended that never was acknowledged");
    }
    const Json* tag = received.result()->Find("_meta", kSubscriptionKey);
    if (tag != nullptr && !SameId(*tag, *listen->id)) {
      findings_.Report(kResultShape, received,
                       "The result of subscriptions/listen has another subscriptionId",
                       {.expected = *listen->id, .actual = *tag});
    }
  }

  void JudgeNotification(const Received& received, Watch& watch) {
    const std::string method = received.method();
    const bool change = IsChange(method);
    const Json* tag = received.body->Find("params", "_meta", kSubscriptionKey);
    if (tag == nullptr) {
      if (change || method == kAcknowledged) JudgeUntagged(received, watch);
      return;
    }
    if (!change && method != kAcknowledged) {
      JudgeTaggedOther(received, method, watch, *tag);
      return;
    }
    const auto found = watch.by_id.find(IdKey(*tag));
    if (found == watch.by_id.end() || !SameId(*found->second.listen->id, *tag)) {
      findings_.Report(watch.by_id.empty() && change ? kOnlyViaListen : kTagValue, received,
                       method + " carries a subscriptionId that no listen request had",
                       {.actual = *tag});
      return;
    }
    Subscription& subscription = found->second;
    JudgeTime(received, method, watch, subscription);
    if (method == kAcknowledged) {
      JudgeAcknowledgment(received, subscription);
    } else {
      JudgeChange(received, method, subscription);
    }
  }

  void JudgeUntagged(const Received& received, const Watch& watch) {
    const std::string method = received.method();
    const bool any = std::any_of(watch.by_id.begin(), watch.by_id.end(), [&](const auto& entry) {
      return Active(entry.second, received.at);
    });
    if (!any) {
      findings_.Report(kOnlyViaListen, received, method + " came without a subscription");
    } else {
      // The examples of both pages leave it out (modern-notes A25, B6), the sentences do not.
      findings_.Report(method == "notifications/tasks" ? kTaskTagged : kTagged, received,
                       method + " has no subscriptionId");
    }
  }

  void JudgeTaggedOther(const Received& received, const std::string& method, const Watch& watch,
                        const Json& tag) {
    const auto found = watch.by_id.find(IdKey(tag));
    const Json* filter = found == watch.by_id.end() ? nullptr : FilterOf(*found->second.listen);
    const bool of_task = filter != nullptr && filter->Find("taskIds") != nullptr;
    if (of_task && (method == "notifications/message" || method == "notifications/progress")) {
      findings_.Report(kOnlyTaskNews, received, method + " was sent on the subscription of a task");
    } else if (method == "notifications/message") {
      findings_.Report(kNoLogs, received, "A log message was sent on a subscription");
    } else if (method != "notifications/cancelled") {  // which page counts there is open (A9)
      findings_.Report(kTagElsewhere, received, method + " carries a subscriptionId");
    }
  }

  void JudgeTime(const Received& received, const std::string& method, const Watch& watch,
                 const Subscription& subscription) {
    const Sent& listen = *subscription.listen;
    if (method != kAcknowledged && !subscription.acknowledged) {
      findings_.Report(kAckFirst, received, method + " came before the acknowledgment");
    }
    if (listen.answered_at < received.at) {
      findings_.Report(kAfterResult, received, method + " came after the subscription had ended");
    } else if (listen.cancelled_at < received.at && watch.newest_answered > listen.cancelled_at) {
      findings_.Report(kAfterCancel, received,
                       method + " came after the subscription was cancelled",
                       {.at_most_warn = true});
    }
  }

  void JudgeAcknowledgment(const Received& received, Subscription& subscription) {
    if (subscription.acknowledged) {
      findings_.Report(kAckOnce, received, "A subscription was acknowledged twice");
      return;
    }
    subscription.acknowledged = true;
    if (subscription.listen->reused_id) return;  // which of them it is for is open
    const Json* asked = FilterOf(*subscription.listen);
    const Json* granted = received.params()->Find("notifications");
    if (granted == nullptr || !granted->is_object()) return;  // its shape tells
    const Json* capabilities = received.session->modern_capabilities;
    for (const Flag& flag : kFlags) {
      const std::string name(flag.member);
      const Json* value = granted->Find(flag.member);
      const bool supported =
          capabilities == nullptr || True(capabilities->Find(flag.capability), "listChanged");
      if (True(granted, flag.member) && !True(asked, flag.member)) {
        findings_.Report(kAckSubset, received,
                         "The acknowledgment grants " + name + ", which was not asked for");
      } else if (value != nullptr && !supported) {
        findings_.Report(kAckUnsupported, received,
                         "The acknowledgment names " + name + ", which the server does not support",
                         {.at_most_warn = !True(granted, flag.member)});
      }
    }
    JudgeGrantedList(received, asked, *granted, "resourceSubscriptions", kAckSubset);
    JudgeGrantedList(received, asked, *granted, "taskIds", kAckTasks);
  }

  void JudgeGrantedList(const Received& received, const Json* asked, const Json& granted,
                        std::string_view member, const Duty& duty) {
    const Json* list = granted.Find(member);
    if (list == nullptr) return;
    std::set<std::string> wanted;
    if (const Json* wishes = asked == nullptr ? nullptr : asked->Find(member)) {
      for (const Json& item : wishes->items()) wanted.insert(item.text());
    }
    for (const Json& item : list->items()) {
      if (!item.is_string() || wanted.count(item.text()) > 0) continue;
      findings_.Report(
          duty, received,
          "The acknowledgment lists in " + std::string(member) + " what was not asked for",
          {.actual = item});
      return;
    }
  }

  void JudgeChange(const Received& received, const std::string& method,
                   const Subscription& subscription) {
    const Json* filter = FilterOf(*subscription.listen);
    if (method == "notifications/resources/updated") {
      const std::string uri = received.params()->FindString("uri").value_or("");
      if (!Lists(filter, "resourceSubscriptions", uri)) {
        findings_.Report(kUriOptIn, received, "An update came for a resource nobody asked about",
                         {.actual = Json::String(uri)});
      }
      return;
    }
    if (method == "notifications/tasks") {
      const std::string id = received.params()->FindString("taskId").value_or("");
      if (!Lists(filter, "taskIds", id)) {
        findings_.Report(kTaskOptIn, received, "News came of a task nobody asked about",
                         {.actual = Json::String(id)});
      }
      return;
    }
    for (const Flag& flag : kFlags) {
      if (flag.method == method && !True(filter, flag.member)) {
        findings_.Report(kOptIn, received, method + " was not asked for");
      }
    }
  }

  Findings& findings_;
  std::unordered_map<const Session*, Watch> watches_;
};

void JudgeSubscriptions(const Ledger& ledger, Findings& findings) {
  if (!ledger.speaks_modern() || ledger.shared()) return;
  SubscriptionWalk walk(findings);
  for (const Moment& moment : ledger.moments()) walk.Look(moment);
}

}  // namespace

std::vector<Rule> SubscriptionRules() {
  return {{"subscriptions",
           {kAckSent, kAckFirst, kAckOnce, kAckSubset, kAckUnsupported, kAckTasks, kOptIn,
            kUriOptIn, kTaskOptIn, kOnlyViaListen, kTagged, kTaskTagged, kTagValue, kTagElsewhere,
            kNoLogs, kOnlyTaskNews, kAfterCancel, kAfterResult, kResultShape},
           JudgeSubscriptions}};
}

}  // namespace assay::oracle
