// How the harness reads event streams and lines. The first character chooses the limit, the second
// how large the pieces are in which the rest arrives. Two ways, one verdict: the readers
// (harness/transport), and the text of the HTML Standard §9.2.6, followed word by word over the
// whole stream.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/expect.h"
#include "fuzz/input.h"
#include "transport/framer.h"
#include "transport/sse_parser.h"

// The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace assay::fuzz {
namespace {

struct Stream {
  std::vector<std::string> events;  // type, data and last event id of each
  std::string last_event_id;
  std::optional<std::chrono::milliseconds> retry;
  bool overlong = false;
  bool unsure = false;  // whether the other way has to read the same
};

Stream Read(std::string_view text, std::size_t limit, std::size_t piece) {
  Stream stream;
  SseParser* reader = nullptr;
  SseParser parser(limit, {.event =
                               [&](const SseParser::Event& event) {
                                 stream.events.push_back(event.type + '\0' + event.data + '\0' +
                                                         reader->last_event_id());
                                 Expect(!event.id || *event.id == reader->last_event_id(),
                                        "an event's own id is the last one", *event.id);
                               },
                           .overlong = [&](const std::string&) { stream.overlong = true; }});
  reader = &parser;
  for (std::size_t at = 0; at < text.size(); at += piece) parser.Feed(text.substr(at, piece));
  parser.EndsInMidEvent();
  stream.last_event_id = parser.last_event_id();
  stream.retry = parser.retry();
  return stream;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) return lines;  // what no line end ends is dropped
    lines.push_back(text.substr(0, end));
    text.remove_prefix(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
}

// The standard's four buffers.
Stream ReadPlainly(std::string_view text) {
  Stream stream;
  std::string data;
  std::string type;
  std::string id;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const std::string_view line : LinesOf(text)) {
    if (line.empty()) {
      stream.last_event_id = id;
      if (!data.empty()) {
        data.pop_back();
        stream.events.push_back(type + '\0' + data + '\0' + id);
      }
      data.clear();
      type.clear();
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == 0) continue;
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") type = value;
    if (field == "data") (data += value) += '\n';
    if (field == "id" && value.find('\0') == std::string_view::npos) id = value;
    const bool digits =
        !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
    // More digits than these need not fit.
    if (field == "retry" && digits && value.size() <= 18) {
      stream.retry = std::chrono::milliseconds(std::stoll(std::string(value)));
    } else if (field == "retry" && digits) {
      stream.unsure = true;
    }
  }
  return stream;
}

void JudgeEvents(std::string_view text, std::size_t limit, std::size_t piece) {
  const Stream whole = Read(text, limit, text.size() + 1);
  const Stream pieces = Read(text, limit, piece);
  Expect(whole.events == pieces.events && whole.last_event_id == pieces.last_event_id &&
             whole.retry == pieces.retry && whole.overlong == pieces.overlong,
         "a stream is the same in pieces and as a whole", text);
  if (whole.overlong) return;
  const Stream plain = ReadPlainly(text);
  Expect(whole.events == plain.events, "both ways read the same events", text);
  Expect(whole.last_event_id == plain.last_event_id, "both ways read the same last id", text);
  Expect(plain.unsure || whole.retry == plain.retry, "both ways read the same time to wait", text);
}

std::vector<std::string> LinesIn(std::string_view text, std::size_t limit, std::size_t piece) {
  std::vector<std::string> lines;
  Framer framer(limit, {.line = [&](std::string line, bool) { lines.push_back(std::move(line)); },
                        .overlong = [&](const std::string&) { lines.emplace_back("\n"); }});
  for (std::size_t at = 0; at < text.size(); at += piece) framer.Feed(text.substr(at, piece));
  framer.End();
  return lines;
}

void JudgeLines(std::string_view text, std::size_t limit, std::size_t piece) {
  std::vector<std::string> plain;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = TakeLine(rest);
    plain.emplace_back(line.size() > limit ? "\n" : line);
  }
  Expect(LinesIn(text, limit, piece) == plain,
         "lines are what stands between line ends, however they arrive", text);
}

}  // namespace
}  // namespace assay::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::fuzz;
  constexpr std::array<std::size_t, 3> kLimits{1U << 20U, 16, 64};
  std::string_view text = Text(data, size);
  const std::size_t limit = kLimits.at(TakeChoice(text, kLimits.size()));
  const std::size_t piece = TakeChoice(text, 256) + 1;
  JudgeEvents(text, limit, piece);
  JudgeLines(text, limit, piece);
  return 0;
}
