// What a client may send. A server that hangs or dies on a client which keeps the rules is at
// fault; on one that breaks them, it only deserves a warning.

#pragma once

#include <set>
#include <string>
#include <string_view>

#include "oracle/ledger.h"
#include "transcript/transcript.h"

namespace assay::oracle {

// Whether a request has the params that its method cannot do without, and all that are known have
// their types.
bool ParamsFit(const Sent& sent);

// Follows one session. Told of everything in order.
class ClientConduct {
 public:
  explicit ClientConduct(const Transcript& transcript);

  // Whether the client may send this here and now: JSON-RPC, the handshake or the envelope, ids and
  // tokens that are not taken, the params that the method requires; nothing out of the ordinary.
  // Whether the server knows the method is no matter.
  bool MaySend(const Sent& sent);
  void Answered(const Sent& request, const Received& answer);
  // The revision that initialize negotiated, "" before that.
  const std::string& negotiated() const { return negotiated_; }
  bool initialized() const { return initialized_; }

 private:
  bool MaySendRequest(const Sent& sent);
  bool MaySendNotification(const Sent& sent);

  Era opened_ = Era::kNone;
  bool asked_to_initialize_ = false;
  bool initialized_ = false;  // initialize was answered,
  bool ready_ = false;        // and notifications/initialized sent
  std::string initialize_id_;
  std::string negotiated_;
  std::set<std::string> used_ids_;  // of this session
  std::set<std::string> open_ids_;
  std::set<std::string> open_tokens_;
};

// Whether a parser has to take it: it may have limits for size and depth (RFC 8259, section 9), and
// need not take keys that occur twice, nor halves of surrogates.
bool IsOrdinary(const Sent& sent, const Message& message, std::size_t size);
// The id as a key: the same for ids that are the same, and for integers that a double cannot tell
// apart (compare those with SameId).
std::string IdKey(const Json& id);
// Whether this may be a request's id: a string or an integer.
bool IsRequestId(const Json& id);

}  // namespace assay::oracle
