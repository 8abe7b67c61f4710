// Digesting a transcript: lines to messages, messages to sessions, responses to requests.

#include "oracle/ledger.h"

#include <algorithm>
#include <map>
#include <utility>

#include "oracle/conduct.h"
#include "oracle/correlation.h"
#include "oracle/joiner.h"

namespace assay::oracle {
namespace {

bool HasBoth(const Json& body) {
  return body.Find("result") != nullptr && body.Find("error") != nullptr;
}

Received::Kind KindOf(const Json& body) {
  if (!body.is_object()) return Received::Kind::kStray;
  const bool has_id = body.Find("id") != nullptr;
  const Json* result = body.Find("result");
  const Json* error = body.Find("error");
  if (body.Find("method") != nullptr && ((result == nullptr && error == nullptr) || !has_id)) {
    return has_id ? Received::Kind::kRequest : Received::Kind::kNotification;
  }
  if (HasBoth(body)) return error->is_null() ? Received::Kind::kResult : Received::Kind::kError;
  if (error != nullptr) return Received::Kind::kError;
  return result != nullptr ? Received::Kind::kResult : Received::Kind::kStray;
}

Envelope EnvelopeOf(const Json& body) {
  Envelope envelope;
  envelope.meta = MetaOf(body);
  if (envelope.meta == nullptr) return envelope;
  envelope.version = envelope.meta->Find(kVersionKey);
  envelope.capabilities = envelope.meta->Find(kCapabilitiesKey);
  envelope.log_level = envelope.meta->Find(kLogLevelKey);
  envelope.progress_token = envelope.meta->Find("progressToken");
  return envelope;
}

bool SaysModern(const Received& answer) {
  if (answer.kind == Received::Kind::kResult) {
    return answer.result() != nullptr && answer.result()->FindString("resultType").has_value();
  }
  const Json* error = answer.error();
  const Json* code = error == nullptr ? nullptr : error->Find("code");
  const auto value = code == nullptr ? std::nullopt : code->AsInteger();
  return value == -32022 || value == -32021;
}

}  // namespace

bool IsLegacyRevision(std::string_view text) {
  return text == "2024-11-05" || text == "2025-03-26" || text == "2025-06-18" ||
         text == "2025-11-25";
}

bool IsModernRevision(std::string_view text) { return text == kNewestModern; }

const Json* MetaOf(const Json& body) {
  const Json* meta = body.Find("params", "_meta");
  return meta != nullptr && meta->is_object() ? meta : nullptr;
}

std::string IdText(const Json* id) { return id == nullptr ? "(absent)" : id->Dump(); }

const std::string& Received::step() const {
  return request != nullptr ? request->entry->step : entry->step;
}

// Walks the transcript once, keeping for every connection what is in flight.
class LedgerBuilder {
 public:
  explicit LedgerBuilder(Ledger& ledger) : ledger_(ledger) {
    joints_ = JoinLines(ledger.transcript_);
  }

  void Build() {
    const std::deque<Entry>& entries = ledger_.transcript_.entries;
    for (at_ = 0; at_ < entries.size(); ++at_) {
      entry_ = &entries[at_];
      switch (entry_->direction) {
        case Entry::Direction::kOut:
          Out();
          break;
        case Entry::Direction::kIn:
          In();
          break;
        case Entry::Direction::kEvent:
          Event();
          break;
        case Entry::Direction::kError:
          break;
      }
    }
    Settle();
  }

 private:
  // A session while it lasts.
  struct Live {
    Live(Session& opened, const Transcript& transcript) : session(&opened), conduct(transcript) {}

    Session* session;
    ClientConduct conduct;
    Correlation correlation;
    std::string begun;  // a line that was begun and not ended
    bool all_proper = true;
    bool decided = false;  // some request has shown how the connection opens
  };

  Live& Here() {
    const auto it = live_.find(entry_->connection);
    return it != live_.end() ? it->second : Begin();
  }

  Live& Begin() {
    Session& session = ledger_.sessions_.emplace_back();
    session.connection = entry_->connection;
    session.over_http = ledger_.transcript_.over_http.contains(session.connection);
    session.era = ledger_.transcript_.era == Era::kModern ? Era::kModern : Era::kLegacy;
    if (ledger_.shared() && ledger_.transcript_.client_capabilities.is_object()) {
      session.client_capabilities = &ledger_.transcript_.client_capabilities;
    }
    session.initialized = ledger_.shared() && session.era == Era::kLegacy;
    if (session.initialized) session.revision = ledger_.transcript_.revision;
    live_.erase(entry_->connection);
    return live_.try_emplace(entry_->connection, session, ledger_.transcript_).first->second;
  }

  // --- the client's side

  void Out() {
    Live& live = Here();
    if (entry_->request != nullptr) {
      // A POST carries one message, however it is laid out; a GET or DELETE none, whatever its
      // body.
      const bool carries = entry_->request->method == "POST" && !entry_->bytes.empty();
      if (carries) Line(entry_->message, entry_->bytes);
      return;
    }
    const bool has_newline = entry_->bytes.find('\n') != std::string::npos;
    if (entry_->unterminated && !has_newline) {
      live.begun += entry_->bytes;
      return;
    }
    if (!entry_->unterminated && !has_newline && live.begun.empty()) {
      Line(entry_->message, entry_->bytes);
      return;
    }
    // Several lines in one write, or the end of a line that was written in pieces.
    std::string text = std::exchange(live.begun, {}) + entry_->bytes;
    if (!entry_->unterminated) text += '\n';
    std::size_t at = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
      const std::string_view line = std::string_view(text).substr(at, end - at);
      ledger_.split_.push_back(ParseMessage(line));
      Line(ledger_.split_.back(), line);
      at = end + 1;
    }
    Here().begun = text.substr(at);
  }

  void Line(const Message& message, std::string_view line) {
    if (message.kind != Message::Kind::kBatch || message.body.items().empty()) {
      Send(message.kind == Message::Kind::kNotJson ? nullptr : &message.body, message, line, true);
      if (message.kind == Message::Kind::kBatch) Here().session->sent_batch = true;
      return;
    }
    Live& live = Here();
    live.session->sent_batch = true;
    const bool has_batches = live.conduct.negotiated() == "2025-03-26";
    // Elsewhere an array is one invalid request, though its members may be answered all the same.
    if (!has_batches) Send(&message.body, message, line, true);
    for (const Json& member : message.body.items()) Send(&member, message, line, has_batches);
  }

  void Send(const Json* body, const Message& message, std::string_view line, bool permitted) {
    Live& live = Here();
    Sent& sent = ledger_.sent_.emplace_back();
    sent.at = at_;
    sent.entry = entry_;
    sent.session = live.session;
    sent.body = body;
    if (body != nullptr) Classify(sent, live);
    if (!permitted && sent.kind != Sent::Kind::kUnreadable) sent.kind = Sent::Kind::kMalformed;
    sent.in_batch = permitted && message.kind == Message::Kind::kBatch;
    sent.ordinary = IsOrdinary(sent, message, line.size());
    sent.proper = live.conduct.MaySend(sent);
    live.all_proper = live.all_proper && sent.proper;
    sent.all_proper = live.all_proper;
    Moment& moment = ledger_.moments_.emplace_back();
    moment.sent = &sent;
    moment.at = at_;
    moment.session = live.session;
    NoteOpening(sent, live);
    live.correlation.Track(sent, line, permitted);
  }

  static void Classify(Sent& sent, const Live& live) {
    sent.kind = Sent::Kind::kMalformed;
    const Json& body = *sent.body;
    if (!body.is_object()) return;
    sent.id = body.Find("id");
    sent.method = body.FindString("method").value_or("");
    sent.envelope = EnvelopeOf(body);
    const Json* method = body.Find("method");
    const Json* params = body.Find("params");
    const bool sound =
        body.FindString("jsonrpc") == "2.0" && (params == nullptr || params->is_object());
    if (method != nullptr) {
      // With the members of a response as well it is anybody's guess.
      const bool hybrid = body.Find("result") != nullptr || body.Find("error") != nullptr;
      if (!sound || hybrid || !method->is_string()) return;
      if (sent.id == nullptr) {
        sent.kind = Sent::Kind::kNotification;
      } else if (IsRequestId(*sent.id)) {
        sent.kind = Sent::Kind::kRequest;
      }
      return;
    }
    const bool answers = sent.id != nullptr && live.correlation.ServerAwaits(*sent.id);
    if (sound && answers && (body.Find("result") != nullptr) != (body.Find("error") != nullptr)) {
      sent.kind = Sent::Kind::kResponse;
    }
  }

  void NoteOpening(const Sent& sent, Live& live) const {
    if (sent.kind != Sent::Kind::kRequest) return;
    if (!live.decided && ledger_.transcript_.era == Era::kNone) {
      const bool modern = sent.envelope.has_version() && sent.method != "initialize" &&
                          !ledger_.transcript_.legacy_only;
      live.session->era = modern ? Era::kModern : Era::kLegacy;
    }
    live.decided = true;
  }

  // --- the server's side

  void In() {
    const auto joint = joints_.find(at_);
    if (joint != joints_.end()) {
      if (joint->second.lines == 0) return;  // told with the line that the message began on
      ledger_.joined_.push_back(std::move(joint->second.body));
      Received& received = Receive(&ledger_.joined_.back());
      received.lines = joint->second.lines;
      received.newline_in_string = joint->second.newline_in_string;
      return;
    }
    const Message& message = entry_->message;
    if (message.kind == Message::Kind::kNotJson) {
      Receive(nullptr);
      return;
    }
    if (message.kind != Message::Kind::kBatch || message.body.items().empty()) {
      Receive(&message.body);
      return;
    }
    for (const Json& member : message.body.items()) Receive(&member).in_array = true;
  }

  Received& Receive(const Json* body) {
    Live& live = Here();
    Received& received = ledger_.received_.emplace_back();
    received.at = at_;
    received.entry = entry_;
    received.session = live.session;
    received.body = body;
    if (body != nullptr) received.kind = KindOf(*body);
    if (received.is_response()) {
      live.correlation.Match(received);
      const Sent* request = received.request;
      if (request != nullptr && request->answer == &received) NoteAnswer(*request, received, live);
    } else if (received.kind == Received::Kind::kRequest) {
      live.correlation.TrackServerRequest(received);
    } else if (received.kind == Received::Kind::kNotification &&
               received.method() == "notifications/subscriptions/acknowledged") {
      ledger_.speaks_modern_ = true;
    }
    Moment& moment = ledger_.moments_.emplace_back();
    moment.received = &received;
    moment.at = at_;
    moment.session = live.session;
    return received;
  }

  void NoteAnswer(const Sent& request, const Received& received, Live& live) {
    live.conduct.Answered(request, received);
    if (request.envelope.has_version() && request.method != "initialize" && SaysModern(received)) {
      ledger_.speaks_modern_ = true;
      if (received.kind == Received::Kind::kResult) live.session->served_modern = true;
    }
    if (received.kind != Received::Kind::kResult || received.result() == nullptr) return;
    const Json& result = *received.result();
    if (request.method == "initialize") {
      live.session->initialized = true;
      live.session->revision = live.conduct.negotiated();
      live.session->legacy_capabilities = result.Find("capabilities");
      const Json* params = request.params();
      live.session->client_capabilities =
          params == nullptr ? nullptr : params->Find("capabilities");
    } else if (request.method == "server/discover" && request.envelope.has_version()) {
      live.session->modern_capabilities = result.Find("capabilities");
      live.session->supported_versions = result.Find("supportedVersions");
    }
  }

  // --- events

  void Event() {
    if (entry_->event == Entry::Event::kStep) return;
    if (entry_->event == Entry::Event::kStarted) live_.erase(entry_->connection);
    Live& live = Here();
    if (entry_->event == Entry::Event::kInputClosed && !live.begun.empty()) {
      // Whether the end of input ends a line is the server's to decide.
      const std::string rest = std::exchange(live.begun, {});
      Send(nullptr, Message(), rest, true);
    }
    Moment& moment = ledger_.moments_.emplace_back();
    moment.event = entry_;
    moment.at = at_;
    moment.session = live.session;
    if (entry_->event == Entry::Event::kDropped) {
      const Json* id = entry_->message.id();
      if (id != nullptr) moment.request = live.correlation.FindOpen(*id);
    }
  }

  // --- what is only known at the end

  void Settle() {
    if (ledger_.transcript_.era == Era::kModern) ledger_.speaks_modern_ = true;
    for (Sent& sent : ledger_.sent_) SettleRequest(sent);
    for (Received& received : ledger_.received_) {
      const Sent* request = received.request;
      received.era = request != nullptr ? request->era : received.session->era;
      received.revision =
          received.era == Era::kModern
              ? (request != nullptr ? request->revision : std::string(kNewestModern))
              : received.session->revision;
    }
  }

  static bool ModernResult(const Sent& sent) {
    return sent.answer != nullptr && sent.answer->kind == Received::Kind::kResult &&
           SaysModern(*sent.answer);
  }

  void SettleRequest(Sent& sent) const {
    const Session& session = *sent.session;
    const bool answered_well =
        sent.answer != nullptr && sent.answer->kind == Received::Kind::kResult;
    if (sent.method == "initialize") {
      sent.era = answered_well ? Era::kLegacy : session.era;
    } else if (sent.envelope.has_version()) {
      // After a handshake the treatment of an enveloped request is open: it is what its answer
      // says.
      const bool legacy =
          session.era == Era::kLegacy && (session.initialized || ledger_.transcript_.legacy_only);
      sent.era = !legacy || (sent.answer != nullptr && SaysModern(*sent.answer)) ? Era::kModern
                                                                                 : Era::kLegacy;
    } else if (session.era == Era::kModern) {
      sent.era = session.initialized || (answered_well && !ModernResult(sent)) ? Era::kLegacy
                                                                               : Era::kModern;
    } else {
      sent.era = Era::kLegacy;
    }
    if (sent.era == Era::kLegacy) {
      sent.revision = session.revision;
    } else {
      // Under a version that we do not know nothing more is known of the answer.
      const Json* version = sent.envelope.version;
      const bool unknown =
          version != nullptr && version->is_string() && !IsModernRevision(version->text());
      sent.revision = unknown ? "" : std::string(kNewestModern);
    }
  }

  Ledger& ledger_;
  std::map<std::size_t, Joint> joints_;
  std::map<std::string, Live> live_;
  std::size_t at_ = 0;
  const Entry* entry_ = nullptr;
};

std::size_t Ledger::TakenInAt(std::size_t entry) const {
  if (transcript_.entries[entry].exchange == 0) return entry;
  return transcript_.HttpEnd(entry).value_or(kNever);
}

bool Ledger::TakenInBefore(const Sent& request, std::size_t entry) const {
  if (request.entry->exchange == 0) return true;
  for (std::size_t i = request.at + 1; i < std::min(entry, transcript_.entries.size()); ++i) {
    const Entry& came = transcript_.entries[i];
    if (came.head != nullptr && came.exchange == request.entry->exchange &&
        came.connection == request.entry->connection) {
      return true;
    }
  }
  return false;
}

Ledger::Ledger(const Transcript& transcript, const Shapes& shapes)
    : transcript_(transcript), shapes_(shapes) {
  LedgerBuilder(*this).Build();
}

}  // namespace assay::oracle
