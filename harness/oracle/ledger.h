// A transcript, digested once for all rules: every message with its kind, what answers what, and
// whose rules (era and revision) it is judged by. Built in one pass; never changed afterwards.

#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "message/json.h"
#include "oracle/shape.h"
#include "transcript/transcript.h"

namespace assay::oracle {

inline constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kClientInfoKey = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";
inline constexpr std::string_view kNewestModern = "2026-07-28";

bool IsLegacyRevision(std::string_view text);  // one of the four that open with `initialize`
bool IsModernRevision(std::string_view text);  // one that we know the rules of

struct Sent;
struct Received;

// One life of a connection, from the start of the server's process to its end.
struct Session {
  std::string connection;
  bool over_http = false;
  Era era = Era::kLegacy;      // what opened it; kLegacy or kModern
  std::string revision;        // negotiated by initialize, or under test; "" when not known
  bool initialized = false;    // an initialize was answered with a result
  bool served_modern = false;  // an enveloped request was answered with a modern result
  const Json* legacy_capabilities =
      nullptr;  // the server's, of the InitializeResult; null: not seen
  const Json* modern_capabilities = nullptr;  // the server's, of the DiscoverResult; null: not seen
  const Json* supported_versions = nullptr;   // of the DiscoverResult; null: not seen
  const Json* client_capabilities = nullptr;  // what initialize declared; null: not known
  bool sent_batch = false;                    // the client wrote an array

  // Only modern traffic: what legacy permits is no excuse here.
  bool only_modern() const { return era == Era::kModern && !initialized; }
  bool only_legacy() const { return era == Era::kLegacy && !served_modern; }
};

// What a request says of itself in params._meta.
struct Envelope {
  const Json* meta = nullptr;     // params._meta, when it is an object
  const Json* version = nullptr;  // each as it stands, of whatever type
  const Json* capabilities = nullptr;
  const Json* log_level = nullptr;
  const Json* progress_token = nullptr;

  bool has_version() const { return version != nullptr; }
};

// One message of the client, or a line that was none. The members of a batch stand alone.
struct Sent {
  enum class Kind {
    kRequest,       // well-formed by JSON-RPC and MCP: an answer is owed
    kNotification,  // likewise: an answer is forbidden
    kResponse,      // answers an open request of the server
    kMalformed,     // JSON, but none of these; `id` is set where one can be read
    kUnreadable,    // not JSON
  };

  Kind kind = Kind::kUnreadable;
  std::size_t at = 0;  // index of its entry
  const Entry* entry = nullptr;
  const Session* session = nullptr;
  const Json* body = nullptr;  // null when unreadable
  std::string method;
  const Json* id = nullptr;
  Envelope envelope;
  bool ordinary = true;     // no parser may refuse it for its size, depth or keys
  bool proper = false;      // a client may send this, here and now
  bool all_proper = false;  // and everything before it in this session
  bool reused_id = false;   // the same id was in flight already: what answers which is open
  bool in_batch = false;    // a member of an array, at a revision that has them
  bool answered_without_id = false;  // so it seems: a response without an id came meanwhile
  Era era = Era::kLegacy;            // whose rules its answer is held to
  std::string revision;              // of that era; "" when not known
  const Received* answer = nullptr;
  std::size_t answered_at = kNever;  // entry indexes
  std::size_t cancelled_at = kNever;
  bool cancel_in_doubt = false;  // not every parser reads the notification that cancelled it

  const Json* params() const { return body == nullptr ? nullptr : body->Find("params"); }
  bool in_flight_at(std::size_t index) const { return at < index && index < answered_at; }
};

// One message of the server, or a line that was none. The members of an array stand alone.
struct Received {
  enum class Kind {
    kRequest,
    kNotification,
    kResult,
    kError,
    kStray,   // JSON, but no message
    kBroken,  // not JSON
  };
  // How a response goes with what was sent.
  enum class Match {
    kNone,             // not a response
    kAnswers,          // the id of a request in flight
    kRounded,          // the same, but for digits beyond 2^53, or a fraction
    kOtherType,        // 1 for "1" or the reverse
    kSecond,           // that request was answered already
    kAnswersResponse,  // the id of a response of ours
    kUnknownId,        // an id that never was sent
    kGuessedId,        // an id that only a line we broke, or sent in pieces, holds
    kNoId,             // no id or null, after input whose id could not be read
    kBatchRefused,     // no id or null, for a batch as a whole
    kIdLost,           // no id or null, though the id could be read
    kToNotification,   // no id or null, and only a notification can have caused it
    kUnprompted,       // no id or null, and nothing can have caused it
  };

  Kind kind = Kind::kBroken;
  Match match = Match::kNone;
  std::size_t at = 0;
  const Entry* entry = nullptr;
  const Session* session = nullptr;
  const Json* body = nullptr;      // null when broken
  const Sent* request = nullptr;   // what a response belongs to, where that is known
  std::size_t lines = 1;           // how many lines of output the message covers
  bool newline_in_string = false;  // with lines > 1: a string was broken, not only the layout
  bool in_array = false;
  Era era = Era::kLegacy;  // whose rules it is held to
  std::string revision;    // of that era; "" when not known

  bool is_response() const { return kind == Kind::kResult || kind == Kind::kError; }
  std::string method() const { return body->FindString("method").value_or(""); }
  const Json* params() const { return body->Find("params"); }
  const Json* result() const { return body->Find("result"); }
  const Json* error() const { return body->Find("error"); }
  const Json* id() const { return body->Find("id"); }
  const std::string& step() const;
};

// One thing that happened; exactly one pointer is set.
struct Moment {
  const Sent* sent = nullptr;
  const Received* received = nullptr;
  const Entry* event = nullptr;  // kEvent entries other than kStep
  std::size_t at = 0;            // index of its entry
  const Session* session = nullptr;
  const Sent* request = nullptr;  // of a kDropped event: the request that it is about
};

class Ledger {
 public:
  // Both must outlive the ledger.
  Ledger(const Transcript& transcript, const Shapes& shapes);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  const Transcript& transcript() const { return transcript_; }
  const Shapes& shapes() const { return shapes_; }
  bool shared() const { return transcript_.shared; }
  // Whether this server is known to serve the modern era at all: an enveloped request to one that
  // does not is just a request with unknown members.
  bool speaks_modern() const { return speaks_modern_; }
  // From which entry on the server has taken in what was sent at `entry`, as far as order tells:
  // over stdio it reads in order; over HTTP requests overtake each other until one is answered.
  std::size_t TakenInAt(std::size_t entry) const;
  // Whether the server must have taken in `request` before what was sent at `entry`, a later one:
  // over HTTP only once something came back for it.
  bool TakenInBefore(const Sent& request, std::size_t entry) const;
  // In the order of the transcript.
  const std::vector<Moment>& moments() const { return moments_; }
  const std::deque<Session>& sessions() const { return sessions_; }

 private:
  friend class LedgerBuilder;

  const Transcript& transcript_;
  const Shapes& shapes_;
  bool speaks_modern_ = false;
  std::deque<Session> sessions_;
  std::deque<Sent> sent_;
  std::deque<Received> received_;
  std::deque<Json> joined_;    // messages put together from several lines
  std::deque<Message> split_;  // lines of ours that one entry held together
  std::vector<Moment> moments_;
};

// params._meta of a message, when it is an object; else null.
const Json* MetaOf(const Json& body);
// An id as text for people: 7, "7", null.
std::string IdText(const Json* id);

}  // namespace assay::oracle
