#include "era/outbox.h"

#include <utility>

namespace assay::reference {
namespace {

std::string Line(std::string message) {
  message += '\n';
  return message;
}

}  // namespace

void Outbox::Answer(const ReplyTo& to, const Outcome& outcome) {
  std::string text = std::holds_alternative<ResultText>(outcome)
                         ? ResultMessage(to.id, std::get<ResultText>(outcome))
                         : ErrorMessage(to.id, std::get<ProtocolError>(outcome));
  if (to.batch == nullptr) {
    sink_.Send({OutgoingMessage::Kind::kAnswer, to.method, to.id, Line(std::move(text))});
    return;
  }
  to.batch->answers.push_back(std::move(text));
  Complete(*to.batch);
}

void Outbox::Forgo(const ReplyTo& to) {
  if (to.batch != nullptr) Complete(*to.batch);
}

void Outbox::Notify(std::string_view method, std::string_view params_json, std::string related) {
  sink_.Send({OutgoingMessage::Kind::kNotification, std::string(method), std::string(),
              Line(NotificationMessage(method, params_json)), std::move(related)});
}

void Outbox::Request(std::string id, std::string_view method, std::string_view params_json,
                     std::string related) {
  std::string text = Line(RequestMessage(id, method, params_json));
  sink_.Send({OutgoingMessage::Kind::kRequest, std::string(method), std::move(id), std::move(text),
              std::move(related)});
}

void Outbox::CloseStream(std::string related) {
  sink_.Send({OutgoingMessage::Kind::kCloseStream, {}, {}, {}, std::move(related)});
}

void Outbox::Complete(Batch& batch) {
  if (--batch.unanswered > 0 || batch.answers.empty()) return;
  std::string array = "[";
  for (const std::string& answer : batch.answers) {
    if (array.size() > 1) array += ',';
    array += answer;
  }
  array += ']';
  sink_.Send(
      {OutgoingMessage::Kind::kAnswer, "-", std::string(), Line(std::move(array)), batch.first_id});
}

}  // namespace assay::reference
