// Sums over a transcript.

#include "exchange/measurement.h"

#include <algorithm>

#include "message/balancer_fields.h"

namespace assay {
namespace {

using std::chrono::microseconds;

struct Span {
  microseconds from{0};
  microseconds to{0};
};

microseconds Overlap(const Span& a, const Span& b) {
  return std::max(microseconds(0), std::min(a.to, b.to) - std::max(a.from, b.from));
}

}  // namespace

std::string InstanceOf(const Transcript& transcript, std::size_t entry) {
  const Entry& part = transcript.entries[entry];
  for (const Entry& candidate : transcript.entries) {
    if (candidate.exchange != part.exchange || candidate.connection != part.connection ||
        candidate.head == nullptr) {
      continue;
    }
    if (const std::string* name = candidate.head->Find(kInstanceField)) return *name;
  }
  return part.connection == "main" ? "" : part.connection;
}

std::vector<Measurement> Measure(const Transcript& transcript, const ToMeasure& measured) {
  const auto& entries = transcript.entries;
  std::vector<Span> thoughts;
  for (const auto& [from, to] : measured.thoughts) {
    thoughts.push_back({entries[from].at, entries[to].at});
  }
  std::vector<Measurement> measurements;
  for (const auto& [name, requests] : measured.requests) {
    Measurement& sum = measurements.emplace_back();
    sum.name = name;
    for (const Span& thought : thoughts) sum.thought += thought.to - thought.from;
    for (const std::size_t request : requests) {
      const Entry& sent = entries[request];
      const std::size_t end = transcript.HttpEnd(request).value_or(entries.size() - 1);
      const Span span{sent.at, entries[end].at};
      ++sum.requests;
      sum.held += span.to - span.from;
      for (const Span& thought : thoughts) sum.held_while_thinking += Overlap(span, thought);
      if (sent.message.kind == Message::Kind::kRequest) {
        sum.finished_on = InstanceOf(transcript, request);
        if (sum.began_on.empty()) sum.began_on = sum.finished_on;
      }
      for (std::size_t i = request + 1; i <= end; ++i) {
        const Entry& came = entries[i];
        const bool is_of_it =
            came.exchange == sent.exchange && came.connection == sent.connection &&
            (came.direction == Entry::Direction::kIn || came.event == Entry::Event::kHttpBody);
        if (is_of_it) sum.bytes += came.bytes.size();
      }
    }
  }
  return measurements;
}

}  // namespace assay
