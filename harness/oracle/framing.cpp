// What stands on stdout: one JSON-RPC message a line, in UTF-8, and nothing else.

#include "oracle/framing.h"

#include <string>
#include <utility>

namespace assay::oracle {
namespace {

constexpr Duty kOnlyMessages{"M-STDIO-STDOUT-ONLY-MCP", "L-STDIO-stdout-clean"};
constexpr Duty kOnePerLine{"M-STDIO-ONE-MESSAGE-PER-LINE", "L-STDIO-newline-delimited"};
constexpr Duty kNoEmbeddedNewline{"M-STDIO-NO-EMBEDDED-NEWLINE", "L-STDIO-no-embedded-newline"};
constexpr Duty kUtf8{"M-TRANS-UTF8", "L-BASE-utf8", "2025-03-26"};
// An array is no message of the modern era, nor of the revisions without batches.
constexpr Duty kNoArrays2024{"M-STDIO-STDOUT-ONLY-MCP", "L-STDIO-single-message", "2024-11-05",
                             "2024-11-05"};
constexpr Duty kNoArrays2025{"M-STDIO-STDOUT-ONLY-MCP", "L-STDIO-single-message-2025-06",
                             "2025-06-18"};
constexpr Duty kNoEmptyArray{"", "L-BATCH-only-notifications-silent", "2025-03-26", "2025-03-26"};

// Enough of a line to recognise it by, without the bytes that are no text.
Json Excerpt(const std::string& line) {
  constexpr std::size_t kLength = 120;
  std::string text = line.substr(0, kLength);
  if (const std::size_t bad = FindInvalidUtf8(text); bad != std::string::npos) text.resize(bad);
  if (text.size() < line.size()) text += "…";
  return Json::String(std::move(text));
}

bool Blank(const std::string& line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string::npos;
}

std::string WhatItIs(const Entry& entry) {
  const std::string& line = entry.bytes;
  if (line.rfind("\xEF\xBB\xBF", 0) == 0) return "A line on stdout begins with a byte order mark";
  if (line.rfind("Content-Length:", 0) == 0 || line.rfind("Content-Type:", 0) == 0) {
    return "Messages on stdout are framed with headers instead of newlines";
  }
  const std::size_t end = entry.message.parse_error_offset;
  if (end > 0 && end < line.size() && line[0] == '{' && line[end] == '{' &&
      ParseJson(line.substr(0, end)).value) {
    return "A line on stdout holds more than one message";
  }
  return "A line on stdout is not JSON";
}

// Lines are how stdio frames messages; HTTP has bodies and events.
bool IsLine(const Moment& moment) {
  return moment.received != nullptr && !moment.session->over_http;
}

void JudgeBroken(const Received& line, Findings& findings) {
  const std::string& bytes = line.entry->bytes;
  if (Blank(bytes)) {
    findings.Report(kOnePerLine, line, "A line on stdout is empty");
    return;
  }
  if (FindInvalidUtf8(bytes) != std::string::npos) {
    const std::string message = "A line on stdout is not valid UTF-8";
    if (line.era == Era::kModern || !kUtf8.IdFor(line.era, line.revision).empty()) {
      findings.Report(kUtf8, line, message, {.actual = Excerpt(bytes)});
    } else {
      // 2024-11-05 leaves it to JSON, which does.
      findings.Report(kOnlyMessages, line, message,
                      {.actual = Excerpt(bytes), .at_most_warn = true});
    }
    return;
  }
  findings.Report(kOnlyMessages, line, WhatItIs(*line.entry), {.actual = Excerpt(bytes)});
}

void JudgeLines(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (!IsLine(moment)) continue;
    const Received& line = *moment.received;
    if (line.kind == Received::Kind::kBroken) {
      JudgeBroken(line, findings);
    } else if (line.lines > 1) {
      findings.Report(kNoEmbeddedNewline, line,
                      line.newline_in_string
                          ? "A message has a raw newline in a string and is torn into lines"
                          : "A message is spread over several lines");
    }
    if (line.entry->unterminated && line.kind != Received::Kind::kBroken) {
      findings.Report(kOnePerLine, line, "The last message on stdout does not end with a newline");
    }
  }
}

void JudgeArrays(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (!IsLine(moment)) continue;
    const Received& item = *moment.received;
    const bool empty = item.body != nullptr && item.body->is_array() && !item.in_array;
    if (!item.in_array && !empty) continue;
    if (item.era == Era::kLegacy && item.revision == "2025-03-26") {
      if (empty) {
        findings.Report(kNoEmptyArray, item, "An empty array stands on stdout");
      }
      continue;
    }
    const std::string message = "A JSON array stands on stdout";
    if (item.era == Era::kLegacy && item.revision.empty()) {
      // Perhaps the connection would have become one of 2025-03-26.
      findings.Report(kOnlyMessages, item, message, {.at_most_warn = true});
      continue;
    }
    // To a client that wrote an array itself, an array is an understandable answer.
    findings.Report({kNoArrays2024, kNoArrays2025}, item, message,
                    {.at_most_warn = item.session->sent_batch});
  }
}

void JudgeStrays(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (!IsLine(moment) || moment.received->kind != Received::Kind::kStray) continue;
    const Received& stray = *moment.received;
    if (stray.body->is_array() && !stray.in_array) continue;  // judged as an array
    // One that means to be a response is judged as such.
    if (stray.body->is_object() && stray.body->Find("id") != nullptr) continue;
    findings.Report(kOnlyMessages, stray,
                    stray.body->is_object()
                        ? "A line on stdout is a JSON object but no JSON-RPC message"
                        : "A line on stdout is JSON but no JSON-RPC message",
                    {.actual = Excerpt(stray.entry->bytes)});
  }
}

void JudgeLimits(const Ledger& ledger, Findings& findings) {
  for (const Moment& moment : ledger.moments()) {
    if (moment.event == nullptr || moment.session->over_http) continue;
    const Session& session = *moment.session;
    const auto report = [&](const Duty& duty, const char* message) {
      // No page limits the length of a line or the number of lines.
      findings.Report(duty, session.era, session.revision, moment.at, moment.event->step, message,
                      {.at_most_warn = true});
    };
    if (moment.event->event == Entry::Event::kOverlongLine) {
      report(kOnePerLine, "A line on stdout went on beyond any reasonable length and was cut");
    } else if (moment.event->event == Entry::Event::kFlood) {
      report(kOnlyMessages, "The server flooded its stdout, so it was ended");
    }
  }
}

}  // namespace

std::vector<Rule> FramingRules() {
  return {
      {"stdout-lines", {kOnlyMessages, kOnePerLine, kNoEmbeddedNewline, kUtf8}, JudgeLines},
      {"stdout-arrays", {kOnlyMessages, kNoArrays2024, kNoArrays2025, kNoEmptyArray}, JudgeArrays},
      {"stdout-strays", {kOnlyMessages}, JudgeStrays},
      {"stdout-limits", {kOnePerLine, kOnlyMessages}, JudgeLimits},
  };
}

}  // namespace assay::oracle
