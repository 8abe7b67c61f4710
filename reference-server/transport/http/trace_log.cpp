#include "transport/http/trace_log.h"

#include <boost/json.hpp>
#include <functional>
#include <string_view>
#include <utility>

#include "protocol/json_text.h"

namespace assay::reference {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostParams = 200;

/// Keeps everything on its line.
std::string OneLine(std::string_view text, std::size_t most) {
  std::string line(text.substr(0, most));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  if (text.size() > most) line += "...";
  return line;
}

bool IsMcpHeader(std::string_view name) {
  return EqualsIgnoringCase(name.substr(0, 4), "Mcp-") || EqualsIgnoringCase(name, "Last-Event-ID");
}

std::string Describe(const HttpRequest& request, std::string_view instance) {
  std::string line(instance);
  line += ' ' + OneLine(request.method, 20) + ' ' + OneLine(request.path(), 100);
  for (const HttpHeader& header : request.headers) {
    if (!IsMcpHeader(header.name)) continue;
    // Whoever has a session's id has the session.
    const std::size_t most = EqualsIgnoringCase(header.name, "Mcp-Session-Id") ? 8 : 100;
    line += ' ' + OneLine(header.name, 100) + '=' + OneLine(header.value, most);
  }
  if (const auto method = MemberText(request.body, "method")) {
    line += " method=" + OneLine(*method, 100);
  }
  if (const auto params = MemberText(request.body, "params")) {
    line += " params=" + OneLine(*params, kMostParams);
  }
  return line;
}

/// `resultType=…`, `result`, `error=…`, or nothing for what is no answer.
std::string Outcome(std::string_view message) {
  if (const auto result = MemberText(message, "result")) {
    const auto type = MemberText(*result, "resultType");
    return type ? "resultType=" + OneLine(*type, 100) : "result";
  }
  const auto error = MemberText(message, "error");
  const auto code = error ? MemberText(*error, "code") : std::nullopt;
  return code ? "error=" + OneLine(*code, 20) : std::string();
}

/// Of an event, the data if it has any on one line.
std::string_view EventData(std::string_view event) {
  constexpr std::string_view kField = "data: ";
  const std::size_t begin = event.find(kField);
  if (begin == std::string_view::npos) return {};
  event.remove_prefix(begin + kField.size());
  return event.substr(0, event.find('\n'));
}

class TracedReply : public HttpReply {
 public:
  TracedReply(std::string line, std::ostream& out, std::shared_ptr<HttpReply> inner)
      : line_(std::move(line)), out_(out), inner_(std::move(inner)) {}
  ~TracedReply() override { Print(); }
  TracedReply(const TracedReply&) = delete;
  TracedReply& operator=(const TracedReply&) = delete;

  void Respond(HttpResponse response) override {
    status_ = response.status;
    outcome_ = Outcome(response.body);
    inner_->Respond(std::move(response));
    Print();
  }
  void Start(HttpResponse head) override {
    status_ = head.status;
    inner_->Start(std::move(head));
  }
  void Write(std::string bytes) override {
    if (std::string outcome = Outcome(EventData(bytes)); !outcome.empty()) {
      outcome_ = std::move(outcome);
    }
    inner_->Write(std::move(bytes));
  }
  void End() override {
    inner_->End();
    Print();
  }
  void OnGone(std::function<void()> gone) override { inner_->OnGone(std::move(gone)); }

 private:
  /// An exchange that the client left is printed when its reply is dropped.
  void Print() {
    if (std::exchange(printed_, true)) return;
    line_ += " status=" + std::to_string(status_);
    if (!outcome_.empty()) line_ += ' ' + outcome_;
    out_ << line_ + '\n' << std::flush;
  }

  std::string line_;
  std::ostream& out_;
  std::shared_ptr<HttpReply> inner_;
  int status_ = 0;
  std::string outcome_;
  bool printed_ = false;
};

}  // namespace

void TraceLog::Handle(HttpRequest request, std::shared_ptr<HttpReply> reply) {
  auto traced = std::make_shared<TracedReply>(Describe(request, instance_), out_, std::move(reply));
  inner_.Handle(std::move(request), std::move(traced));
}

}  // namespace assay::reference
