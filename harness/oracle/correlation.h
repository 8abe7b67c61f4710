// Which response goes with which request, within one session, when either side may do wrong.

#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "oracle/ledger.h"

namespace assay::oracle {

// Told of everything in order. Keeps pointers to what it is given.
class Correlation {
 public:
  // What the client sent. `line` is all of what stood on the line; `alone` is false for a member of
  // an array that counts as one invalid request already.
  void Track(Sent& sent, std::string_view line, bool alone);
  void TrackServerRequest(const Received& request);
  // Whether a response of the client with this id answers an open request of the server.
  bool ServerAwaits(const Json& id) const;
  // The oldest request in flight with this id, or null.
  const Sent* FindOpen(const Json& id) const;

  // Says how `response` goes with what was sent: sets its match and request, and the answer of each
  // request that it settles.
  void Match(Received& response);

 private:
  using Matching = Received::Match;

  void Open(Sent& sent);
  // Marks requests whose id stands in a line that we broke ourselves: the server may have read it.
  void NoteBroken(std::string_view line);
  void Close(Sent& request);
  void Settle(Received& response, Sent& request, Matching match);
  void Cancel(const Sent& notification);

  void MatchById(Received& response, const Json& id);
  bool Take(Received& response, const Json& id, Matching match);
  bool TakeFraction(Received& response, const Json& id);

  // Over HTTP: what has no id belongs to the request that it came back on.
  void MatchByExchange(Received& response);
  void MatchWithoutId(Received& response);
  // What not everybody can read may be answered like what nobody can.
  bool TakeDoubtful(Received& response);
  bool TakeUnidentified(Received& response);
  bool TakeBatch(Received& response);
  // A batch, the one at `at`, was refused as a whole.
  void RefuseBatch(Received& response, std::size_t at);
  // Nothing but a notification, or nothing at all, can have caused it.
  void Unexplained(Received& response) const;

  std::unordered_map<std::string, std::deque<Sent*>> open_;  // by id, oldest first
  std::unordered_map<int, Sent*> by_exchange_;               // over HTTP: the first one in each
  std::deque<Sent*> unanswered_;      // well-formed requests in order; answered ones linger
  std::deque<Sent*> unidentified_;    // what may be answered without an id; likewise
  std::deque<const Sent*> doubtful_;  // readable to some parsers only; each excuses one response
  std::unordered_map<std::string, Sent*> answered_;
  // Messages with an id that one without an id was taken to answer: until the real answer comes.
  std::unordered_map<const Sent*, Received*> guessed_;
  std::unordered_map<std::string, Sent*> responses_;  // the client's, by id
  // Responses without an id, each with the requests that it may have been meant for: until all of
  // them are answered, so that it was meant for none.
  struct Presumed {
    Received* response;
    std::vector<const Sent*> candidates;
  };
  std::vector<Presumed> presumed_;
  std::set<std::string> server_requests_;
  std::string garbage_;           // the end of what was written and is not JSON
  const Sent* latest_ = nullptr;  // the last well-formed request or notification
  bool notified_ = false;
};

}  // namespace assay::oracle
