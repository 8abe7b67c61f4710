#include "era/client_requests.h"

#include <algorithm>
#include <utility>

namespace assay::reference {

namespace json = boost::json;

ClientRequests::Ticket ClientRequests::Ask(const InputRequests& requests, const json::object& meta,
                                           std::string related, std::function<void(Answers)> done) {
  const Ticket ticket = ++last_ticket_;
  Inquiry& inquiry = inquiries_[ticket];
  inquiry.related = std::move(related);
  inquiry.done = std::move(done);
  for (const auto& [key, request] : requests) {
    // A string, so that it is never mistaken for one of the client's ids.
    std::string id = "\"server-" + std::to_string(++last_id_) + "\"";
    json::object params = request.params;
    if (!meta.empty()) params["_meta"] = meta;
    const std::string text = params.empty() ? std::string() : json::serialize(params);
    inquiry.open.emplace(id, key);
    outbox_.Request(std::move(id), request.method, text, inquiry.related);
  }
  return ticket;
}

void ClientRequests::Handle(const Response& response) {
  if (!response.id) return;
  const auto found = std::ranges::find_if(inquiries_, [&response](const auto& entry) {
    return entry.second.open.contains(response.id->text());
  });
  if (found == inquiries_.end()) return;
  Inquiry& inquiry = found->second;
  const auto asked = inquiry.open.find(response.id->text());
  if (response.result != nullptr) {
    // Not in the memory of the line, which the answer outlives.
    inquiry.answers[asked->second] = json::object(*response.result, json::storage_ptr());
  }
  inquiry.open.erase(asked);
  if (response.result != nullptr && !inquiry.open.empty()) return;

  const bool failed = response.result == nullptr;
  const std::function<void(Answers)> done = std::move(inquiry.done);
  json::object answers = std::move(inquiry.answers);
  Withdraw(found->first);  // what is still open after an error; nothing after the last answer
  if (!failed) return done(std::move(answers));
  done(std::string(response.error_message.empty() ? "no result" : response.error_message));
}

void ClientRequests::Withdraw(Ticket ticket) {
  const auto found = inquiries_.find(ticket);
  if (found == inquiries_.end()) return;
  const Inquiry withdrawn = std::move(found->second);
  inquiries_.erase(found);
  for (const auto& [id, key] : withdrawn.open) {
    outbox_.Notify("notifications/cancelled",
                   R"({"requestId":)" + id + R"(,"reason":"The answer is not needed any more"})",
                   withdrawn.related);
  }
}

}  // namespace assay::reference
