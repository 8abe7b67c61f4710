// Observations -> graph.

#include "campaign/state_graph.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "message/json.h"
#include "reports/visible_text.h"

namespace assay {
namespace {

// What a label can hold and people still read.
constexpr std::size_t kMostNamed = 8;

std::string Quoted(const std::string& text) { return Json::String(Visible(text)).Dump(); }

}  // namespace

bool StateGraph::Add(const Observation& seen) {
  Edge& edge = edges_[{seen.before, seen.method, seen.signature}];
  edge.to = seen.after;
  return edge.count++ == 0;
}

std::size_t StateGraph::states() const {
  std::set<std::string> names;
  for (const auto& [key, edge] : edges_) names.insert({std::get<0>(key), edge.to});
  return names.size();
}

std::string StateGraph::ToDot() const {
  std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::size_t, std::string>>>
      arrows;
  for (const auto& [key, edge] : edges_) {
    const auto& [from, method, signature] = key;
    arrows[{from, edge.to}].push_back({edge.count, method + ": " + signature});
  }
  std::string dot = "digraph server {\n  rankdir=LR;\n  node [shape=box];\n";
  for (auto& [ends, labels] : arrows) {
    std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(labels.size(), kMostNamed); ++i) {
      text += labels[i].second + " (" + std::to_string(labels[i].first) + ")\n";
    }
    if (labels.size() > kMostNamed) {
      text += "and " + std::to_string(labels.size() - kMostNamed) + " more\n";
    }
    dot += "  " + Quoted(ends.first) + " -> " + Quoted(ends.second) +
           " [label=" + Json::String(text).Dump() + "];\n";
  }
  return dot + "}\n";
}

}  // namespace assay
