// A line ends at CR, LF or CRLF. It counts as ended at the CR, so that an event is not held up
// until the byte after it comes.

#include "transport/sse_parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kHeadOfOverlongEvent = 4096;

}  // namespace

std::string_view SseParser::WithoutByteOrderMark(std::string_view bytes) {
  while (at_start_ && !bytes.empty()) {
    if (bytes.front() == kByteOrderMark[mark_seen_]) {
      bytes.remove_prefix(1);
      at_start_ = ++mark_seen_ < kByteOrderMark.size();
    } else {
      at_start_ = false;
      Append(kByteOrderMark.substr(0, mark_seen_));  // it was none
    }
  }
  return bytes;
}

void SseParser::Feed(std::string_view bytes) {
  bytes = WithoutByteOrderMark(bytes);
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    Append(bytes.substr(0, end));
    if (end == bytes.size()) return;
    after_return_ = bytes[end] == '\r';
    EndLine();
    bytes.remove_prefix(end + 1);
  }
}

bool SseParser::EndsInMidEvent() const {
  return in_event_ || (!line_.empty() && line_.front() != ':');
}

void SseParser::Append(std::string_view piece) {
  if (piece.empty()) return;
  const bool comment = (line_.empty() ? piece : line_).front() == ':';
  if (skipping_ || comment) {
    // Only whether the line is empty, and a comment, still matters.
    if (line_.empty()) line_ = piece.front();
    return;
  }
  if (line_.size() + piece.size() + data_.size() > max_event_) {
    std::string head = data_ + line_;
    head.append(piece.substr(0, kHeadOfOverlongEvent));
    head.resize(std::min(head.size(), kHeadOfOverlongEvent));
    skipping_ = in_event_ = true;
    data_.clear();
    line_ = ".";
    sink_.overlong(std::move(head));
    return;
  }
  line_.append(piece);
}

void SseParser::EndLine() {
  const std::string line = std::exchange(line_, {});
  if (line.empty()) return Dispatch();
  if (skipping_ || line.front() == ':') return;
  const std::size_t colon = std::min(line.find(':'), line.size());
  std::string_view value = std::string_view(line).substr(std::min(colon + 1, line.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  TakeField(std::string_view(line).substr(0, colon), value);
}

void SseParser::TakeField(std::string_view name, std::string_view value) {
  if (name == "data") {
    in_event_ = true;
    data_.append(value).append("\n");
  } else if (name == "event") {
    in_event_ = true;
    type_ = value;
  } else if (name == "id") {
    in_event_ = true;
    if (value.find('\0') == std::string_view::npos) {
      id_ = value;
      has_id_ = true;
    }
  } else if (name == "retry") {
    std::chrono::milliseconds::rep time = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), time);
    // Digits alone: "-0" is no time.
    if (error == std::errc() && end == value.data() + value.size() && value.front() != '-') {
      retry_ = std::chrono::milliseconds(time);
    }
  }
}

void SseParser::Dispatch() {
  Event event{.type = std::exchange(type_, {}), .data = std::exchange(data_, {})};
  if (std::exchange(has_id_, false)) event.id = id_;
  in_event_ = false;
  if (std::exchange(skipping_, false)) {
    id_ = last_event_id_;
    return;
  }
  last_event_id_ = id_;
  if (event.data.empty()) return;
  event.data.pop_back();
  sink_.event(std::move(event));
}

}  // namespace assay
