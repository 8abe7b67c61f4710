#include "faults/http_edit.h"

#include <algorithm>

#include "faults/edit.h"
#include "protocol/json_text.h"
#include "transport/http/answer_status.h"

namespace assay::reference {

std::string_view MethodOf(const HttpRequest& request) {
  const std::string_view text = MemberText(request.body, "method").value_or("");
  return text.size() < 2 || text.front() != '"' ? std::string_view()
                                                : text.substr(1, text.size() - 2);
}

std::string_view IdOf(const HttpRequest& request) {
  return MemberText(request.body, "id").value_or("");
}

bool IsNotification(const HttpRequest& request) {
  return !MethodOf(request).empty() && IdOf(request).empty();
}

bool NamesSession(const HttpRequest& request) {
  return request.Header("Mcp-Session-Id").has_value();
}

void EraseHeader(HttpHeaders& headers, std::string_view name) {
  std::erase_if(headers,
                [name](const HttpHeader& header) { return EqualsIgnoringCase(header.name, name); });
}

void EditBody(HttpResponse& response, const std::function<void(boost::json::object&)>& edit) {
  std::optional<boost::json::object> body = ParseObject(response.body);
  if (!body) return;
  edit(*body);
  response.body = SerializeLike(*body, response.body);
}

std::optional<int> ErrorOf(const HttpResponse& response) { return ErrorCodeOf(response.body); }

std::string_view DataOf(std::string_view event) {
  constexpr std::string_view kField = "data: ";
  const std::size_t begin = event.find(kField);
  if (begin == std::string_view::npos) return {};
  event.remove_prefix(begin + kField.size());
  return event.substr(0, event.find('\n'));
}

bool IsResponseEvent(std::string_view event) {
  const std::string_view data = DataOf(event);
  return MemberText(data, "result").has_value() || MemberText(data, "error").has_value();
}

}  // namespace assay::reference
