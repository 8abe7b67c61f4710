#include "reports/area.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace assay {
namespace {

// What stands between the first hyphen of an id and the second. Areas in the order of reading.
constexpr std::pair<std::string_view, std::string_view> kAreas[] = {
    {"BASE", "messages"},
    {"RPC", "messages"},
    {"BATCH", "messages"},
    {"GEN", "messages"},
    {"ERR", "errors"},
    {"META", "envelope"},
    {"STATE", "envelope"},
    {"VER", "versions"},
    {"DISCOVER", "versions"},
    {"EXT", "versions"},
    {"INIT", "handshake"},
    {"PING", "ping"},
    {"STDIO", "stdio"},
    {"TRANS", "stdio"},
    {"HTTP", "http"},
    {"HDR", "http"},
    {"SSE", "http"},
    {"AUTH", "authorization"},
    {"TOOLS", "tools"},
    {"RES", "resources"},
    {"PROMPT", "prompts"},
    {"PROMPTS", "prompts"},
    {"COMPL", "completion"},
    {"COMPLETE", "completion"},
    {"CONTENT", "content"},
    {"ICON", "content"},
    {"JSCHEMA", "content"},
    {"PAGE", "pagination"},
    {"CACHE", "caching"},
    {"SUB", "subscriptions"},
    {"CANCEL", "cancellation"},
    {"PROG", "progress"},
    {"PROGRESS", "progress"},
    {"LOG", "logging"},
    {"MRTR", "input requests"},
    {"ELICIT", "elicitation"},
    {"SAMPLE", "sampling"},
    {"SAMPLING", "sampling"},
    {"ROOTS", "roots"},
    {"TASK", "tasks"},
};

constexpr std::string_view kTasks = "tasks";
constexpr std::string_view kContract = "contract";
constexpr std::string_view kOther = "other";

}  // namespace

std::string_view AreaOf(std::string_view requirement) {
  if (requirement.starts_with("T-")) return kTasks;
  if (requirement.starts_with("C-")) return kContract;
  if (!requirement.starts_with("M-") && !requirement.starts_with("L-")) return kOther;
  requirement.remove_prefix(2);
  const std::string_view word = requirement.substr(0, requirement.find('-'));
  const auto* const found = std::find_if(std::begin(kAreas), std::end(kAreas),
                                         [&](const auto& area) { return area.first == word; });
  return found == std::end(kAreas) ? kOther : found->second;
}

const std::vector<std::string_view>& Areas() {
  static const std::vector<std::string_view> kAll = [] {
    std::vector<std::string_view> all;
    for (const auto& [word, area] : kAreas) {
      if (all.empty() || all.back() != area) all.push_back(area);
    }
    all.insert(all.end(), {kContract, kOther});
    return all;
  }();
  return kAll;
}

}  // namespace assay
