// Marks -> does it settle?

#include "oracle/memory.h"

#include <string>

namespace assay::oracle {
namespace {

constexpr Duty kSettles{"C-MEMORY-SETTLES", "C-MEMORY-SETTLES"};

std::string Mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

void JudgeMemory(const Ledger& ledger, Findings& findings) {
  const Transcript& transcript = ledger.transcript();
  const std::vector<std::size_t> marks = MemoryMarks(transcript);
  const std::size_t growth = SteadyGrowth(marks);
  if (growth == 0) return;
  std::string seen;
  for (const std::size_t mark : marks) seen += (seen.empty() ? "" : ", ") + Mebibytes(mark);
  findings.Report(
      kSettles, transcript.era, transcript.revision, transcript.entries.size(), "",
      std::string(kMemoryGrows),
      {.expected = Json::String("less than " + Mebibytes(kMuchMemory) +
                                " in the second half of the way; if a collector of garbage is "
                                "given that much room, give it less"),
       .actual = Json::String(Mebibytes(growth) + " in the second half of the way: " + seen)});
}

}  // namespace

std::size_t SteadyGrowth(const std::vector<std::size_t>& marks, std::size_t much) {
  if (marks.size() < kMemoryMarks) return 0;
  const std::size_t middle = marks.size() / 2 - 1;
  if (marks.back() < marks[middle] + much) return 0;
  const std::size_t growth = marks.back() - marks[middle];
  const std::size_t distances = marks.size() - 1 - middle;
  for (std::size_t i = middle + 1; i < marks.size(); ++i) {
    if (marks[i] < marks[i - 1] + growth / distances / 2) return 0;
  }
  return growth;
}

std::vector<std::size_t> MemoryMarks(const Transcript& transcript) {
  std::vector<std::size_t> marks;
  for (const Entry& entry : transcript.entries) {
    if (entry.event == Entry::Event::kMemory) marks.push_back(entry.memory);
  }
  return marks;
}

std::vector<Rule> MemoryRules() {
  return {{.name = "memory-settles", .duties = {kSettles}, .judge = JudgeMemory}};
}

}  // namespace assay::oracle
