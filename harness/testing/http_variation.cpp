#include "testing/http_variation.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace assay {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kEventStream = "text/event-stream";
// Smaller than any message, and no divisor of much.
constexpr std::size_t kPiece = 11;

// Every other letter is a capital.
std::string InMixedCase(std::string text) {
  for (std::size_t i = 0; i < text.size(); i += 2) {
    text[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
  }
  return text;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string Chunk(std::string_view bytes, std::string_view extension) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string size;
  for (std::size_t left = bytes.size(); left != 0; left /= 16)
    size.insert(0, 1, kDigits[left % 16]);
  return size.append(extension).append("\r\n").append(bytes).append("\r\n");
}

// Lets answers of other connections overtake this one, if it is one of every two.
bool LetOvertake() {
  static std::atomic<unsigned> begun{0};
  static std::atomic<unsigned> sent{0};
  const unsigned sent_before = sent;
  bool overtaken = false;
  if (++begun % 2 == 0) {
    std::this_thread::sleep_for(kMoment);
    overtaken = sent != sent_before;
  }
  ++sent;
  return overtaken;
}

}  // namespace

void VariedAnswer::Head(HttpHead head, const std::string& status_line) {
  head_ = std::move(head);
  status_line_ = status_line;
  streams_ = head_.MediaType() == kEventStream;
  if (streams_) SendHead(Framing::kChunks);
}

void VariedAnswer::Body(std::string_view piece) {
  pending_.append(piece);
  if (!streams_) return;
  // The server ends its lines with LF.
  for (std::size_t end = 0; (end = pending_.find("\n\n")) != std::string::npos;) {
    SendEvent(std::string_view(pending_).substr(0, end));
    pending_.erase(0, end + 2);
  }
}

void VariedAnswer::End() {
  if (!streams_) {
    if (variation_.Is("out-of-order") && LetOvertake()) variation_.NoteChange();
    if (BecomesStream()) {
      SendAsStream();
    } else {
      SendWhole();
    }
  }
  if (framing_ != Framing::kChunks) return;
  write_(variation_.Is("chunks") ? "0;last\r\nX-Trailer: the end\r\n\r\n" : "0\r\n\r\n");
}

void VariedAnswer::Idle() {
  if (streams_ && variation_.Makes("keep-alives")) SendBody(":\n\n");
}

void VariedAnswer::SendWhole() {
  std::string body = std::exchange(pending_, {});
  if (head_.MediaType() == kJson) body = variation_.Apply(body);
  if (head_.MediaType() == kJson && variation_.Is("spaces")) body = "\r\n " + body + "\n";
  const bool may_change = !body.empty() && asked_.http_method != "HEAD";
  if (may_change && variation_.Makes("chunks")) {
    SendHead(Framing::kChunks);
  } else if (may_change && variation_.Makes("until-close")) {
    SendHead(Framing::kClose);
  } else {
    if (may_change) SetField("Content-Length", std::to_string(body.size()));
    SendHead(Framing::kLength);
  }
  if (!body.empty()) SendBody(body);
}

// A server may choose, for a request, unless it is told not to, or its status says more than a
// stream can. How the stream is to begin depends on the revision.
bool VariedAnswer::BecomesStream() const {
  if (!variation_.Is("as-stream") || head_.status != 200 || asked_.http_method != "POST" ||
      asked_.method == "tasks/get") {
    return false;
  }
  const JsonParse message = ParseJson(pending_);
  return message.value && message.value->Find("id") != nullptr && !Revision(*message.value).empty();
}

std::string VariedAnswer::Revision(const Json& message) const {
  const Json* opened = message.Find("result", "protocolVersion");
  return opened != nullptr ? opened->text() : asked_.revision;
}

void VariedAnswer::SendAsStream() {
  variation_.NoteChange();
  const std::string message = std::exchange(pending_, {});
  SetField("Content-Type", std::string(kEventStream));
  SetField("Cache-Control", "no-cache");
  SetField("X-Accel-Buffering", "no");
  SendHead(Framing::kChunks);
  std::string id;
  if (Revision(*ParseJson(message).value) == "2025-11-25") {
    static std::atomic<unsigned> streams{0};
    id = "id: relay-" + std::to_string(++streams);
    SendEvent(id + "-0\ndata: ");
    id += "-1\n";
  }
  SendEvent(id + "data: " + message);
}

void VariedAnswer::SetField(std::string_view name, const std::string& value) {
  const auto found = std::ranges::find_if(
      head_.fields, [&](const HttpField& field) { return SameFieldName(field.name, name); });
  if (found == head_.fields.end()) {
    head_.fields.push_back({std::string(name), value});
  } else {
    found->value = value;
  }
}

void VariedAnswer::SendHead(Framing framing) {
  framing_ = streams_ && variation_.Makes("until-close") ? Framing::kClose : framing;
  if (framing_ != Framing::kLength) {
    std::erase_if(head_.fields, [](const HttpField& field) {
      return SameFieldName(field.name, "Content-Length") ||
             SameFieldName(field.name, "Transfer-Encoding");
    });
  }
  if (framing_ == Framing::kChunks) SetField("Transfer-Encoding", "chunked");
  closes_ = framing_ == Framing::kClose || variation_.Makes("connection-close");
  if (closes_) SetField("Connection", "close");
  if (head_.Find("Content-Type") != nullptr && variation_.Makes("media-type")) {
    SetField("Content-Type", InMixedCase(head_.MediaType()) + " ; Charset=UTF-8");
  }
  std::string bytes;
  if (variation_.Makes("more-fields")) {
    for (const char* name : {"Date", "Server", "Vary", "Set-Cookie", "Mcp-Unheard-Of"}) {
      head_.fields.push_back({name, "\t anything \t"});
    }
    head_.fields.push_back({"X-Empty", ""});
    bytes = "HTTP/1.1 103 Early Hints\r\nLink: </>; rel=preload\r\n\r\n";
    status_line_ = "HTTP/1.1 " + std::to_string(head_.status) + " What a day";
  }
  bytes += status_line_ + "\r\n";
  for (const HttpField& field : head_.fields) {
    bytes += variation_.Makes("field-case") ? InMixedCase(field.name) : field.name;
    bytes += ": " + field.value + "\r\n";
  }
  write_(bytes + "\r\n");
}

void VariedAnswer::SendEvent(std::string_view lines) {
  std::optional<std::string> data;
  std::vector<std::string> varied;
  for (const std::string& line : LinesOf(lines)) {
    if (line.starts_with("data: ")) {
      data = (data ? *data + "\n" : "") + line.substr(6);
    } else {
      varied.push_back(line);
    }
  }
  if (variation_.Makes("event-fields")) {
    varied.insert(varied.end(), {"event: message", "unheard-of: anything", "alone", "Data: no"});
  }
  if (data && !data->empty()) data = variation_.Apply(*data);
  if (data && variation_.Makes("data-lines")) data = AfterEachToken(*data, "\n");
  if (data) {
    for (const std::string& line : LinesOf(*data)) {
      if (variation_.Makes("comments")) varied.emplace_back(": data: a comment");
      varied.push_back((variation_.Is("event-fields") ? "data:" : "data: ") + line);
    }
  }
  const std::string end = variation_.Makes("cr") ? "\r" : variation_.Makes("crlf") ? "\r\n" : "\n";
  std::string text;
  if (!std::exchange(any_event_, true) && variation_.Is("comments")) text = "\xEF\xBB\xBF";
  for (const std::string& line : varied) text += line + end;
  text += end;
  if (variation_.Makes("keep-alives")) text += ":" + end + end + ": still here" + end + end + end;
  SendBody(text);
}

void VariedAnswer::SendBody(std::string_view piece) {
  if (framing_ != Framing::kChunks) {
    write_(piece);
  } else if (!variation_.Makes("chunks")) {
    write_(Chunk(piece, ""));
  } else {
    std::string bytes;
    for (std::size_t at = 0, size = 1; at < piece.size(); at += size, size = size % kPiece + 1) {
      bytes += Chunk(piece.substr(at, size), ";of=\"some\"");
    }
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      write_(std::string_view(bytes).substr(at, kPiece));
    }
  }
}

}  // namespace assay
