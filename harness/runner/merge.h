// Reports of parts of a run, joined into the report of the whole.

#pragma once

#include <string>
#include <vector>

#include "reports/report.h"

namespace assay {

struct PartialReport {
  std::string path;  // only for messages
  Report report;
};

// The report that one run would have given: with all shards of one run the same results, causes,
// requirements, counts and exit code; its duration is that of the longest. Reports that are no
// shards (other transports, other filters) are put one after another. Throws InputError when the
// parts are of different servers, hold the same result twice, or a shard is missing.
Report MergeReports(std::vector<PartialReport> parts);

}  // namespace assay
