// Cutting out the middle.

#include "runner/kept_transcript.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "message/balancer_fields.h"

namespace assay {
namespace {

constexpr std::size_t kLine = std::size_t{256} << 10;
constexpr std::size_t kHead = std::size_t{768} << 10;
constexpr std::size_t kTail = std::size_t{256} << 10;
// What a line takes besides its bytes.
constexpr std::size_t kOverhead = 200;

std::string_view NameOf(Entry::Direction direction) {
  switch (direction) {
    case Entry::Direction::kOut:
      return "out";
    case Entry::Direction::kIn:
      return "in";
    case Entry::Direction::kError:
      return "err";
    case Entry::Direction::kEvent:
      return "event";
  }
  return "";
}

std::size_t CostOf(const Entry& entry) { return std::min(entry.bytes.size(), kLine) + kOverhead; }

TranscriptLine Keep(const Entry& entry) {
  TranscriptLine line{.at = entry.at,
                      .connection = entry.connection,
                      .direction = std::string(NameOf(entry.direction)),
                      .bytes = entry.bytes.substr(0, kLine),
                      .step = entry.step,
                      .by_harness = entry.by_harness};
  if (entry.bytes.size() > kLine) {
    line.bytes += "[" + std::to_string(entry.bytes.size() - kLine) + " bytes left out]";
  }
  return line;
}

using Tokens = std::map<std::string, std::string>;

std::string WithoutSecrets(std::string value, const Tokens& tokens) {
  for (const auto& [name, token] : tokens) {
    // A token is the whole of what follows the scheme: another may begin like it.
    if (value.ends_with(" " + token)) {
      return value.substr(0, value.size() - token.size()) + "${token." + name + "}";
    }
  }
  return value;
}

// The request line and the fields that say something: those every request has are left out.
std::string Told(const HttpRequest& request, const Tokens& tokens) {
  std::string text = request.method + (request.path.empty() ? "" : " " + request.path);
  for (const HttpField& field : request.fields) {
    if (SameFieldName(field.name, "Content-Type") && field.value == "application/json") continue;
    if (SameFieldName(field.name, "Accept") && field.value.find('/') != std::string::npos) continue;
    const bool is_secret = SameFieldName(field.name, "Authorization");
    text += " | " + field.name + ": ";
    text += is_secret ? WithoutSecrets(field.value, tokens) : field.value;
  }
  return text;
}

// Over HTTP a message is preceded by what carries it; an answer that ends well is no news.
void KeepInto(std::vector<TranscriptLine>& kept, const Entry& entry, const Tokens& tokens) {
  if (entry.event == Entry::Event::kHttpEnd && entry.bytes.empty()) return;
  if (entry.request != nullptr) {
    TranscriptLine line = Keep(entry);
    line.direction = NameOf(Entry::Direction::kEvent);
    line.bytes = Told(*entry.request, tokens).substr(0, kLine);
    kept.push_back(std::move(line));
    if (entry.bytes.empty()) return;
  }
  kept.push_back(Keep(entry));
  // Who of a fleet it was.
  if (entry.event == Entry::Event::kHttpHead) {
    if (const std::string* instance = entry.head->Find(kInstanceField)) {
      kept.back().bytes += " | " + std::string(kInstanceField) + ": " + *instance;
    }
  }
  if (entry.event == Entry::Event::kHttpEventId) kept.back().bytes.insert(0, "event id ");
}

}  // namespace

std::vector<TranscriptLine> KeepTranscript(const Transcript& transcript, const Tokens& tokens) {
  const auto& entries = transcript.entries;
  std::size_t head = 0;
  for (std::size_t cost = 0; head < entries.size(); ++head) {
    cost += CostOf(entries[head]);
    if (cost > kHead) break;
  }
  std::size_t tail = entries.size();
  for (std::size_t cost = 0; tail > head; --tail) {
    cost += CostOf(entries[tail - 1]);
    if (cost > kTail) break;
  }
  std::vector<TranscriptLine> kept;
  for (std::size_t i = 0; i < head; ++i) KeepInto(kept, entries[i], tokens);
  if (tail > head) {
    kept.push_back({.at = entries[head].at,
                    .connection = entries[head].connection,
                    .direction = std::string(NameOf(Entry::Direction::kEvent)),
                    .bytes = std::to_string(tail - head) + " lines left out"});
  }
  for (std::size_t i = tail; i < entries.size(); ++i) KeepInto(kept, entries[i], tokens);
  return kept;
}

}  // namespace assay
