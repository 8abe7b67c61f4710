// Requests that never got an answer, and what became of the process that owed it.

#include "oracle/process.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::oracle {
namespace {

constexpr Duty kAnswered{"M-BASE-MANDATORY-COMPONENTS", "L-BASE-one-response-per-request"};
constexpr Duty kPingAnswered{"M-BASE-MANDATORY-COMPONENTS", "L-PING-respond"};
constexpr Duty kInitializeAnswered{"M-VER-INITIALIZE-REJECTED", "L-INIT-respond"};
constexpr Duty kDiscoverAnswered{"M-DISCOVER-IMPLEMENTED", "L-BASE-one-response-per-request"};
constexpr Duty kAcknowledged{"M-SUB-ACK-SENT", "L-BASE-one-response-per-request"};
constexpr Duty kAlive{"M-BASE-MANDATORY-COMPONENTS", "L-BASE-support-base-and-lifecycle"};
constexpr Duty kInvalidRequest{"M-ERR-INVALID-REQUEST", "L-BASE-invalid-request"};
constexpr Duty kLeavesNothing{"M-STDIO-EXIT-ON-EOF", "L-INIT-stdio-exit-on-eof"};

const Duty& AnswerDuty(const Sent& request) {
  if (request.kind == Sent::Kind::kMalformed) return kInvalidRequest;
  if (request.method == "ping") return kPingAnswered;
  if (request.method == "initialize") return kInitializeAnswered;
  if (request.method == "server/discover" && request.era == Era::kModern) return kDiscoverAnswered;
  if (request.method == "subscriptions/listen") return kAcknowledged;
  return kAnswered;
}

// Whether the answer was owed beyond doubt.
bool Owed(const Sent& request, const Ledger& ledger) {
  if (request.kind != Sent::Kind::kRequest || request.reused_id || !request.ordinary) return false;
  // Whoever cannot read a message need not answer it; one that is a response as well is none.
  if (!request.ordinary || request.body->Find("result") || request.body->Find("error"))
    return false;
  const Json* meta = request.body->Find("params", "_meta");
  if (meta != nullptr && !meta->is_object()) return false;
  // No limit is set for ids, but many readers of JSON have theirs at 2^53.
  if (request.id->is_number() && std::abs(request.id->AsDouble()) >= 9007199254740992.0)
    return false;
  if (request.era == Era::kModern) return ledger.speaks_modern() && request.envelope.has_version();
  // Before initialize a legacy server may keep silent (legacy-notes 1), but for ping.
  return request.proper || request.session->initialized || request.method == "ping" ||
         request.method == "initialize";
}

void JudgeDropped(const Ledger& ledger, Findings& findings) {
  std::unordered_map<const Session*, std::vector<const Json*>> acknowledged;
  for (const Moment& moment : ledger.moments()) {
    if (moment.received != nullptr && moment.received->kind == Received::Kind::kNotification &&
        moment.received->method() == "notifications/subscriptions/acknowledged") {
      const Json* id = moment.received->body->Find("params", "_meta", kSubscriptionKey);
      if (id != nullptr) acknowledged[moment.session].push_back(id);
    }
    if (moment.event == nullptr || moment.event->event != Entry::Event::kDropped) continue;
    const Sent* request = moment.request;
    if (request == nullptr || request->cancelled_at != kNever) continue;
    if (request->answered_without_id) continue;  // responses.cpp
    if (request->method == "subscriptions/listen") {
      // Its response only comes when the subscription ends; the acknowledgment is what is owed.
      const std::vector<const Json*>& ids = acknowledged[moment.session];
      if (std::any_of(ids.begin(), ids.end(),
                      [request](const Json* id) { return SameId(*id, *request->id); })) {
        continue;
      }
    }
    const std::string name = request->method.empty() ? "A request" : request->method;
    findings.Report(AnswerDuty(*request), request->era, request->revision, moment.at,
                    request->entry->step, name + " was never answered, though a later request was",
                    {.actual = *request->body, .at_most_warn = !Owed(*request, ledger)});
  }
}

// Signals that people and systems send; the others are the server's own doing.
bool SentFromOutside(int signal) {
  constexpr std::array kOutside = {SIGTERM, SIGINT, SIGHUP, SIGKILL, SIGQUIT, SIGPIPE};
  return std::find(kOutside.begin(), kOutside.end(), signal) != kOutside.end();
}

// What a session owes and has been told, while walking through it.
struct Watch {
  std::vector<const Sent*> requests;  // those without an answer are picked out when it matters
  bool all_proper = true;
  bool may_end = false;  // its input was closed, or a signal sent
  bool over = false;
};

const Sent* Unanswered(const Watch& watch, std::size_t at) {
  for (const Sent* request : watch.requests) {
    const bool listening = request->method == "subscriptions/listen";
    if (request->in_flight_at(at) && request->cancelled_at == kNever && !listening &&
        !request->answered_without_id) {
      return request;
    }
  }
  return nullptr;
}

void JudgeEnd(const Ledger& ledger, Findings& findings) {
  std::unordered_map<const Session*, Watch> watches;
  for (const Moment& moment : ledger.moments()) {
    Watch& watch = watches[moment.session];
    if (moment.sent != nullptr) {
      watch.all_proper = moment.sent->all_proper;
      if (moment.sent->kind == Sent::Kind::kRequest) watch.requests.push_back(moment.sent);
    }
    if (moment.event == nullptr || watch.over) continue;
    const Entry& event = *moment.event;
    const Session& session = *moment.session;
    const auto report = [&](const Duty& duty, const Sent* request, const std::string& message,
                            bool at_most_warn) {
      findings.Report(duty, request == nullptr ? session.era : request->era,
                      request == nullptr ? session.revision : request->revision, moment.at,
                      request == nullptr ? event.step : request->entry->step, message,
                      {.actual = Json::String(event.bytes), .at_most_warn = at_most_warn});
      watch.over = true;
    };
    const auto waiting = [](const Sent& request) { return " while " + request.method + " waited"; };
    switch (event.event) {
      case Entry::Event::kInputClosed:
      case Entry::Event::kNone:  // a signal that a step sends
      case Entry::Event::kKilled:
      case Entry::Event::kFlood:
        watch.may_end = true;
        break;
      case Entry::Event::kHang: {
        const Sent* request = Unanswered(watch, moment.at);
        report(request == nullptr ? kAlive : AnswerDuty(*request), request,
               "The server stopped answering", !watch.all_proper || watch.may_end);
        break;
      }
      case Entry::Event::kExited: {
        const Sent* request = Unanswered(watch, moment.at);
        if (event.signal != 0) {
          if (watch.may_end && SentFromOutside(event.signal)) break;
          report(kAlive, request,
                 "The server died of signal " + std::to_string(event.signal) +
                     (request == nullptr ? "" : waiting(*request)),
                 !watch.all_proper || watch.may_end || SentFromOutside(event.signal));
        } else if (!watch.may_end && request != nullptr) {
          report(
              AnswerDuty(*request), request,
              "The server ended with code " + std::to_string(event.exit_code) + waiting(*request),
              !watch.all_proper);
        }
        // Ending by itself with nothing left to answer is permitted.
        break;
      }
      case Entry::Event::kOutputClosed: {
        const Sent* request = Unanswered(watch, moment.at);
        if (!watch.may_end && request != nullptr) {
          report(AnswerDuty(*request), request, "The server closed its stdout" + waiting(*request),
                 !watch.all_proper);
        }
        break;
      }
      default:
        break;
    }
  }
}

void JudgeOrphans(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.event == nullptr || moment.event->event != Entry::Event::kOrphans) continue;
    findings.Report(kLeavesNothing, moment.session->era, moment.session->revision, moment.at,
                    moment.event->step, "Processes of the server were left after it had ended",
                    {.actual = Json::String(moment.event->bytes), .at_most_warn = true});
  }
}

}  // namespace

std::vector<Rule> ProcessRules() {
  return {
      {"request-dropped",
       {kAnswered, kPingAnswered, kInitializeAnswered, kDiscoverAnswered, kAcknowledged,
        kInvalidRequest},
       JudgeDropped},
      {"hang-or-death",
       {kAnswered, kPingAnswered, kInitializeAnswered, kDiscoverAnswered, kAcknowledged, kAlive},
       JudgeEnd},
      {"orphans", {kLeavesNothing}, JudgeOrphans},
  };
}

}  // namespace assay::oracle
