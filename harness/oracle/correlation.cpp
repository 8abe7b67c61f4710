// Which response goes with which request, when either side may do wrong.

#include "oracle/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "oracle/conduct.h"

namespace assay::oracle {
namespace {

// How much, at least, of the input that we broke ourselves is searched for ids that the server may
// have read.
constexpr std::size_t kGarbageKept = 1 << 16;

void DropAnswered(std::deque<Sent*>& queue) {
  while (!queue.empty() && queue.front()->answer != nullptr) queue.pop_front();
}

// Whether `id` is what rounding makes of the id of `sent`: 1 for 1.5.
bool CutShort(const Sent& sent, const Json& id) {
  return sent.answer == nullptr && sent.id != nullptr && sent.id->is_number() &&
         !sent.id->is_integer() && std::abs(sent.id->AsDouble() - id.AsDouble()) < 1;
}

// Whether it can be written in ways that differ by more than their numbers.
bool HasSpellings(const Json& id) {
  return id.is_string() && std::any_of(id.text().begin(), id.text().end(), [](char c) {
           return c <= ' ' || c > '~' || c == '/' || c == '\\' || c == '"';
         });
}

// An id as a message has it.
// As std::string::find, which is slow where the first character is a frequent one.
bool Holds(std::string_view text, std::string_view part) {
  return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

std::string Spelled(const Json& id) { return "\"id\":" + id.Dump(); }

}  // namespace

void Correlation::Track(Sent& sent, std::string_view line, bool alone) {
  if (sent.entry->exchange != 0) by_exchange_.try_emplace(sent.entry->exchange, &sent);
  if (!sent.ordinary && sent.kind != Sent::Kind::kUnreadable) doubtful_.push_back(&sent);
  switch (sent.kind) {
    case Sent::Kind::kRequest:
      Open(sent);
      unanswered_.push_back(&sent);
      latest_ = &sent;
      break;
    case Sent::Kind::kNotification:
      latest_ = &sent;
      notified_ = true;
      if (sent.method == "notifications/cancelled") Cancel(sent);
      break;
    case Sent::Kind::kResponse:
      server_requests_.erase(IdKey(*sent.id));
      responses_[IdKey(*sent.id)] = &sent;
      break;
    case Sent::Kind::kMalformed:
      if (sent.id != nullptr) Open(sent);
      if (alone) unidentified_.push_back(&sent);
      break;
    case Sent::Kind::kUnreadable:
      unidentified_.push_back(&sent);
      NoteBroken(line);
      garbage_ += line;
      garbage_ += '\n';
      if (garbage_.size() > 2 * kGarbageKept) garbage_.erase(0, garbage_.size() - kGarbageKept);
      break;
  }
}

void Correlation::TrackServerRequest(const Received& request) {
  server_requests_.insert(IdKey(*request.id()));
}

bool Correlation::ServerAwaits(const Json& id) const {
  return server_requests_.count(IdKey(id)) > 0;
}

const Sent* Correlation::FindOpen(const Json& id) const {
  const auto it = open_.find(IdKey(id));
  if (it == open_.end()) return nullptr;
  const auto found = std::find_if(it->second.begin(), it->second.end(),
                                  [&](const Sent* sent) { return SameId(*sent->id, id); });
  return found == it->second.end() ? nullptr : *found;
}

void Correlation::Open(Sent& sent) {
  std::deque<Sent*>& same = open_[IdKey(*sent.id)];
  for (Sent* other : same) {
    if (SameId(*other->id, *sent.id)) sent.reused_id = other->reused_id = true;
  }
  if (Holds(garbage_, Spelled(*sent.id))) sent.reused_id = true;
  same.push_back(&sent);
}

void Correlation::NoteBroken(std::string_view line) {
  for (auto& [key, same] : open_) {
    for (Sent* sent : same) {
      if (Holds(line, Spelled(*sent->id))) sent->reused_id = true;
    }
  }
}

void Correlation::Close(Sent& request) {
  if (request.id == nullptr) return;
  const auto it = open_.find(IdKey(*request.id));
  if (it == open_.end()) return;
  std::erase(it->second, &request);
  if (it->second.empty()) open_.erase(it);
}

void Correlation::Settle(Received& response, Sent& request, Matching match) {
  Close(request);
  response.match = match;
  response.request = &request;
  request.answer = &response;
  request.answered_at = response.at;
  if (request.id != nullptr) answered_[IdKey(*request.id)] = &request;
  std::erase_if(presumed_, [&](Presumed& presumed) {
    std::erase(presumed.candidates, &request);
    if (!presumed.candidates.empty()) return false;
    Unexplained(*presumed.response);
    return true;
  });
}

void Correlation::Cancel(const Sent& notification) {
  const Json* target =
      notification.params() == nullptr ? nullptr : notification.params()->Find("requestId");
  if (target == nullptr) return;
  const auto it = open_.find(IdKey(*target));
  if (it == open_.end()) return;
  for (Sent* request : it->second) {
    if (SameId(*request->id, *target) && request->cancelled_at == kNever) {
      request->cancelled_at = notification.at;
      request->cancel_in_doubt = !notification.ordinary;
    }
  }
}

void Correlation::Match(Received& response) {
  const Json* id = response.id();
  if ((id == nullptr || id->is_null()) && response.entry->exchange != 0) {
    MatchByExchange(response);
  } else if (id == nullptr || id->is_null()) {
    MatchWithoutId(response);
  } else {
    MatchById(response, *id);
  }
}

void Correlation::MatchById(Received& response, const Json& id) {
  if (Take(response, id, Matching::kAnswers)) return;
  const bool stands_in_garbage = Holds(garbage_, Spelled(id));
  const auto second = answered_.find(IdKey(id));
  if (second != answered_.end() && SameId(*second->second->id, id)) {
    const auto guess = guessed_.find(second->second);
    if (guess != guessed_.end()) {
      guess->second->match = Matching::kNoId;
      guess->second->request = nullptr;
      guessed_.erase(guess);
      Settle(response, *second->second, Matching::kAnswers);
      return;
    }
    response.match = stands_in_garbage ? Matching::kGuessedId : Matching::kSecond;
    if (!stands_in_garbage) response.request = second->second;
    return;
  }
  if (stands_in_garbage || (!garbage_.empty() && HasSpellings(id))) {
    response.match = Matching::kGuessedId;
    return;
  }
  if (Take(response, id, Matching::kRounded)) return;
  if (id.is_string() && IsJsonNumber(id.text())) {
    if (Take(response, Json::Number(id.text()), Matching::kOtherType)) return;
  } else if (id.is_number()) {
    if (Take(response, Json::String(id.text()), Matching::kOtherType)) return;
  }
  if (TakeFraction(response, id)) return;
  const auto ours = responses_.find(IdKey(id));
  if (ours != responses_.end()) {
    response.match = Matching::kAnswersResponse;
    response.request = ours->second;
  } else if (Holds(garbage_, id.is_string() ? id.text() : id.Dump())) {
    response.match = Matching::kGuessedId;
  } else {
    response.match = Matching::kUnknownId;
  }
}

// The oldest request in flight under `id`: the very same id, or with kRounded one that a double
// cannot tell apart.
bool Correlation::Take(Received& response, const Json& id, Matching match) {
  const auto it = open_.find(IdKey(id));
  if (it == open_.end()) return false;
  const auto found = std::find_if(it->second.begin(), it->second.end(), [&](const Sent* sent) {
    return match == Matching::kRounded || SameId(*sent->id, id);
  });
  if (found == it->second.end()) return false;
  Settle(response, **found, match);
  return true;
}

bool Correlation::TakeFraction(Received& response, const Json& id) {
  if (!id.is_number()) return false;
  const auto found = std::find_if(unidentified_.begin(), unidentified_.end(),
                                  [&id](const Sent* sent) { return CutShort(*sent, id); });
  if (found == unidentified_.end()) return false;
  Settle(response, **found, Matching::kRounded);
  return true;
}

void Correlation::MatchByExchange(Received& response) {
  const auto found = by_exchange_.find(response.entry->exchange);
  // A GET is refused without an id, and so is a POST that holds no message.
  response.match = Matching::kNoId;
  if (found == by_exchange_.end()) return;
  Sent& sent = *found->second;
  const bool refused = response.entry->head != nullptr && response.entry->head->status >= 400;
  switch (sent.kind) {
    case Sent::Kind::kNotification:
    case Sent::Kind::kResponse:
      // The refusal of either may say why (2026-07-28 streamable-http § Sending Messages).
      if (refused && response.kind == Received::Kind::kError) {
        response.request = &sent;
      } else {
        response.match = sent.kind == Sent::Kind::kNotification ? Matching::kToNotification
                                                                : Matching::kAnswersResponse;
        response.request = &sent;
      }
      break;
    case Sent::Kind::kRequest:
      if (sent.in_batch && sent.answer == nullptr && response.kind == Received::Kind::kError) {
        RefuseBatch(response, sent.at);
      } else {
        Settle(response, sent, Matching::kIdLost);
      }
      break;
    case Sent::Kind::kMalformed: {
      // What was meant as a response has nobody's id.
      const bool owed_id = sent.id != nullptr && IsRequestId(*sent.id) &&
                           sent.body->Find("result") == nullptr &&
                           sent.body->Find("error") == nullptr;
      Settle(response, sent, owed_id ? Matching::kIdLost : Matching::kNoId);
      break;
    }
    case Sent::Kind::kUnreadable:
      Settle(response, sent, Matching::kNoId);
      break;
  }
}

void Correlation::MatchWithoutId(Received& response) {
  DropAnswered(unidentified_);
  DropAnswered(unanswered_);
  if (TakeDoubtful(response) || TakeUnidentified(response) || TakeBatch(response)) return;
  const Json* error = response.error();
  const Json* code = error == nullptr ? nullptr : error->Find("code");
  const auto value = code == nullptr ? std::nullopt : code->AsInteger();
  if (!garbage_.empty() && (value == -32700 || value == -32600)) {
    // One line of ours can be several to a server that breaks lines elsewhere too.
    response.match = Matching::kNoId;
    return;
  }
  const bool after_notification = latest_ != nullptr && latest_->kind == Sent::Kind::kNotification;
  if (unanswered_.empty() || after_notification) {
    Unexplained(response);
    return;
  }
  // Which request it was can only be presumed.
  response.match = Matching::kIdLost;
  Presumed presumed{&response, {}};
  for (const Sent* request : unanswered_) {
    if (request->answer == nullptr) presumed.candidates.push_back(request);
  }
  presumed_.push_back(std::move(presumed));
  Sent* request = unanswered_.front();
  if (unanswered_.size() == 1 && !request->answered_without_id) {
    response.request = request;
    request->answered_without_id = true;
  }
}

// Duplicate keys, half a surrogate pair, great depth or size. Those that were answered by their ids
// were read.
bool Correlation::TakeDoubtful(Received& response) {
  while (!doubtful_.empty() && doubtful_.front()->answer != nullptr) doubtful_.pop_front();
  if (doubtful_.empty() || response.kind != Received::Kind::kError) return false;
  const bool is_later =
      std::any_of(unidentified_.begin(), unidentified_.end(), [&](const Sent* sent) {
        return sent->answer == nullptr && sent->kind == Sent::Kind::kUnreadable &&
               sent->at < doubtful_.front()->at;
      });
  if (is_later) return false;
  response.match = Matching::kNoId;
  doubtful_.pop_front();
  return true;
}

// What could not be read is answered without an id; then what was no request, though it had one.
bool Correlation::TakeUnidentified(Received& response) {
  if (unidentified_.empty()) return false;
  const auto found = std::find_if(unidentified_.begin(), unidentified_.end(), [](const Sent* sent) {
    return sent->answer == nullptr && (sent->id == nullptr || !IsRequestId(*sent->id));
  });
  if (found != unidentified_.end()) {
    Settle(response, **found, Matching::kNoId);
  } else {
    guessed_[unidentified_.front()] = &response;
    Settle(response, *unidentified_.front(), Matching::kIdLost);
  }
  return true;
}

bool Correlation::TakeBatch(Received& response) {
  if (unanswered_.empty() || !unanswered_.front()->in_batch ||
      response.kind != Received::Kind::kError) {
    return false;
  }
  RefuseBatch(response, unanswered_.front()->at);
  return true;
}

void Correlation::RefuseBatch(Received& response, std::size_t at) {
  Sent* first = nullptr;
  for (Sent* member : unanswered_) {
    if (member->at != at || member->answer != nullptr) continue;
    Settle(response, *member, Matching::kBatchRefused);
    if (first == nullptr) first = member;
  }
  response.request = first;
}

void Correlation::Unexplained(Received& response) const {
  const bool after_notification = latest_ != nullptr && latest_->kind == Sent::Kind::kNotification;
  response.match = notified_ ? Matching::kToNotification : Matching::kUnprompted;
  response.request = after_notification ? latest_ : nullptr;
}

}  // namespace assay::oracle
