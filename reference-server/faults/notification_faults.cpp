// What goes wrong with notifications of changes, in both eras.
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>

#include "faults/fault_list.h"
#include "protocol/envelope.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

bool IsListChanged(const FaultyMessage& notification) {
  return notification.method.ends_with("/list_changed");
}

bool IsAcknowledgement(const FaultyMessage& notification) {
  return notification.method == "notifications/subscriptions/acknowledged";
}

/// Null on a notification that does not belong to a subscription.
json::value* SubscriptionId(FaultyMessage& notification) {
  json::value* params = notification.message.if_contains("params");
  json::value* meta = params == nullptr ? nullptr : params->as_object().if_contains("_meta");
  return meta == nullptr ? nullptr : meta->as_object().if_contains(kSubscriptionIdKey);
}

Script WrongListChangedMethod() {
  return {.notification = [](FaultyMessage& notification) {
    if (!IsListChanged(notification)) return;
    constexpr std::string_view kPrefix = "notifications/";
    notification.message["method"] = notification.method.substr(kPrefix.size());
    notification.changed = true;
  }};
}

Script ListChangedUndeclared() {
  return {.answer = [](FaultyMessage& answer) {
    json::object* result = answer.result();
    if (result == nullptr || answer.is_modern) return;
    if (answer.method == "initialize") {
      result->at("capabilities").at("tools").as_object()["listChanged"] = false;
    } else if (answer.method == "tools/list") {
      answer.fault.Write(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"
                         "\n");
    }
  }};
}

Script ChangesNotAnnounced() {
  return {.notification = [](FaultyMessage& notification) {
    notification.drop = IsListChanged(notification) && SubscriptionId(notification) == nullptr;
  }};
}

Script UpdatesNotSent() {
  return {.notification = [](FaultyMessage& notification) {
    notification.drop = notification.method == "notifications/resources/updated" &&
                        SubscriptionId(notification) == nullptr;
  }};
}

Script UnsubscribeIgnored() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "resources/unsubscribe") return;
    (*line.message)["method"] = "resources/subscribe";
    line.changed = true;
  }};
}

Script NotificationBeforeInitialize() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "initialize") return;
    line.fault.Write(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"
                     "\n");
  }};
}

Script BadLineLogged() {
  return {.answer = [](FaultyMessage& answer) {
    const json::object* error = answer.error();
    if (error == nullptr || error->at("code") != json::value(-32700)) return;
    answer.fault.Write(R"({"jsonrpc":"2.0","method":"notifications/message",)"
                       R"("params":{"level":"error","data":"Internal Server Error"}})"
                       "\n");
  }};
}

Script FalseFilterSubscribes() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "subscriptions/listen") return;
    json::value* params = line.message->if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    json::value* filter = params->get_object().if_contains("notifications");
    if (filter == nullptr || !filter->is_object()) return;
    for (auto& entry : filter->get_object()) {
      if (entry.value() == json::value(false)) entry.value() = true;
    }
    line.changed = true;
  }};
}

Script EverythingSubscribed() {
  return {.line = [](FaultyLine& line) {
    if (!line.is_request || line.method != "subscriptions/listen") return;
    json::value* params = line.message->if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    json::value* filter = params->get_object().if_contains("notifications");
    if (filter == nullptr || !filter->is_object()) return;
    for (const std::string_view name :
         {"toolsListChanged", "promptsListChanged", "resourcesListChanged"}) {
      filter->get_object()[name] = true;
    }
    line.changed = true;
  }};
}

Script ListenDeliversNothing() {
  return {.notification = [](FaultyMessage& notification) {
    notification.drop = SubscriptionId(notification) != nullptr && !IsAcknowledgement(notification);
  }};
}

Script NoAcknowledgement() {
  return {.notification = [](FaultyMessage& notification) {
    notification.drop = IsAcknowledgement(notification);
  }};
}

Script ListenAnsweredAtOnce() {
  return {.notification = [](FaultyMessage& notification) {
    if (!IsAcknowledgement(notification)) return;
    const json::value id = *SubscriptionId(notification);
    const json::object answer{
        {"jsonrpc", "2.0"},
        {"id", id},
        {"result", json::object{{"resultType", "complete"},
                                {"_meta", json::object{{kSubscriptionIdKey, id}}}}}};
    notification.fault.SendOn({OutgoingMessage::Kind::kAnswer, "subscriptions/listen",
                               json::serialize(id), json::serialize(answer) + "\n"});
    notification.drop = true;
  }};
}

Script AcknowledgedLate() {
  const auto held = std::make_shared<std::string>();
  return {.answer =
              [held](FaultyMessage& answer) {
                if (!held->empty()) answer.fault.Write(std::exchange(*held, {}));
              },
          .notification =
              [held](FaultyMessage& notification) {
                notification.drop = IsAcknowledgement(notification);
                if (notification.drop) *held = json::serialize(notification.message) + "\n";
              }};
}

Script SubscriptionIdMissing() {
  return {.notification = [](FaultyMessage& notification) {
    if (IsAcknowledgement(notification) || SubscriptionId(notification) == nullptr) return;
    notification.message.at("params").as_object().stable_erase("_meta");
    notification.changed = true;
  }};
}

Script SubscriptionIdAsString() {
  return {.notification = [](FaultyMessage& notification) {
    json::value* id = SubscriptionId(notification);
    if (id == nullptr || id->is_string()) return;
    *id = json::serialize(*id);
    notification.changed = true;
  }};
}

Script ListenCancelIgnored() {
  struct State {
    json::array listening;
  };
  return {.line = [state = State()](FaultyLine& line) mutable {
    if (line.message == nullptr) return;
    if (line.is_request && line.method == "subscriptions/listen") {
      state.listening.push_back(line.message->at("id"));
    }
    if (line.is_request || line.method != "notifications/cancelled") return;
    const json::value* params = line.message->if_contains("params");
    if (params == nullptr || !params->is_object()) return;
    const json::value* id = params->get_object().if_contains("requestId");
    if (id == nullptr) return;
    for (const json::value& known : state.listening) line.drop = line.drop || known == *id;
  }};
}

Script AcknowledgesMoreThanAsked() {
  return {.notification = [](FaultyMessage& notification) {
    if (!IsAcknowledgement(notification)) return;
    json::object& filter = notification.message.at("params").at("notifications").as_object();
    for (const std::string_view name :
         {"toolsListChanged", "promptsListChanged", "resourcesListChanged"}) {
      filter[name] = true;
    }
    notification.changed = true;
  }};
}

}  // namespace

std::vector<NamedFault> NotificationFaults() {
  return {
      {"wrong-list-changed-method", "L-TOOLS-list-changed", "BUG-168",
       "announces changes with a method without notifications/", WrongListChangedMethod},
      {"list-changed-undeclared", "L-INIT-notifications-only-declared", "BUG-169",
       "announces changes of its tools although listChanged is false", ListChangedUndeclared},
      {"changes-not-announced", "L-PROMPT-list-changed", "BUG-176",
       "does not announce changes of its lists in the legacy era", ChangesNotAnnounced},
      {"updates-not-sent", "L-RES-updated-after-change", "BUG-176",
       "does not announce changes of a subscribed resource in the legacy era", UpdatesNotSent},
      {"unsubscribe-ignored", "L-RES-unsubscribe-stops", "BUG-154",
       "goes on announcing changes after unsubscribe", UnsubscribeIgnored},
      {"notification-before-initialize", "L-INIT-first-interaction", "BUG-178",
       "announces a change before it answers initialize", NotificationBeforeInitialize},
      {"bad-line-logged", "M-LOG-OPT-IN", "BUG-179",
       "sends a log message for every line that is not JSON", BadLineLogged},
      {"false-filter-subscribes", "M-SUB-ACK-SUBSET", "BUG-172",
       "takes a false filter entry for a wanted one", FalseFilterSubscribes},
      {"everything-subscribed", "M-SUB-OPT-IN-ONLY", "BUG-172",
       "delivers every list change to every subscription", EverythingSubscribed},
      {"listen-delivers-nothing", "M-TOOLS-LIST-CHANGED", "BUG-173",
       "acknowledges subscriptions and delivers nothing", ListenDeliversNothing},
      {"no-acknowledgement", "M-SUB-ACK-SENT", "BUG-173", "does not acknowledge subscriptions",
       NoAcknowledgement},
      {"acknowledged-late", "M-SUB-ACK-FIRST", "BUG-173",
       "acknowledges a subscription only after the next answer", AcknowledgedLate},
      {"listen-answered-at-once", "M-BASE-MANDATORY-COMPONENTS", "BUG-173",
       "answers subscriptions/listen at once, without an acknowledgement", ListenAnsweredAtOnce},
      {"acknowledges-too-much", "M-SUB-ACK-SUBSET", "BUG-172",
       "acknowledges types of notifications that nobody asked for", AcknowledgesMoreThanAsked},
      {"subscription-id-missing", "M-SUB-ID-ON-EVERY-NOTIFICATION", "BUG-103",
       "delivers notifications without their subscription id", SubscriptionIdMissing},
      {"subscription-id-as-string", "M-SUB-ID-VALUE", "BUG-103",
       "writes a numeric subscription id as a string", SubscriptionIdAsString},
      {"listen-cancel-ignored", "M-SUB-CLIENT-CANCEL", "BUG-110",
       "goes on delivering after a subscription was cancelled", ListenCancelIgnored},
  };
}

}  // namespace assay::reference
