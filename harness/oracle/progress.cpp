// Progress: only for a token in flight, strictly upwards, and over when the request is.

#include "oracle/progress.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "oracle/conduct.h"
#include "oracle/order.h"

namespace assay::oracle {
namespace {

constexpr Duty kKnown{"M-PROG-ACTIVE-TOKEN-ONLY", "L-PROGRESS-known-token"};
constexpr Duty kOnlyWithToken{"M-PROG-ACTIVE-TOKEN-ONLY", "L-PROGRESS-none-without-token"};
constexpr Duty kIdentity{"M-PROG-TOKEN-IDENTITY", "L-PROGRESS-known-token"};
constexpr Duty kIncreases{"M-PROG-INCREASES", "L-PROGRESS-increasing"};
constexpr Duty kStops{"M-PROG-STOPS", "L-PROGRESS-stops"};
constexpr Duty kStopsWithError{"M-PROG-STOPS", "L-PROGRESS-in-progress-only"};
constexpr Duty kTaskToken{"", "L-PROGRESS-task-token-continues", "2025-11-25"};
constexpr Duty kReadable{"", "L-PROGRESS-message", "2025-03-26"};
constexpr Duty kTaskStops{"T-NOTIF-NO-PROGRESS-FOR-TASKS", "L-PROGRESS-task-stops-terminal",
                          "2025-11-25"};
constexpr Duty kAfterCancel{"M-STDIO-CANCEL-NO-FURTHER-MESSAGES", ""};

// One token that a request gave.
struct Token {
  const Sent* request = nullptr;
  const Received* last = nullptr;        // the latest progress
  const Received* task_ended = nullptr;  // what told it first
  bool ambiguous = false;                // two requests gave it at the same time
};

struct Watch {
  std::unordered_map<std::string, Token> tokens;
  std::unordered_map<std::string, std::string> token_of_task;  // legacy tasks go on with theirs
  std::size_t newest_answered = 0;
  bool broken_input = false;  // a line of ours that was no JSON may have held a token
};

bool Terminal(const std::string& status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

// The other way to write the token: 1 for "1" and the reverse.
std::optional<Json> OtherType(const Json& token) {
  if (token.is_number()) return Json::String(token.text());
  if (token.is_string() && IsJsonNumber(token.text())) return Json::Number(token.text());
  return std::nullopt;
}

Token* FindToken(Watch& watch, const Json& token) {
  const auto it = watch.tokens.find(IdKey(token));
  return it == watch.tokens.end() ? nullptr : &it->second;
}

bool TaskGoesOn(const Sent& request) {
  return request.answer != nullptr && request.answer->kind == Received::Kind::kResult &&
         request.era == Era::kLegacy && request.answer->result()->Find("task") != nullptr;
}

void JudgeOne(const Ledger& ledger, const Moment& moment, Watch& watch, Findings& findings) {
  const Received& note = *moment.received;
  const Json* params = note.params();
  const Json* token = params == nullptr ? nullptr : params->Find("progressToken");
  if (token == nullptr || !IsRequestId(*token)) return;  // its shape tells
  Token* known = FindToken(watch, *token);
  if (known == nullptr) {
    const std::optional<Json> other = OtherType(*token);
    if (other && FindToken(watch, *other) != nullptr) {
      findings.Report(kIdentity, note, "Progress has its token in another JSON type",
                      {.expected = *other, .actual = *token});
    } else if (token->is_string() && watch.token_of_task.contains(token->text())) {
      findings.Report(kTaskToken, note, "Progress of a task has the task's id as its token",
                      {.actual = *token});
    } else if (watch.tokens.empty()) {
      findings.Report(kOnlyWithToken, note, "Progress came though no request had asked for it",
                      {.actual = *token, .at_most_warn = watch.broken_input});
    } else {
      findings.Report(kKnown, note, "Progress has a token that no request gave",
                      {.actual = *token, .at_most_warn = watch.broken_input});
    }
    return;
  }
  if (known->ambiguous) return;
  const Sent& request = *known->request;
  const std::string of = " for " + request.method;
  // Both pages leave room after a cancellation (modern-notes A7), and none at all is left when
  // something sent later was answered already.
  if (request.cancelled_at < moment.at &&
      watch.newest_answered > ledger.TakenInAt(request.cancelled_at) &&
      ledger.TakenInBefore(request, request.cancelled_at)) {
    findings.Report(kAfterCancel, note, "Progress" + of + " came after its cancellation",
                    {.at_most_warn = true});
  }
  if (request.answered_at < moment.at) {
    // On another stream it should not have come at all, and may have come late.
    const Detail late{.at_most_warn =
                          request.answer == nullptr || !SameStream(note, *request.answer)};
    if (request.answer != nullptr && request.answer->kind == Received::Kind::kError) {
      findings.Report(kStopsWithError, note,
                      "Progress" + of + " came after it was answered with an error", late);
    } else if (!TaskGoesOn(request)) {
      findings.Report(kStops, note, "Progress" + of + " came after its response", late);
    } else if (known->task_ended != nullptr && SameStream(note, *known->task_ended)) {
      findings.Report(kTaskStops, note, "Progress" + of + " came after the task had ended");
    }
  }
  const Json* message = params->Find("message");
  if (message != nullptr && message->is_string() &&
      message->text().find_first_not_of(" \t\r\n") == std::string::npos) {
    findings.Report(kReadable, note, "Progress" + of + " has a message without words",
                    {.actual = *message});
  }
  const Json* progress = params->Find("progress");
  if (progress == nullptr || !progress->is_number()) return;
  if (known->last != nullptr && SameStream(note, *known->last)) {
    const std::string& before = known->last->params()->Find("progress")->text();
    if (CompareNumbers(progress->text(), before) <= 0) {
      findings.Report(kIncreases, note, "Progress" + of + " does not increase",
                      {.expected = Json::String("more than " + before), .actual = *progress});
    }
  }
  known->last = &note;
}

void NoteTask(const Received& result, Watch& watch) {
  const Sent& request = *result.request;
  const Json* body = result.result();
  if (const Json* task = body->Find("task")) {
    const auto id = task->FindString("taskId");
    if (id && request.envelope.progress_token != nullptr) {
      watch.token_of_task[*id] = IdKey(*request.envelope.progress_token);
    }
  }
  const auto id = body->FindString("taskId");
  if (!id || !Terminal(body->FindString("status").value_or(""))) return;
  const auto token = watch.token_of_task.find(*id);
  if (token == watch.token_of_task.end()) return;
  Token& ended = watch.tokens[token->second];
  if (ended.task_ended == nullptr) ended.task_ended = &result;
}

void JudgeProgress(const Ledger& ledger, Findings& findings) {
  if (ledger.shared()) return;  // the token may be another exchange's
  std::unordered_map<const Session*, Watch> watches;
  for (const Moment& moment : ledger.moments()) {
    Watch& watch = watches[moment.session];
    if (moment.sent != nullptr) {
      watch.broken_input |= moment.sent->kind == Sent::Kind::kUnreadable;
      const Json* token = moment.sent->envelope.progress_token;
      if (token != nullptr && moment.sent->id != nullptr) {
        Token& given = watch.tokens[IdKey(*token)];
        const bool taken = given.request != nullptr && given.request->in_flight_at(moment.at);
        given = {.request = moment.sent, .ambiguous = taken};
      }
    } else if (moment.received != nullptr) {
      const Received& received = *moment.received;
      if (received.kind == Received::Kind::kNotification &&
          received.method() == "notifications/progress") {
        JudgeOne(ledger, moment, watch, findings);
      } else if (received.is_response() && received.request != nullptr) {
        watch.newest_answered = std::max(watch.newest_answered, received.request->at);
        if (received.kind == Received::Kind::kResult) NoteTask(received, watch);
      }
    }
  }
}

}  // namespace

std::vector<Rule> ProgressRules() {
  return {{"progress",
           {kKnown, kOnlyWithToken, kIdentity, kIncreases, kStops, kStopsWithError, kTaskToken,
            kReadable, kTaskStops, kAfterCancel},
           JudgeProgress}};
}

}  // namespace assay::oracle
