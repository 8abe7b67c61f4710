#include "transport/http/modern_exchange.h"

#include <utility>

#include "transport/http/answer_status.h"

namespace assay::reference {

void ModernExchange::Run(std::unique_ptr<LineHandler> connection, std::string_view message,
                         bool is_notification) {
  connection_ = std::move(connection);
  connection_->HandleStart();
  connection_->HandleLine(message);
  if (answered_) return;
  if (is_notification && !stream_) {
    answered_ = true;
    return reply_->Respond({202});
  }
  Stream();
}

void ModernExchange::Send(OutgoingMessage message) {
  using Kind = OutgoingMessage::Kind;
  if (answered_ || message.kind == Kind::kCloseStream) return;
  const bool is_answer = message.kind == Kind::kAnswer;
  if (is_answer && !stream_) {
    answered_ = true;
    const int status = ModernStatus(ErrorCodeOf(message.bytes), bad_envelope_);
    reply_->Respond(JsonResponse(status, std::move(message.bytes)));
  } else {
    Stream().Send(SseEvent(message.bytes));
    if (!is_answer) return;
    answered_ = true;
    stream_->End();
  }
  if (on_answered_) on_answered_();
}

SseStream& ModernExchange::Stream() {
  if (!stream_) stream_.emplace(scheduler_, reply_);
  return *stream_;
}

}  // namespace assay::reference
