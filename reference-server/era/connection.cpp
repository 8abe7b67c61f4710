#include "era/connection.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "era/primitives.h"
#include "protocol/envelope.h"
#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

/// Deep enough for any real message, shallow enough for the recursion that frees it.
constexpr std::size_t kMostNesting = 1000;

json::parse_options ParseOptions() {
  json::parse_options options;
  options.max_depth = kMostNesting;
  return options;
}

std::string_view Trimmed(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = line.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kSpace) - begin + 1);
}

ReplyTo ReplyToRequest(const Request& request, std::shared_ptr<Batch> batch) {
  return {request.id.text(), std::string(request.method), std::move(batch)};
}

}  // namespace

Connection::Connection(Settings settings, const Services& services, MessageSink& sink)
    : settings_(std::move(settings)),
      outbox_(sink),
      client_requests_(outbox_),
      calls_(services, settings_, outbox_, client_requests_),
      modern_(services, settings_, calls_, outbox_),
      parser_(json::storage_ptr(), ParseOptions()) {
  if (settings_.eras == EraSupport::kLegacyOnly) era_ = Era::kLegacy;
  if (settings_.eras == EraSupport::kModernOnly) {
    era_ = Era::kModern;
  } else {
    legacy_.emplace(services, settings_, calls_, outbox_, client_requests_);
  }
}

void Connection::HandleLine(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (!std::exchange(seen_a_line_, true) && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  line = Trimmed(line);
  if (line.empty()) return;

  std::array<unsigned char, 4096> first_block;
  json::monotonic_resource memory(first_block.data(), first_block.size());
  parser_.reset(&memory);
  boost::system::error_code failed;
  parser_.write(line, failed);
  if (!failed) HandleValue(parser_.release(), line);
  // Drops what was parsed of a broken line before its memory goes.
  parser_.reset();
  if (!failed) return;
  if (failed == json::error::too_deep) {
    // Valid as JSON for all we know, so the id may still be there to be answered.
    const auto id = RequestId::Parse(MemberText(line, "id").value_or(std::string_view()));
    const ProtocolError error{ErrorCode::kInvalidRequest, "Invalid request: nested too deeply"};
    if (!id) return AnswerUnreadable(error);
    return outbox_.Answer({id->text(), "-"}, error);
  }
  AnswerUnreadable({ErrorCode::kParseError, "Parse error"});
}

void Connection::HandleOverlongLine() {
  seen_a_line_ = true;
  AnswerUnreadable({ErrorCode::kParseError, "Parse error: the line is too long"});
}

void Connection::HandleEnd() { modern_.EndSubscriptions(); }

void Connection::HandleValue(const json::value& value, std::string_view text) {
  if (value.is_array() && legacy_ && legacy_->accepts_batches()) {
    return HandleBatch(value.get_array(), text);
  }
  HandleMessage(Classify(value, text), nullptr);
}

void Connection::HandleBatch(const json::array& batch, std::string_view text) {
  if (batch.empty()) {
    return AnswerUnreadable({ErrorCode::kInvalidRequest, "Invalid request: empty batch"});
  }
  const std::vector<std::string_view> texts = ElementTexts(text);
  std::vector<Message> messages;
  const auto answers = std::make_shared<Batch>();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    messages.push_back(Classify(batch[i], texts.at(i)));
    const Message& message = messages.back();
    const Request* request = std::get_if<Request>(&message);
    if (request != nullptr && answers->first_id.empty()) answers->first_id = request->id.text();
    if (request != nullptr || std::holds_alternative<InvalidMessage>(message)) {
      ++answers->unanswered;
    }
  }
  for (const Message& message : messages) HandleMessage(message, answers);
}

void Connection::HandleMessage(const Message& message, std::shared_ptr<Batch> batch) {
  if (const Request* request = std::get_if<Request>(&message)) {
    return HandleRequest(*request, ReplyToRequest(*request, std::move(batch)));
  }
  if (const Notification* notification = std::get_if<Notification>(&message)) {
    return HandleNotification(*notification);
  }
  if (const Response* response = std::get_if<Response>(&message)) {
    return client_requests_.Handle(*response);
  }
  if (const InvalidMessage* invalid = std::get_if<InvalidMessage>(&message)) {
    const std::string id(invalid->id ? std::string_view(invalid->id->text()) : UnreadableId());
    outbox_.Answer({id, "-", std::move(batch)}, invalid->error);
  }
}

void Connection::HandleRequest(const Request& request, const ReplyTo& to) {
  const std::string& key = request.id.key();
  if (calls_.IsRunning(key) || modern_.IsListening(key) || (legacy_ && legacy_->IsWaiting(key))) {
    return outbox_.Answer(
        to, ProtocolError{ErrorCode::kInvalidRequest, "A request with this id is still open"});
  }
  const bool enveloped = HasEnvelopeKey(request.params);
  if (SideFor(request) == Era::kModern) {
    if (request.method == "initialize") {
      const auto wanted = StringParam(request, "protocolVersion");
      const auto* version = std::get_if<std::string_view>(&wanted);
      return outbox_.Answer(to, UnsupportedVersion(version == nullptr ? "" : *version));
    }
    return modern_.Handle(request, to);
  }
  // A legacy-only server has never heard of envelopes and ignores them; a dual-era one has, and
  // does not let a client believe that it was understood.
  if (enveloped && request.method != "initialize" && settings_.eras == EraSupport::kDual) {
    return outbox_.Answer(
        to, ProtocolError{ErrorCode::kInvalidRequest,
                          legacy_->initialized() ? "This connection was opened by initialize and "
                                                   "serves no request with an envelope"
                                                 : "Invalid request parameters"});
  }
  legacy_->Handle(request, to);
}

Era Connection::SideFor(const Request& request) {
  const Era asked = request.method != "initialize" && HasEnvelopeKey(request.params) ? Era::kModern
                                                                                     : Era::kLegacy;
  if (!era_) era_ = asked;
  if (settings_.eras != EraSupport::kDual || asked == *era_) return *era_;
  const bool locked = *era_ == Era::kLegacy ? settings_.lock_legacy : settings_.lock_modern;
  return locked ? *era_ : asked;
}

void Connection::HandleNotification(const Notification& notification) {
  if (notification.method != "notifications/cancelled") return;
  std::optional<std::string_view> text = MemberText(notification.text, "params");
  if (text) text = MemberText(*text, "requestId");
  const auto id = RequestId::Parse(text.value_or(std::string_view()));
  if (!id) return;
  if (calls_.Cancel(id->key()) || (legacy_ && legacy_->Cancel(id->key()))) return;
  modern_.Cancel(id->key());
}

void Connection::AnswerUnreadable(ProtocolError error) {
  outbox_.Answer({std::string(UnreadableId()), "-"}, std::move(error));
}

std::string_view Connection::UnreadableId() const {
  return era_ == Era::kModern ? std::string_view() : std::string_view("null");
}

}  // namespace assay::reference
